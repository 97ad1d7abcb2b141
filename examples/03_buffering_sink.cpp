// SPDX-License-Identifier: Apache-2.0
// A sink that sends its records on in groups of three. What it has not sent yet is in its state: a
// crash, which this program has on purpose, loses none and sends none twice.
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/actors/job_handle.hpp"
#include "weir/core/process_name.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

using namespace std::chrono_literals;

class buffering_sink {
 public:
  using value_type = int;

  class writer {
   public:
    explicit writer(std::size_t threshold) : threshold_{threshold} {}

    auto uses_states() { return weir::states(saved_); }

    void initialize_state(weir::initialization_context& context) {
      if (!context.is_restored()) return;
      for (const int element : saved_.get()) buffered_.push_back(element);
      std::cout << "restored with " << buffered_.size() << " buffered\n";
    }

    void snapshot_state(weir::function_snapshot_context&) { saved_.update(buffered_); }

    weir::result<weir::sink_readiness> write(const weir::batch<int>& elements) {
      for (std::size_t i = 0; i < elements.rows(); ++i) {
        buffered_.push_back(elements.values()[i]);
        if (buffered_.size() == threshold_) send();
      }
      return ready();
    }
    weir::sink_readiness ready() const { return weir::sink_readiness::ready; }

   private:
    void send() {
      std::cout << "sent";
      for (const int element : buffered_) std::cout << ' ' << element;
      std::cout << '\n';
      buffered_.clear();
    }

    std::size_t threshold_;
    std::vector<int> buffered_;
    weir::operator_list_state<int> saved_{"buffered-elements"};
  };

  explicit buffering_sink(std::size_t threshold) : threshold_{threshold} {}

  weir::result<writer> make_writer(const weir::operator_environment&) const {
    return writer{threshold_};
  }

 private:
  std::size_t threshold_;
};

/// The numbers from 1 to 9. Behind 7 it waits for a checkpoint, and crashes once.
class crashing_source {
 public:
  using value_type = int;
  using split_type = int;
  using position_type = int;

  class reader {
   public:
    reader(std::function<void()> wake, std::shared_ptr<bool> crashed)
        : wake_{std::move(wake)}, crashed_{std::move(crashed)} {}

    weir::status open(const int&, const int& read) {
      read_ = read;
      return {};
    }
    weir::result<weir::poll_outcome> poll(weir::collector<int>& out, std::size_t) {
      if (read_ == 7 && !*crashed_) {
        if (complete_at_ < 7) return weir::poll_outcome::nothing_now;
        *crashed_ = true;
        throw std::runtime_error{"crashed on purpose"};
      }
      out.collect(++read_);
      return read_ == 9 ? weir::poll_outcome::split_done : weir::poll_outcome::produced;
    }
    int position() const { return read_; }

    void snapshot_state(weir::function_snapshot_context&) { saved_at_ = read_; }
    void notify_checkpoint_complete(weir::checkpoint_id) {
      complete_at_ = saved_at_;
      wake_();
    }

   private:
    std::function<void()> wake_;
    std::shared_ptr<bool> crashed_;  // outlives the attempts
    int read_ = 0;
    int saved_at_ = 0;
    int complete_at_ = 0;
  };

  weir::result<std::vector<int>> splits(weir::file_system&) const { return std::vector<int>{0}; }
  reader make_reader(const weir::operator_environment& environment) const {
    return {environment.wake, crashed_};
  }

 private:
  std::shared_ptr<bool> crashed_ = std::make_shared<bool>(false);
};

int main() {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("weir-buffering-sink-" + weir::unique_process_name());
  weir::environment env{"buffering sink"};
  env.checkpoint_every(20ms, folder.string()).restart(1, 10ms);
  env.from_source(crashing_source{}).sink_to(buffering_sink{3});
  const auto done = weir::execute(env);
  std::filesystem::remove_all(folder);
  if (!done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
