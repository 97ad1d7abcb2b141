// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "weir/core/time.hpp"
#include "weir/dataflow/async_order.hpp"
#include "weir/state/states.hpp"

namespace weir::dataflow {

/// How a keyed operator makes the asynchronous accesses of its function: at once, where all state
/// is in memory; elsewhere in the order of an `async_order`. Owned by the operator.
template <class K>
class keyed_accesses {
 public:
  /// `scheduler`: null where all state is in memory. `outputs`: the collectors of the function.
  /// What is passed must outlive this.
  template <class F, class... Output>
  void open(F& function, state::access_scheduler* scheduler, Output&... outputs) {
    port_.arguments = {{state::type_identity<Output>(), &outputs}...};
    if (scheduler != nullptr) order_ = std::make_unique<async_order<K>>(*scheduler);
    port_.queue = order_.get();
    state::bind_async(function, port_);
  }

  /// All state is in memory: there is no order to be kept.
  bool at_once() const noexcept { return order_ == nullptr; }

  bool idle() const noexcept { return at_once() || order_->idle(); }
  bool full() const noexcept { return !at_once() && order_->full(); }
  bool has_work() const { return !at_once() && order_->has_work(); }

  /// What is at the front of the input has to wait. If that is for what is in flight, the input has
  /// no work until `go_on`.
  void stall() noexcept { stalled_ = !idle(); }
  bool stalled() const noexcept { return stalled_; }

  /// Goes on with what is in flight as long as `has_room()`, a piece of it: `with_key(const K&,
  /// std::uint64_t hash, event_time, run)` makes a key current and calls `run()`.
  template <class HasRoom, class WithKey>
  void go_on(HasRoom has_room, WithKey with_key) {
    stalled_ = false;
    for (std::size_t n = 0; n < most_at_a_time && order_->has_work() && has_room(); ++n)
      order_->run_one(with_key);
  }

  /// Calls `now()` if the key is free; otherwise a copy of `later`, when its turn has come: that is
  /// called with the key as the current one. @pre !at_once(), `key` lives until `now` returns
  template <class Now, class Later>
  void in_order(const K& key, std::uint64_t hash, event_time time, Now&& now, const Later& later) {
    if (order_->busy(key, hash)) return order_->park(key, hash, time, later);
    order_->begin(key, hash, time);
    now();
    order_->end();
  }

  /// As long as one lives accesses are made at once: while all keys are visited.
  class made_at_once {
   public:
    explicit made_at_once(keyed_accesses& of)
        : port_{&of.port_}, queue_{std::exchange(port_->queue, nullptr)} {}
    made_at_once(const made_at_once&) = delete;
    made_at_once& operator=(const made_at_once&) = delete;
    ~made_at_once() { port_->queue = queue_; }

   private:
    state::async_port* port_;
    state::access_queue* queue_;
  };

 private:
  static constexpr std::size_t most_at_a_time = 256;

  state::async_port port_;
  std::unique_ptr<async_order<K>> order_;
  bool stalled_ = false;
};

}  // namespace weir::dataflow
