// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "weir/state/reducing_state.hpp"
#include "weir/windowing/composite_trigger.hpp"
#include "weir/windowing/smallest_of.hpp"

namespace weir::windowing {

/// Fires when its first part does, then when the second does, and so on. A value; made by
/// `after_each`.
template <class... Part>
class after_each_trigger : public composite_trigger<after_each_trigger<Part...>, 0, Part...> {
  using base = composite_trigger<after_each_trigger, 0, Part...>;
  static_assert(sizeof...(Part) > 0, "after_each(...): it needs a trigger");
  static constexpr std::size_t last = sizeof...(Part) - 1;

 public:
  static constexpr const char* kind = "after_each";
  static constexpr bool can_finish =
      std::tuple_element_t<last, std::tuple<trigger_node<Part>...>>::can_finish;

  explicit after_each_trigger(Part... part) : base{std::move(part)...} {}

  template <class Use>
  decltype(auto) with_states(Use&& use) {
    return this->with_states_of_parts(
        [&](auto&... state) -> decltype(auto) { return use(active_, state...); });
  }

  void prefix_names(std::string_view prefix) {
    active_.prefix_name(prefix);
    this->prefix_names_of_parts(prefix);
  }

  template <class Event, class W>
  trigger_outcome on(const Event& event, const W& window, trigger_context& context) {
    if (active_.get() == nullptr) active_.add(0);
    const std::size_t active = *active_.get();
    trigger_outcome outcome;
    this->one_part(active, context, [&](auto& part, auto& own, auto i) {
      outcome = part.on(event, window, own);
      if (i < last && fires(outcome)) part.clear(window, own);
    });
    if (active < last && fires(outcome)) activate(active + 1, window, context);
    return outcome;
  }

  template <class W>
  void start(const W& window, trigger_context& context) {
    activate(0, window, context);
  }

  template <class W>
  void clear(const W& window, trigger_context& context) {
    active_.clear();
    base::clear(window, context);
  }

  /// Goes on where the one is that got least far; windows where it did not start do not count.
  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) {
    context.merge(active_);
    if (active_.get() == nullptr) return;
    this->one_part(*active_.get(), context,
                   [&](auto& part, auto& own, auto) { part.on_merge(merged, own); });
  }

  /// When the last part is.
  bool finished() const {
    if constexpr (can_finish)
      return active_.get() != nullptr && *active_.get() == last &&
             this->template part<last>().finished();
    return false;
  }

 private:
  template <class W>
  void activate(std::size_t next, const W& window, trigger_context& context) {
    active_.clear();
    active_.add(static_cast<std::uint8_t>(next));
    this->one_part(next, context, [&](auto& part, auto& own, auto) { part.start(window, own); });
  }

  state::reducing_state<std::uint8_t, smallest_of> active_{"active"};
};

/// Fires when the first of `parts` does; then that one is done, and the next begins, which does not
/// see the element that the other fired for. The last one stays.
template <class... Part>
after_each_trigger<Part...> after_each(Part... parts) {
  return after_each_trigger<Part...>{std::move(parts)...};
}

}  // namespace weir::windowing

namespace weir {
using windowing::after_each;
}
