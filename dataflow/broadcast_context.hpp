// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/dataflow/listed_states.hpp"
#include "weir/dataflow/non_partitioned_context.hpp"
#include "weir/dataflow/output_tag.hpp"
#include "weir/state/state_handle.hpp"

namespace weir::dataflow {

namespace internal {

template <class Arguments, class S>
struct key_argument {
  using type = void;
};
template <class K, class S>
struct key_argument<std::tuple<const K&, S&>, S> {
  using type = K;
};

template <class Visit, class S>
struct visited_key {
  using type = void;
};
template <class Visit, class S>
  requires requires { &Visit::operator(); }
struct visited_key<Visit, S>
    : key_argument<typename signature<decltype(&Visit::operator())>::arguments, S> {};

}  // namespace internal

template <class K>
class typed_key_visitor;

/// What is to be done for keys, whatever their type. Made for one visit.
class key_visitor {
 public:
  key_visitor(const key_visitor&) = delete;
  key_visitor& operator=(const key_visitor&) = delete;

  /// As one for keys of type K. Errors: throws `state_error` if it is for others.
  template <class K>
  const typed_key_visitor<K>& as() const {
    if (key_ != tag_of<K>()) fail_as_other_keys();
    return static_cast<const typed_key_visitor<K>&>(*this);
  }

  /// Throws `state_error`.
  [[noreturn]] static void fail_without_keys();

 protected:
  explicit key_visitor(type_tag key) : key_{key} {}
  ~key_visitor() = default;

 private:
  [[noreturn]] static void fail_as_other_keys();

  type_tag key_;
};

/// The same for keys of type K.
template <class K>
class typed_key_visitor final : public key_visitor {
 public:
  explicit typed_key_visitor(std::function<void(const K&)> visit)
      : key_visitor{tag_of<K>()}, visit_{std::move(visit)} {}

  void operator()(const K& key) const { visit_(key); }

 private:
  std::function<void(const K&)> visit_;
};

/// Who has the keys of a `broadcast_context`: its operator.
class key_host {
 public:
  /// Makes each key that has a value of `state` the current one, and visits it.
  /// Errors: throws `state_error` if there are no keys, or keys of another type.
  virtual void visit_keys(const state::state_handle& state, key_visitor& visitor) = 0;

 protected:
  ~key_host() = default;
};

/// What a function can ask for while it is called for a record of a broadcast stream. There is no
/// current key. Made and owned by the operator; valid during the call.
class broadcast_context : public non_partitioned_context {
 public:
  /// For the engine. All outlive the context.
  broadcast_context(operator_base& op, partition_host& partitions, key_host& keys,
                    const listed_states& states)
      : non_partitioned_context{op, partitions}, op_{&op}, keys_{&keys}, states_{&states} {}

  /// The broadcast state that `declaration` stands for, to be changed: in the same way in every
  /// subtask, whatever the order in which the records come.
  /// Errors: throws `state_error` if it is not listed in `uses_states()`.
  template <class S>
  auto writable(const S& declaration) {
    static_assert(S::mode == state::redistribution::identical,
                  "broadcast_context::writable(state): state must be a broadcast_state");
    return states_->get(declaration).writable_for_engine();
  }

  /// Calls `visit(const K&, State&)` once for each key of this subtask that has a value of the
  /// keyed state that `declaration` stands for, with that key as the current one. It may change and
  /// clear the state. Not from within itself.
  /// Errors: throws `state_error` if the state is not listed, or the keys are no K.
  template <class S, class Visit>
  void apply_to_keyed_state(const S& declaration, Visit visit) {
    static_assert(state::keyed_state<S>,
                  "broadcast_context::apply_to_keyed_state(state, f): state must be a keyed state");
    using key = typename internal::visited_key<Visit, S>::type;
    static_assert(!std::is_void_v<key>,
                  "broadcast_context::apply_to_keyed_state(state, f): f must be a function object "
                  "`void f(const K& key, State& state)`, and not generic");
    if constexpr (!std::is_void_v<key>) {
      S& state = states_->get(declaration);
      typed_key_visitor<key> made{[&](const key& current) { visit(current, state); }};
      keys_->visit_keys(state, made);
    }
  }

  /// The time of the record; `event_time::min()` if it has none.
  event_time timestamp() const { return time_; }
  event_time current_watermark() const { return watermark_; }

  /// Emits to a side output, with the time of the record.
  template <class U>
  void output(const output_tag<U>& tag, std::type_identity_t<U> record) {
    op_->emit_side(tag, std::move(record), time_);
  }

  // For the engine.
  void set(event_time time, event_time watermark) {
    time_ = time;
    watermark_ = watermark;
  }

 private:
  operator_base* op_;
  key_host* keys_;
  const listed_states* states_;
  event_time time_ = event_time::min();
  event_time watermark_ = event_time::min();
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::broadcast_context;
}
