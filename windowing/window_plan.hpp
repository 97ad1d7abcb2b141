// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/windowing/event_time_trigger.hpp"
#include "weir/windowing/fast_window_operator.hpp"
#include "weir/windowing/general_window_operator.hpp"
#include "weir/windowing/merging_window_operator.hpp"
#include "weir/windowing/processing_time_trigger.hpp"
#include "weir/windowing/window_work.hpp"

namespace weir::windowing {

/// What can be set for all windows.
struct window_options {
  duration allowed_lateness = duration::zero();
  std::optional<std::string> late_output;  ///< none: late records are dropped and counted
};

namespace internal {

/// Whether a function is no more than its `process_record` without a context.
template <class P, class K, class W, class R>
consteval bool is_plain_function() {
  constexpr bool has_life =
      requires { &P::open; } || requires { &P::close; } || requires { &P::initialize_state; } ||
      requires { &P::snapshot_state; } || requires { &P::notify_checkpoint_complete; } ||
      requires { &P::notify_checkpoint_aborted; } || requires { &P::end_input; } ||
      requires { &P::on_watermark; };
  return !has_life && !state::has_states<P> && !has_window_states<P> && !has_clear<P, K, W>() &&
         is_callable_for_windows<P, K, W, R, collector<dataflow::output_of<P>>>();
}

/// The trigger that an operator asks: that of windows which merge is derived from their ends, if it
/// goes by them.
template <class Assigner, class Trigger>
auto trigger_as_asked(Trigger trigger) {
  if constexpr (Assigner::merging &&
                std::is_same_v<Trigger,
                               time_trigger<Assigner::is_event_time ? timer_domain::event
                                                                    : timer_domain::processing>>)
    return derived_end_trigger{};
  else
    return trigger;
}

}  // namespace internal

/// An operator of windows before its subtasks are made: what it is made from. A value.
template <class Operator>
class window_plan {
 public:
  explicit window_plan(typename Operator::definition definition)
      : definition_{std::move(definition)} {}

  /// Whether it can be. Errors: invalid_argument.
  status check() const { return Operator::check(definition_); }
  /// What it declares.
  std::vector<state::state_declaration> states() const { return Operator::states(definition_); }
  std::unique_ptr<Operator> make() const { return std::make_unique<Operator>(definition_); }

 private:
  typename Operator::definition definition_;
};

/// Chooses the operator for windows of `Stream`: one that decides for all keys of a window at once
/// where assigner, trigger and functions are such that it can, else one that decides for each.
template <class Stream, class Assigner, class Work, class Trigger, class Evictor, class P>
auto plan_windows(const Assigner& assigner, Work work, Trigger trigger, Evictor evictor, P p,
                  const window_options& options, const typename Stream::select_type& select) {
  constexpr bool plain =
      internal::is_plain_function<P, typename Stream::key_type, typename Assigner::window_type,
                                  typename Work::result_type>();
  if constexpr (std::is_same_v<Trigger, event_time_trigger> &&
                std::is_same_v<Evictor, no_evictor> && has_fast_operator<Assigner> && plain &&
                Work::adds_up) {
    auto contents = std::move(work).sums();
    using definition = window_definition<Stream, Assigner, decltype(contents), Trigger, P>;
    return window_plan<fast_window_operator<definition>>{
        {select, assigner, std::move(contents), std::move(trigger), std::move(p),
         options.allowed_lateness, options.late_output}};
  } else {
    auto contents = std::move(work).contents(std::move(evictor));
    auto asked = internal::trigger_as_asked<Assigner>(std::move(trigger));
    using definition = window_definition<Stream, Assigner, decltype(contents), decltype(asked), P>;
    using chosen = std::conditional_t<Assigner::merging, merging_window_operator<definition>,
                                      general_window_operator<definition>>;
    return window_plan<chosen>{{select, assigner, std::move(contents), std::move(asked),
                                std::move(p), options.allowed_lateness, options.late_output}};
  }
}

}  // namespace weir::windowing
