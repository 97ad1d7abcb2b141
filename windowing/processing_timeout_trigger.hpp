// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "weir/state/value_state.hpp"
#include "weir/windowing/composite_trigger.hpp"

namespace weir::windowing {

/// What can be chosen for `processing_timeout`.
struct timeout_options {
  bool reset_on_new_record = false;  ///< Each element starts the timeout anew.
  bool clear_on_timeout = true;      ///< The timeout makes the other trigger start anew.
};

/// Fires when its part does, or after a timeout. A value; made by `processing_timeout`.
template <class Part>
class processing_timeout_trigger
    : public composite_trigger<processing_timeout_trigger<Part>, 1, Part> {
  using base = composite_trigger<processing_timeout_trigger, 1, Part>;

 public:
  static constexpr const char* kind = "processing_timeout";
  static constexpr bool can_merge = false;

  processing_timeout_trigger(Part part, duration timeout, timeout_options options)
      : base{std::move(part)}, timeout_{timeout}, options_{options} {}

  /// Errors: invalid_argument unless the timeout is more than 0; those of the part.
  status validate() const {
    if (timeout_ <= duration::zero())
      return error{
          errc::invalid_argument,
          "processing_timeout(" + std::to_string(timeout_.count()) + " ms): it needs more than 0"};
    return base::validate();
  }

  template <class Use>
  decltype(auto) with_states(Use&& use) {
    return this->with_states_of_parts(
        [&](auto&... state) -> decltype(auto) { return use(fires_at_, state...); });
  }

  void prefix_names(std::string_view prefix) {
    fires_at_.prefix_name(prefix);
    this->prefix_names_of_parts(prefix);
  }

  template <class T, class W>
  trigger_outcome on(const added_element<T>& added, const W& window, trigger_context& context) {
    const trigger_outcome outcome = this->template with_part<0>(
        context, [&](auto& part, auto& own, auto) { return part.on(added, window, own); });
    if (fires(outcome)) {
      clear(window, context);
    } else {
      if (options_.reset_on_new_record) {
        context.delete_timers();
        fires_at_.clear();
      }
      if (fires_at_.value() == nullptr) {
        fires_at_.update(context.now() + timeout_);
        context.register_timer(*fires_at_.value());
      }
    }
    return outcome;
  }

  template <class W>
  trigger_outcome on(const due_timers& due, const W& window, trigger_context& context) {
    constexpr bool purges_too = requires { requires Part::always_purges; };
    trigger_outcome outcome = this->template with_part<0>(
        context, [&](auto& part, auto& own, auto) { return part.on(due, window, own); });
    if (context.concerned_by(due))
      outcome = either(outcome, {make_result(true, purges_too), false});
    if (fires(outcome) && options_.clear_on_timeout) clear(window, context);
    return outcome;
  }

  template <class W>
  void clear(const W& window, trigger_context& context) {
    context.delete_timers();
    fires_at_.clear();
    base::clear(window, context);
  }

 private:
  duration timeout_;
  timeout_options options_;
  /// Stays when the timeout has fired and nothing is cleared: it is the only one then.
  state::value_state<clock_time> fires_at_{"timeout"};
};

/// Fires when `part` does, or when `timeout` of the processing clock has passed since the first
/// element; a fire of `part` for an element starts all anew. If `part` is a `purging` trigger, the
/// timeout purges, too. Not for windows that merge. Errors, in the graph: timeout ≤ 0.
template <class Part>
processing_timeout_trigger<Part> processing_timeout(Part part, duration timeout,
                                                    timeout_options options = {}) {
  return {std::move(part), timeout, options};
}

}  // namespace weir::windowing

namespace weir {
using windowing::processing_timeout;
using windowing::timeout_options;
}  // namespace weir
