// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "weir/windowing/composite_trigger.hpp"

namespace weir::windowing {

/// Starts its part anew after each fire. A value; made by `repeatedly`.
template <class Part>
class repeatedly_trigger : public composite_trigger<repeatedly_trigger<Part>, 0, Part> {
  using base = composite_trigger<repeatedly_trigger, 0, Part>;
  using node = trigger_node<Part>;

 public:
  static constexpr const char* kind = "repeatedly";

  explicit repeatedly_trigger(Part part) : base{std::move(part)} {}

  /// The trigger that is repeated.
  const Part& repeated() const { return trigger_of(this->template part<0>()); }

  /// It has no state of its own.
  void prefix_names(std::string_view prefix) { this->template part<0>().prefix_names(prefix); }

  template <class Event, class W>
  trigger_outcome on(const Event& event, const W& window, trigger_context& context) {
    return this->template with_part<0>(context, [&](auto& part, auto& own, auto) {
      const trigger_outcome outcome = part.on(event, window, own);
      if (node::can_finish ? part.finished() : fires(outcome)) restart(window, own);
      return outcome;
    });
  }

  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) {
    this->template with_part<0>(context, [&](auto& part, auto& own, auto) {
      part.on_merge(merged, own);
      if (part.finished()) restart(merged, own);
    });
  }

 private:
  template <class W>
  void restart(const W& window, trigger_context& own) {
    auto& part = this->template part<0>();
    part.clear(window, own);
    part.start(window, own);
  }
};

/// Starts `part` anew after each of its fires; if it is one that can finish, when it has.
/// "1 minute or 50 records, starting anew each time" is
/// `repeatedly(any_of(after_processing_time(1min), after_count(50)))`.
template <class Part>
repeatedly_trigger<Part> repeatedly(Part part) {
  return repeatedly_trigger<Part>{std::move(part)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::repeatedly;
}
