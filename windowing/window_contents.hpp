// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "weir/state/aggregating_state.hpp"
#include "weir/state/list_state.hpp"
#include "weir/state/reducing_state.hpp"
#include "weir/state/states.hpp"
#include "weir/windowing/evictors.hpp"

namespace weir::windowing {

// What a window has of the records of a key, for triggers that decide for each key. The classes
// have a keyed state of the engine, `add`, `clear`, and `emit(window, context, use)`, which calls
// `use(result)` unless there is nothing.

/// The records reduced to one.
template <class T, class F>
class reduced_contents {
 public:
  explicit reduced_contents(F function) : so_far_{"contents", std::move(function)} {}

  auto uses_states() { return state::states(so_far_); }
  void add(const T& record, event_time) { so_far_.add(record); }
  void clear() { so_far_.clear(); }

  template <class W, class Use>
  void emit(const W&, const evictor_context&, Use&& use) {
    if (const T* result = so_far_.get()) use(*result);
  }

 private:
  state::reducing_state<T, F> so_far_;
};

/// The records added to an accumulator.
template <class T, class A>
class aggregated_contents {
 public:
  explicit aggregated_contents(A function) : so_far_{"contents", std::move(function)} {}

  auto uses_states() { return state::states(so_far_); }
  void add(const T& record, event_time) { so_far_.add(record); }
  void clear() { so_far_.clear(); }

  template <class W, class Use>
  void emit(const W&, const evictor_context&, Use&& use) {
    if (auto result = so_far_.get()) use(std::as_const(*result));
  }

 private:
  state::aggregating_state<A> so_far_;
};

/// All records, in the order in which they came.
template <class T>
class all_contents {
 public:
  auto uses_states() { return state::states(records_); }
  void add(const T& record, event_time) { records_.add(record); }
  void clear() { records_.clear(); }

  template <class W, class Use>
  void emit(const W&, const evictor_context&, Use&& use) {
    const auto all = records_.get();
    if (!all.empty()) use(std::span<const T>{all.begin(), all.size()});
  }

 private:
  state::list_state<T> records_{"contents"};
};

/// All records with their times, for an evictor to choose from. `Finish` makes the result of what
/// the evictor leaves: `reduce_all`, `aggregate_all` or `give_all`.
template <class T, class Evictor, class Finish>
class evicting_contents {
 public:
  evicting_contents(Evictor evictor, Finish finish)
      : evictor_{std::move(evictor)}, finish_{std::move(finish)} {}

  auto uses_states() { return state::states(records_); }
  void add(const T& record, event_time time) { records_.add({record, time}); }
  void clear() { records_.clear(); }

  /// What the evictor removes is gone, for later firings too.
  template <class W, class Use>
  void emit(const W& window, const evictor_context& context, Use&& use) {
    std::vector<timed_element<T>> elements;
    {
      const auto all = records_.get();
      if (all.empty()) return;
      elements.assign(all.begin(), all.end());
    }
    const auto before = elements.size();
    evictor_.evict_before(elements, window, context);
    if (!elements.empty()) finish_(elements, use);
    evictor_.evict_after(elements, window, context);
    if (elements.size() != before) records_.update(std::move(elements));
  }

 private:
  state::list_state<timed_element<T>> records_{"contents"};
  [[no_unique_address]] Evictor evictor_;
  [[no_unique_address]] Finish finish_;
};

/// Reduces the elements, of which there is one at least.
template <class T, class F>
struct reduce_all {
  F function;

  template <class Use>
  void operator()(const std::vector<timed_element<T>>& elements, Use&& use) {
    std::optional<T> so_far{elements.front().value};
    for (std::size_t i = 1; i < elements.size(); ++i)
      so_far = std::invoke(function, std::as_const(*so_far), elements[i].value);
    use(std::as_const(*so_far));
  }
};

/// Adds the elements to an accumulator.
template <class T, class A>
struct aggregate_all {
  A function;

  template <class Use>
  void operator()(const std::vector<timed_element<T>>& elements, Use&& use) {
    typename A::accumulator so_far{};
    for (const auto& element : elements) function.add(element.value, so_far);
    const auto result = function.get_result(std::as_const(so_far));
    use(result);
  }
};

/// Hands out the elements without their times.
template <class T>
struct give_all {
  template <class Use>
  void operator()(std::vector<timed_element<T>>& elements, Use&& use) {
    // They lie side by side only in a buffer of their own; they come back for `evict_after`.
    std::vector<T> values;
    values.reserve(elements.size());
    for (auto& element : elements) values.push_back(std::move(element.value));
    use(std::span<const T>{std::as_const(values)});
    for (std::size_t i = 0; i < values.size(); ++i) elements[i].value = std::move(values[i]);
  }
};

}  // namespace weir::windowing
