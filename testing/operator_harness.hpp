// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/codec.hpp"
#include "weir/dataflow/operator_base.hpp"
#include "weir/dataflow/watermark_table.hpp"
#include "weir/testing/manual_clock.hpp"
#include "weir/testing/output_log.hpp"

namespace weir::testing {

namespace internal {
struct running_operator;
}

/// How an operator under test is fed and its output taken. Its results must not depend on it.
enum class harness_mode {
  one_by_one,       ///< Batches of one record; the operator comes to rest after each.
  all_at_once,      ///< Records that follow one another in one batch.
  refusing_output,  ///< The same, shared with others; the output takes one record, and that only
                    ///< when nothing else can be done.
  restored,         ///< As one by one, with a new instance from a snapshot after every element.
  replayed          ///< The same, but the snapshot is still running while the next element is
                    ///< processed, in vain: the new instance gets it again.
};

/// "one by one"
std::string_view to_string(harness_mode mode) noexcept;

/// Runs one operator alone: with the chain, the timer service and the clock that it needs, in
/// one thread. What is fed is processed before the call returns, or waits for the rest of its
/// batch. After the first failure nothing happens any more. One thread.
///
/// Source: Hazelcast Jet's TestSupport.
class operator_harness {
 public:
  /// Makes the operator; again for every restore.
  using factory = std::function<std::unique_ptr<dataflow::operator_base>()>;

  explicit operator_harness(factory make, harness_mode mode = harness_mode::one_by_one,
                            clock_time start = {0});
  ~operator_harness();

  /// Reads an output, of records of type R: a main one or, with its tag, a side output. Comes
  /// before the first element.
  template <class R>
  output_log& open_output(const std::string& tag = main_output) {
    auto& log = logs_[tag];
    if (log) {
      if (log->type() != dataflow::tag_of<R>()) fail("an output is read with two record types");
      return *log;
    }
    log = std::make_unique<output_log>(dataflow::tag_of<R>());
    outputs_.push_back({tag, [] { return std::make_unique<dataflow::collector<R>>(); },
                        [this, to = log.get()]() -> std::unique_ptr<dataflow::operator_base> {
                          return std::make_unique<output_reader<R>>(*to, gate_);
                        }});
    return *log;
  }
  static constexpr const char* main_output = "";
  /// That of an operator with two main outputs. No tag of a side output.
  static constexpr const char* second_output = "\n";

  // -- elements ----------------------------------------------------------------------------------

  template <class T>
  void push(T record, event_time time = event_time::min(), std::size_t input = 0) {
    using batch = dataflow::batch<T>;
    if (!begin_record(dataflow::tag_of<T>(), input)) return;
    if (!pending_) {
      pending_ = dataflow::erased_batch{batch::make(batch::max_rows()).release()};
      complete_ = [](dataflow::batch_base& b) { static_cast<batch&>(b).account(); };
      contents_ = [](const dataflow::batch_base& b) {
        return bytes_of(static_cast<const batch&>(b));
      };
    }
    static_cast<batch&>(*pending_).append(std::move(record), time);
    end_record(batch::max_rows());
  }

  /// From here on, batches for `input` carry the hashes of their keys in the modes that use whole
  /// batches: as behind a channel. `hash` is a `batch_hasher<T>`.
  template <class T>
  void hash_records(std::function<void(dataflow::batch<T>&)> hash, std::size_t input = 0) {
    hashers_[input] = [hash = std::move(hash)](dataflow::batch_base& b) {
      hash(static_cast<dataflow::batch<T>&>(b));
    };
  }

  /// One call of the user's function emits at most so many rows: more than these behind a full
  /// output are a failure, in the mode that refuses.
  void rows_per_call(std::size_t most) { rows_per_call_ = most; }

  void watermark(event_time time, std::size_t input = 0);
  void idle(std::size_t input = 0);
  void active(std::size_t input = 0);
  void end_of_input();
  /// The end of one of several inputs. Told again after a restore.
  void end_of_input(std::size_t input);

  /// The job's own watermarks: those that the function declares, or others do. Comes before the
  /// first element.
  void declare(std::vector<dataflow::watermark_declaration> declared);
  /// One of them comes, as what its input's channels come to. A failure if it is not declared.
  void custom_watermark(const dataflow::watermark_declaration& which, std::int64_t value,
                        std::size_t input = 0);
  /// The same as a control element.
  dataflow::control custom_control(const dataflow::watermark_declaration& which, std::int64_t value,
                                   std::size_t input = 0);

  /// Moves the clock, from alarm to alarm.
  void advance_clock(duration by);

  // -- checkpoints -------------------------------------------------------------------------------

  /// Takes a checkpoint, and tells that it is complete.
  void checkpoint();
  /// Begins a checkpoint, abandons it while it is running, and tells so.
  void aborted_checkpoint();
  /// Takes a snapshot and goes on with a new instance restored from it.
  void restore();
  /// Calls `element`, which feeds one element, in the way of the mode. One that cannot be fed
  /// twice is not replayed.
  void feed(const std::function<void()>& element, bool repeatable = true);

  /// Gives the operator up, as at the end of a job. Nothing is fed afterwards.
  void close();

  // -- what is to be seen ------------------------------------------------------------------------

  /// Gives the operator what waits for the rest of its batch; the rows it has emitted become seen.
  void deliver();

  /// @pre nothing has failed
  dataflow::operator_base& instance();
  /// Timers that the service holds. 0 without a timer service.
  std::size_t timers() const;

  manual_clock& time() { return clock_; }
  metric_group& metrics() { return metrics_; }
  file_system& files() { return *files_; }
  harness_mode mode() const { return mode_; }
  /// Whether every record is a batch of its own.
  bool one_record_a_batch() const {
    return mode_ != harness_mode::all_at_once && mode_ != harness_mode::refusing_output;
  }
  std::size_t restores() const { return restores_; }

  /// The output opened with that tag. @pre it is open
  output_log& output(const std::string& tag = main_output) { return *logs_.at(tag); }
  bool has_output(const std::string& tag) const { return logs_.contains(tag); }
  /// How the outputs so far differ from what is expected so far; empty if they do not.
  std::string complaint() const;

  void fail(std::string message);
  void fail(error cause);
  const status& outcome() const { return outcome_; }

 private:
  struct output_spec {
    std::string tag;
    std::function<std::unique_ptr<dataflow::output_base>()> make;
    std::function<std::unique_ptr<dataflow::operator_base>()> make_reader;
  };
  struct taken_snapshot {
    checkpoint_id id;
    std::vector<state::snapshot_chunk> chunks;
  };

  template <class T>
  static std::string bytes_of(const dataflow::batch<T>& b) {
    std::string bytes;
    if constexpr (encodable<T>) {
      for (std::size_t i = 0; i < b.rows(); ++i) {
        bytes += encode(b.values()[i]) + encode(b.times()[i]);
      }
    }
    return bytes;
  }

  bool begin_record(dataflow::type_tag type, std::size_t input);
  void end_record(std::size_t most);
  void deliver_pending();
  void control(dataflow::control c, std::size_t input);
  void admit(dataflow::control c);
  void tell_end(std::size_t input);

  void start(const taken_snapshot* from);
  void guarded(const std::function<status()>& call);
  status wire(internal::running_operator& made);
  status open_instance(internal::running_operator& made, const taken_snapshot* from);
  status restore_instance(internal::running_operator& made, const taken_snapshot* from);
  bool ready();
  void settle();
  bool go_on();
  void ring(clock_time now);
  void begin_snapshot();
  taken_snapshot finish_snapshot();
  void go_on_from(taken_snapshot snapshot);
  void replay(const std::function<void()>& element);
  void run_commit(checkpoint_id id);

  factory make_;
  harness_mode mode_;
  manual_clock clock_;
  std::unique_ptr<file_system> files_;
  metric_group metrics_;
  std::vector<output_spec> outputs_;
  std::map<std::string, std::unique_ptr<output_log>> logs_;
  std::map<std::size_t, std::function<void(dataflow::batch_base&)>> hashers_;
  output_gate gate_;
  std::vector<dataflow::watermark_declaration> declared_;
  std::shared_ptr<const dataflow::watermark_table> watermarks_ =
      std::make_shared<const dataflow::watermark_table>();

  dataflow::erased_batch pending_;
  std::size_t pending_input_ = 0;
  std::function<void(dataflow::batch_base&)> complete_;
  std::function<std::string(const dataflow::batch_base&)> contents_;

  std::unique_ptr<internal::running_operator> running_;
  checkpoint_id last_checkpoint_{};
  std::size_t restores_ = 0;
  std::size_t rows_per_call_ = 16;
  bool ended_ = false;
  status outcome_;
};

}  // namespace weir::testing
