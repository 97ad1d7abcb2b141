// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "weir/dataflow/non_partitioned_context.hpp"
#include "weir/dataflow/state_manager.hpp"
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
class keyed_context : public runtime_context {
 public:
  /// For the engine. All outlive it.
  keyed_context(operator_base& op, non_partitioned_context& whole, const listed_states& states,
                timer_client<K>& timers)
      : runtime_context{op.environment()},
        op_{&op},
        whole_{&whole},
        timers_{&timers},
        states_{states} {}

  /// @pre called for a record or a timer of this key
  const K& current_key() const { return states_.current_key(); }

  /// The time of the record or timer; `event_time::min()` if it has none.
  event_time timestamp() const { return time_; }

  keyed_state_manager<K>& state_manager() { return states_; }

  timer_service<K> timers() { return {*timers_, current_key(), watermark_, time().now()}; }

  /// Emits to a side output, with the time of the record or timer.
  template <class U>
  void output(const output_tag<U>& tag, std::type_identity_t<U> record) {
    op_->emit_side(tag, std::move(record), time_);
  }

  dataflow::non_partitioned_context& non_partitioned() { return *whole_; }

  // For the engine.
  void set(const K& key, event_time time, event_time watermark) {
    states_.set_key(&key);
    time_ = time;
    watermark_ = watermark;
  }
  void end_key() { states_.set_key(nullptr); }
  const K* const& key() const { return states_.key(); }

 private:
  operator_base* op_;
  dataflow::non_partitioned_context* whole_;
  timer_client<K>* timers_;
  keyed_state_manager<K> states_;
  event_time time_ = event_time::min();
  event_time watermark_ = event_time::min();
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::keyed_context;
using dataflow::timer_service;
}  // namespace weir
