// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weir/core/io_executor.hpp"

namespace weir {
namespace {

class thread_io_executor final : public io_executor {
 public:
  explicit thread_io_executor(std::size_t threads) {
    threads_.reserve(threads);
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  }

  ~thread_io_executor() override {
    {
      const std::lock_guard hold{mutex_};
      closing_ = true;
    }
    changed_.notify_all();
    threads_.clear();  // joins
  }

  void submit(std::uint64_t lane, std::function<void()> work) override {
    {
      const std::lock_guard hold{mutex_};
      if (lane != 0) {
        const auto [line, is_free] = behind_.try_emplace(lane);
        if (!is_free) return line->second.push_back(std::move(work));
      }
      ready_.push_back({lane, std::move(work)});
    }
    changed_.notify_one();
  }

 private:
  struct item {
    std::uint64_t lane;
    std::function<void()> work;
  };

  void run() {
    std::unique_lock hold{mutex_};
    while (true) {
      changed_.wait(hold, [this] { return closing_ || !ready_.empty(); });
      // A work that is still running keeps its thread here, so its lane's rest finds one.
      if (ready_.empty()) return;
      auto next = std::move(ready_.front());
      ready_.pop_front();
      hold.unlock();
      next.work();
      next.work = nullptr;  // what it holds goes before the next of the lane, and without the lock
      hold.lock();
      release(next.lane);
    }
  }

  /// Lets the next of `lane` run: at the end, so that a busy lane does not keep others waiting.
  void release(std::uint64_t lane) {
    if (lane == 0) return;
    const auto line = behind_.find(lane);
    if (line->second.empty()) {
      behind_.erase(line);
      return;
    }
    ready_.push_back({lane, std::move(line->second.front())});
    line->second.pop_front();
    changed_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  std::deque<item> ready_;
  /// Has an entry for each lane that has a work in `ready_` or running: those waiting for it.
  std::unordered_map<std::uint64_t, std::deque<std::function<void()>>> behind_;
  bool closing_ = false;

  std::vector<std::jthread> threads_;
};

}  // namespace

std::unique_ptr<io_executor> make_thread_io_executor(std::size_t threads) {
  return std::make_unique<thread_io_executor>(std::max<std::size_t>(threads, 1));
}

}  // namespace weir
