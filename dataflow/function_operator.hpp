// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/dataflow/custom_watermark.hpp"
#include "weir/dataflow/emitters.hpp"
#include "weir/dataflow/ended_inputs.hpp"
#include "weir/dataflow/function_calls.hpp"
#include "weir/dataflow/function_lifecycle.hpp"
#include "weir/dataflow/non_partitioned_context.hpp"
#include "weir/state/states.hpp"

namespace weir::dataflow {

namespace internal {

/// Gives a function without states the shape of one with none.
template <class F>
struct with_no_states : F {
  explicit with_no_states(F f) : F{std::move(f)} {}
  auto uses_states() { return state::states(); }
};

template <class F>
using stateful = std::conditional_t<state::has_states<F>, F, with_no_states<F>>;

}  // namespace internal

/// What all operators have in common that call a user's function for records, whatever their
/// inputs: the function, its life, its outputs, and the calls that no record asks for. Those are,
/// beyond the ones in function_lifecycle.hpp and all optional:
///
/// - `open(non_partitioned_context&)`: behind `initialize_state`, before the first record;
/// - `on_watermark(const custom_watermark&, collector<R>&, non_partitioned_context&)`, which gives
///   a `watermark_result`: for the job's own watermarks;
/// - `end_input(collector<R>&, non_partitioned_context&)`: no record and no timer follows.
///
/// A function with two outputs has a second collector behind the first. `Input` is the operator
/// that hands the elements in.
template <class Input, class F, class... R>
class function_operator : public Input, protected partition_host {
 protected:
  using function = internal::stateful<F>;
  using handled = typename Input::handled;
  using whole_context = non_partitioned_context;

 public:
  explicit function_operator(F f) : function_{std::move(f)}, life_{function_} {
    out_.with([this](auto&... out) { (this->add_output(out), ...); });
  }

  status open(const operator_environment& environment) override {
    if (auto done = Input::open(environment); !done) return done;
    life_.open(this->environment());
    whole_.emplace(*this, static_cast<partition_host&>(*this));
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    if (auto done = ended_.restore(chunks); !done) return done;
    return life_.restore(chunks);
  }

  status start() override {
    check_calls<function>();
    life_.initialize();
    out_.set_time(event_time::min());
    if constexpr (requires(whole_context& c) { function_.open(c); }) function_.open(*whole_);
    return {};
  }

  event_time record_time() const override { return out_.time(); }

  void begin_snapshot(snapshot_context& context) override {
    ended_.write(context.stream());
    life_.begin_snapshot(context);
  }
  bool snapshot_running() const override { return life_.snapshot_running(); }
  void sweep_snapshot(std::size_t slots) override { life_.sweep_snapshot(slots); }
  void abort_snapshot() override { life_.abort_snapshot(); }

  std::function<status()> on_checkpoint_complete(checkpoint_id id) override {
    life_.complete(id);
    return {};
  }
  void on_checkpoint_aborted(checkpoint_id id) override { life_.aborted(id); }
  void close() override { life_.close(); }

 protected:
  /// Control elements that are for the function.
  result<handled> on_control(control c) override {
    if (c.kind() == control_kind::end_of_input) on_end();
    if (c.kind() == control_kind::custom) return on_custom(c);
    return handled::pass_on;
  }

  /// No record and no timer follows.
  virtual void on_end() {}

  /// Input `port` has ended: calls `end(function&, collector<R>&..., non_partitioned_context&)` if
  /// it can be called so, and has not been called before the job started again.
  template <class End>
  void call_end(std::size_t port, End end) {
    if (!ended_.end(port)) return;
    out_.set_time(event_time::min());
    out_.with([&](auto&... out) {
      if constexpr (std::is_invocable_v<End, function&, collector<R>&..., whole_context&>) {
        end(function_, out..., *whole_);
      }
    });
  }

  function function_;
  function_lifecycle<function> life_;
  emitters<R...> out_;
  std::optional<whole_context> whole_;

 private:
  result<handled> on_custom(control c) {
    out_.set_time(event_time::min());
    const auto show = [this](const custom_watermark& w) {
      return out_.with([&](auto&... out) {
        if constexpr (requires(whole_context& x) { function_.on_watermark(w, out..., x); }) {
          return function_.on_watermark(w, out..., *whole_);
        } else {
          return watermark_result::peek;
        }
      });
    };
    const bool on = goes_on(c, *this->environment().watermarks, show);
    return on ? handled::pass_on : handled::ends_here;
  }

  /// A member that is there but cannot be called would be a call that is silently missing.
  template <class O>
  static constexpr void check_calls() {
    static_assert(
        !requires { &O::open; } || requires(O& o, whole_context& c) { o.open(c); },
        "open: it must be callable as `void open(non_partitioned_context&)`");
    static_assert(
        !requires { &O::on_watermark; } ||
            requires(O& o, const custom_watermark& w, collector<R>&... out, whole_context& c) {
              { o.on_watermark(w, out..., c) } -> std::same_as<watermark_result>;
            },
        "on_watermark: it must be callable as `watermark_result "
        "on_watermark(const custom_watermark&, collector<R>&, non_partitioned_context&)`");
    constexpr auto ends = [](auto end) {
      return std::is_invocable_v<decltype(end), O&, collector<R>&..., whole_context&>;
    };
    static_assert(
        !requires { &O::end_input; } || ends(internal::call_end_input),
        "end_input: it must be callable as "
        "`void end_input(collector<R>&, non_partitioned_context&)`");
    static_assert(
        !requires { &O::end_first_input; } || ends(internal::call_end_first_input),
        "end_first_input: it must be callable as "
        "`void end_first_input(collector<R>&, non_partitioned_context&)`");
    static_assert(
        !requires { &O::end_second_input; } || ends(internal::call_end_second_input),
        "end_second_input: it must be callable as "
        "`void end_second_input(collector<R>&, non_partitioned_context&)`");
    static_assert(
        !requires { &O::end_broadcast_input; } || ends(internal::call_end_broadcast_input),
        "end_broadcast_input: it must be callable as "
        "`void end_broadcast_input(collector<R>&, non_partitioned_context&)`");
  }

  ended_inputs ended_;
};

}  // namespace weir::dataflow
