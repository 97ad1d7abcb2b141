// SPDX-License-Identifier: Apache-2.0
#include "windowing/some_trigger.hpp"

namespace weir::testing {

template <unsigned Group>
template <class Use>
void some_trigger<Group>::use(Use&& use) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (void(which_ == I && (use(std::get<I>(all_)), true)), ...);
  }(std::make_index_sequence<kinds>{});
}

template <unsigned Group>
void some_trigger<Group>::prefix_names(std::string_view prefix) {
  int i = 0;
  std::apply(
      [&](auto&... one) {
        (one.prefix_names(std::string{prefix} + std::to_string(i++) + "/"), ...);
      },
      all_);
}

template <unsigned Group>
windowing::trigger_outcome some_trigger<Group>::on(const windowing::added_element<int>& added,
                                                   const time_window& window,
                                                   trigger_context& context) {
  windowing::trigger_outcome out;
  use([&](auto& one) { out = one.on(added, window, context); });
  return out;
}

template <unsigned Group>
windowing::trigger_outcome some_trigger<Group>::on(const windowing::due_timers& due,
                                                   const time_window& window,
                                                   trigger_context& context) {
  windowing::trigger_outcome out;
  use([&](auto& one) { out = one.on(due, window, context); });
  return out;
}

template <unsigned Group>
void some_trigger<Group>::start(const time_window& window, trigger_context& context) {
  use([&](auto& one) { one.start(window, context); });
}

template <unsigned Group>
void some_trigger<Group>::clear(const time_window& window, trigger_context& context) {
  use([&](auto& one) { one.clear(window, context); });
}

template <unsigned Group>
void some_trigger<Group>::on_merge(const time_window& window, trigger_merge_context& context) {
  use([&](auto& one) { one.on_merge(window, context); });
}

template <>
model::trigger some_trigger<0>::modelled(unsigned which, int n) {
  switch (which) {
    case 0: return model::count(n);
    case 1: return model::after_clock(n);
    case 2: return model::event_end();
    case 3: return model::if_divides(n);
    case 4: return model::cleanup();
    case 5: return model::clock_end();
    case 6: return model::never();
    case 7: return model::purger();
    default: return model::alarm_for_each();
  }
}

template <>
model::trigger some_trigger<1>::modelled(unsigned which, int n) {
  switch (which) {
    case 0: return model::sum_reaches(3 * n);
    case 1: return model::every_event(n);
    default: return model::every_clock(n);
  }
}

template <unsigned Group>
std::string some_trigger<Group>::name(unsigned which, int n) {
  static constexpr const char* names[2][9] = {
      {"c", "pt", "event_end", "divides", "cleanup", "clock_end", "never", "purger", "alarms"},
      {"sum", "every_w", "every_p"}};
  return names[Group][which] + std::to_string(n);
}

template class some_trigger<0>;
template class some_trigger<1>;

}  // namespace weir::testing
