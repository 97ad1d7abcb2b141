// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/core/result.hpp"
#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_node.hpp"

namespace weir::windowing {

/// What triggers that are made of others have in common: their parts, each with slots and names of
/// states of its own. `OwnSlots` slots come first, for timers of `Self` itself.
///
/// `Self` has `kind` and the interface of a `trigger_leaf`; `start`, `clear` and `on_merge` reach
/// all parts unless it says otherwise.
template <class Self, unsigned OwnSlots, class... Part>
class composite_trigger : public combinable_trigger<Self> {
 public:
  static constexpr bool is_composite = true;
  static constexpr unsigned slots = (OwnSlots + ... + trigger_node<Part>::slots);
  static_assert(slots <= max_trigger_slots, "a trigger has at most 32 parts");
  static constexpr bool uses_timers = OwnSlots > 0 || (trigger_node<Part>::uses_timers || ...);
  static constexpr bool can_merge = (trigger_node<Part>::can_merge && ...);
  static constexpr bool can_finish = false;
  static constexpr bool needs_event_time = (trigger_node<Part>::needs_event_time || ...);
  static constexpr bool needs_timestamps = (trigger_node<Part>::needs_timestamps || ...);

  status validate() const {
    status all;
    std::apply([&](const auto&... part) { static_cast<void>(((all = part.validate()) && ...)); },
               parts_);
    return all;
  }

  /// The name of the trigger, with its parts in brackets.
  static std::string shape() {
    std::string all;
    ((all += (all.empty() ? "" : ", ") + trigger_node<Part>::shape()), ...);
    return std::string{Self::kind} + "(" + all + ")";
  }

  /// Calls `use(state&...)` with the states of all parts, and returns what that does.
  template <class Use>
  decltype(auto) with_states(Use&& use) {
    return with_states_of_parts(use);
  }

  void prefix_names(std::string_view prefix) { prefix_names_of_parts(prefix); }

  template <class W>
  void start(const W& window, trigger_context& context) {
    each_part(context, [&](auto& part, auto& own, auto) { part.start(window, own); });
  }

  template <class W>
  void clear(const W& window, trigger_context& context) {
    each_part(context, [&](auto& part, auto& own, auto) { part.clear(window, own); });
  }

  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) {
    each_part(context, [&](auto& part, auto& own, auto) { part.on_merge(merged, own); });
  }

  static constexpr bool finished() { return false; }

 protected:
  explicit composite_trigger(Part... part) : parts_{trigger_node<Part>{std::move(part)}...} {}

  static constexpr std::size_t count = sizeof...(Part);
  template <std::size_t I>
  using index = std::integral_constant<std::size_t, I>;

  template <std::size_t I>
  auto& part() {
    return std::get<I>(parts_);
  }
  template <std::size_t I>
  const auto& part() const {
    return std::get<I>(parts_);
  }

  /// Calls `use(part, its context, index)` for part `I`.
  template <std::size_t I, class Context, class Use>
  decltype(auto) with_part(const Context& context, Use&& use) {
    auto own = context.at(places[I]);
    return use(part<I>(), own, index<I>{});
  }

  /// The same for each part.
  template <class Context, class Use>
  void each_part(const Context& context, Use&& use) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (with_part<I>(context, use), ...);
    }(std::index_sequence_for<Part...>{});
  }

  /// The same for the part `wanted`.
  template <class Context, class Use>
  void one_part(std::size_t wanted, const Context& context, Use&& use) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void(wanted == I && (with_part<I>(context, use), true)), ...);
    }(std::index_sequence_for<Part...>{});
  }

  /// Whether `ask(const part&, index)` is true for one of the parts.
  template <class Ask>
  bool any_part(Ask&& ask) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (ask(std::get<I>(parts_), index<I>{}) || ...);
    }(std::index_sequence_for<Part...>{});
  }

  template <std::size_t From = 0, class Use>
  decltype(auto) with_states_of_parts(Use&& use) {
    if constexpr (From == count)
      return use();
    else
      return part<From>().with_states([&](auto&... first) -> decltype(auto) {
        return this->template with_states_of_parts<From + 1>(
            [&](auto&... rest) -> decltype(auto) { return use(first..., rest...); });
      });
  }

  void prefix_names_of_parts(std::string_view prefix) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (part<I>().prefix_names(std::string{prefix} + std::to_string(I) + "/"), ...);
    }(std::index_sequence_for<Part...>{});
  }

 private:
  static constexpr std::array<unsigned, count> places = [] {
    std::array<unsigned, count> at{};
    unsigned next = OwnSlots;
    std::size_t i = 0;
    ((at[i++] = next, next += trigger_node<Part>::slots), ...);
    return at;
  }();

  std::tuple<trigger_node<Part>...> parts_;
};

}  // namespace weir::windowing
