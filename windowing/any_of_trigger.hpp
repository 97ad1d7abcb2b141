// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "weir/windowing/composite_trigger.hpp"

namespace weir::windowing {

/// Fires whenever one of its parts does. A value; made by `any_of`.
template <class... Part>
class any_of_trigger : public composite_trigger<any_of_trigger<Part...>, 0, Part...> {
  using base = composite_trigger<any_of_trigger, 0, Part...>;

 public:
  static constexpr const char* kind = "any_of";
  static constexpr bool can_finish = (trigger_node<Part>::can_finish && ...);

  explicit any_of_trigger(Part... part) : base{std::move(part)...} {}

  template <class Event, class W>
  trigger_outcome on(const Event& event, const W& window, trigger_context& context) {
    trigger_outcome all;
    this->each_part(context, [&](auto& part, auto& own, auto) {
      all = either(all, part.on(event, window, own));
    });
    return all;
  }

  /// When all parts are.
  bool finished() const {
    if constexpr (can_finish)
      return !this->any_part([](const auto& part, auto) { return !part.finished(); });
    return false;
  }
};

/// Fires whenever one of `parts` does; the others keep what they have seen. Parts that fire at once
/// are one fire.
template <class... Part>
any_of_trigger<Part...> any_of(Part... parts) {
  return any_of_trigger<Part...>{std::move(parts)...};
}

}  // namespace weir::windowing

namespace weir {
using windowing::any_of;
}
