// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "weir/core/random.hpp"
#include "weir/dataflow/operator_base.hpp"
#include "weir/dataflow/timer_client.hpp"

namespace weir::dataflow {

/// The timers of a keyed function: registers and deletes timers of the current key. Event timers
/// fire when the watermark reaches them, processing timers when the clock does; each once, however
/// often it was registered. Valid during the call that it was handed to.
template <class K>
class timer_service {
 public:
  timer_service(timer_client<K>& timers, const K& key, event_time watermark, clock_time now)
      : timers_{&timers}, key_{&key}, watermark_{watermark}, now_{now} {}

  void register_timer(event_time time) { timers_->register_timer(time, *key_); }
  void register_timer(clock_time time) { timers_->register_timer(time, *key_); }
  void delete_timer(event_time time) { timers_->delete_timer(time, *key_); }
  void delete_timer(clock_time time) { timers_->delete_timer(time, *key_); }

  event_time current_watermark() const { return watermark_; }
  clock_time now() const { return now_; }

 private:
  timer_client<K>* timers_;
  const K* key_;
  event_time watermark_;
  clock_time now_;
};

/// What a keyed function can ask for while it is called for a record or a timer. Made and owned by
/// the operator; valid during the call.
template <class K>
class keyed_context {
 public:
  /// For the engine. `emit_side(tag, record)` puts a record into a side output.
  keyed_context(operator_base& op, timer_client<K>& timers) : op_{&op}, timers_{&timers} {}

  /// @pre called for a record or a timer of this key
  const K& current_key() const { return *key_; }

  /// The time of the record or timer; `event_time::min()` if it has none.
  event_time timestamp() const { return time_; }

  timer_service<K> timers() {
    return {*timers_, *key_, watermark_, op_->environment().time->now()};
  }

  /// Emits to a side output, with the time of the record or timer.
  template <class U>
  void output(const output_tag<U>& tag, U record) {
    op_->emit_side(tag, std::move(record), time_);
  }

  // For the engine.
  void set(const K& key, event_time time, event_time watermark) {
    key_ = &key;
    time_ = time;
    watermark_ = watermark;
  }

 private:
  operator_base* op_;
  timer_client<K>* timers_;
  const K* key_ = nullptr;
  event_time time_ = event_time::min();
  event_time watermark_ = event_time::min();
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::keyed_context;
using dataflow::timer_service;
}  // namespace weir
