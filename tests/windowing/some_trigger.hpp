// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "weir/windowing/combinators.hpp"
#include "weir/windowing/triggers.hpp"

#include "windowing/trigger_model.hpp"

namespace weir::testing {

struct divides {
  int by;
  bool operator()(int value) const { return value % by == 0; }
};

struct itself {
  int operator()(int value) const { return value; }
};

/// `model::purger`.
struct purger : trigger_defaults {
  static constexpr bool can_merge = true;
  template <class W>
  trigger_result on_element(int value, event_time, const W&, trigger_context&) {
    return value % 3 == 0   ? trigger_result::purge
           : value % 3 == 1 ? trigger_result::fire_and_purge
                            : trigger_result::continue_;
  }
  template <class W>
  void on_merge(const W&, trigger_merge_context&) {}
};

/// `model::alarm_for_each`.
struct alarm_for_each : trigger_defaults {
  static constexpr bool can_merge = true;
  template <class W>
  trigger_result on_element(int, event_time time, const W&, trigger_context& context) {
    context.register_timer(time + duration{2});
    context.register_timer(context.now() + duration{3});
    return trigger_result::continue_;
  }
  template <class W>
  trigger_result on_event_time(event_time, const W&, trigger_context&) {
    return trigger_result::fire;
  }
  template <class W>
  trigger_result on_processing_time(clock_time, const W&, trigger_context&) {
    return trigger_result::fire;
  }
  template <class W>
  void on_merge(const W&, trigger_merge_context& context) {
    if (const auto t = context.absorbed_event_timer()) context.register_timer(*t);
    if (const auto t = context.absorbed_processing_timer()) context.register_timer(*t);
  }
};

/// The triggers without parts, in two groups: most, and those with more states than one.
template <unsigned Group>
auto all_leaves(int n) {
  using windowing::trigger_node;
  const auto node = []<class T>(T trigger) { return trigger_node<T>{std::move(trigger)}; };
  if constexpr (Group == 0)
    return std::tuple{node(after_count(n)),
                      node(after_processing_time(duration{n})),
                      node(event_time_trigger{}),
                      node(when(divides{n})),
                      node(at_cleanup()),
                      node(windowing::processing_time_trigger{}),
                      node(windowing::nothing_early{}),
                      node(purger{}),
                      node(alarm_for_each{})};
  else
    return std::tuple{node(when_accumulated(itself{}, 3 * n)),
                      node(continuous_event_time(duration{n})),
                      node(continuous_processing_time(duration{n}))};
}

/// Any of the triggers of a group, drawn when the program runs: so that one combination of types is
/// many programs.
template <unsigned Group>
class some_trigger {
  using leaves = decltype(all_leaves<Group>(1));

 public:
  static constexpr bool is_composite = true;
  static constexpr unsigned slots = 1;
  static constexpr bool uses_timers = true;
  static constexpr bool can_merge = true;
  static constexpr bool can_finish = false;
  static constexpr bool needs_event_time = false;
  static constexpr bool needs_timestamps = true;
  static constexpr unsigned kinds = std::tuple_size_v<leaves>;

  some_trigger(unsigned which, int n) : which_{which}, all_{all_leaves<Group>(n)} {}

  static std::string shape() { return "some"; }

  template <class Use>
  decltype(auto) with_states(Use&& use) {
    const auto state = [](auto& leaf) -> auto& {
      return leaf.with_states([](auto& one) -> auto& { return one; });
    };
    if constexpr (Group == 0)
      return use(state(std::get<0>(all_)));
    else
      return use(state(std::get<0>(all_)), state(std::get<1>(all_)), state(std::get<2>(all_)));
  }

  void prefix_names(std::string_view prefix);
  windowing::trigger_outcome on(const windowing::added_element<int>& added,
                                const time_window& window, trigger_context& context);
  windowing::trigger_outcome on(const windowing::due_timers& due, const time_window& window,
                                trigger_context& context);
  void start(const time_window& window, trigger_context& context);
  void clear(const time_window& window, trigger_context& context);
  void on_merge(const time_window& window, trigger_merge_context& context);
  static bool finished() { return false; }

  /// The same for the model, and how it is written.
  static model::trigger modelled(unsigned which, int n);
  static std::string name(unsigned which, int n);

 private:
  template <class Use>
  void use(Use&& use);

  unsigned which_;
  leaves all_;
};

template <>
model::trigger some_trigger<0>::modelled(unsigned which, int n);
template <>
model::trigger some_trigger<1>::modelled(unsigned which, int n);
extern template class some_trigger<0>;
extern template class some_trigger<1>;

}  // namespace weir::testing
