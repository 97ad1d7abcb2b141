// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/state/value_state.hpp"
#include "weir/windowing/combinators.hpp"
#include "weir/windowing/global_window.hpp"

#include "windowing/trigger_model.hpp"

namespace weir::testing {

/// Room in the row of a window for the states of any trigger that is drawn.
class trigger_cells {
  template <class T, std::size_t N>
  using some = std::array<state::value_state<T>, N>;

 public:
  /// Calls `use(state&...)` with all of them.
  template <class Use>
  decltype(auto) with_all(Use&& use) {
    return std::apply(
        [&](auto&... kind) {
          return std::apply(
              [&](auto*... one) -> decltype(auto) { return use(*one...); },
              std::tuple_cat(pointers(
                  kind, std::make_index_sequence<
                            std::tuple_size_v<std::remove_reference_t<decltype(kind)>>>{})...));
        },
        all_);
  }

  /// Makes `states`, in each call for a row the same ones, views of cells of that row.
  template <class... State>
  void lend(State&... states) {
    std::array<std::size_t, 6> used{};
    (lend_one(states, used), ...);
  }

 private:
  template <class Array, std::size_t... I>
  static auto pointers(Array& of, std::index_sequence<I...>) {
    return std::tuple{&of[I]...};
  }

  template <class State>
  void lend_one(State& state, std::array<std::size_t, 6>& used) {
    using wanted = typename State::cell_type;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto from = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        auto& kind = std::get<K>(all_);
        using offered = typename std::remove_reference_t<decltype(kind)>::value_type::cell_type;
        if constexpr (std::is_same_v<offered, wanted>) {
          auto& lent = kind.at(used[K]++);
          state.bind(lent.row_cell());
          state.attach(lent.attached_row(), lent.row_offset(), lent.row_cell());
        }
      };
      (from(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<6>{});
  }

  template <class T, std::size_t N, std::size_t... I>
  static some<T, N> named(const std::string& name, std::index_sequence<I...>) {
    return {state::value_state<T>{name + std::to_string(I)}...};
  }
  template <class T, std::size_t N>
  static some<T, N> named(const std::string& name) {
    return named<T, N>(name, std::make_index_sequence<N>{});
  }

  std::tuple<some<std::int64_t, 4>, some<event_time, 4>, some<clock_time, 5>, some<bool, 4>,
             some<std::uint8_t, 3>, some<windowing::trigger_marks, 3>>
      all_{named<std::int64_t, 4>("sum"),    named<event_time, 4>("time"),
           named<clock_time, 5>("clock"),    named<bool, 4>("flag"),
           named<std::uint8_t, 3>("active"), named<windowing::trigger_marks, 3>("marks")};
};

/// A trigger whose type is known when the program runs only.
class trigger_shape {
 public:
  using window = windowing::time_window;
  using outcome = windowing::trigger_outcome;

  virtual ~trigger_shape() = default;
  virtual std::unique_ptr<trigger_shape> copy() const = 0;
  virtual void attach(trigger_cells& cells) = 0;
  virtual outcome on(const windowing::added_element<int>& added, const window& w,
                     trigger_context& context) = 0;
  virtual outcome on(const windowing::due_timers& due, const window& w,
                     trigger_context& context) = 0;
  virtual void start(const window& w, trigger_context& context) = 0;
  virtual void clear(const window& w, trigger_context& context) = 0;
  virtual void on_merge(const window& w, trigger_merge_context& context) = 0;
};

/// Any trigger, as one type: so that one operator does for all of them. What it remembers lies in
/// the row of the window, as for others. For records with an `int value`, and all windows.
class drawn_trigger {
 public:
  static constexpr bool is_composite = true;
  static constexpr unsigned slots = 32;
  static constexpr bool uses_timers = true;
  static constexpr bool can_merge = true;
  static constexpr bool can_finish = false;
  static constexpr bool needs_event_time = false;
  static constexpr bool needs_timestamps = true;

  explicit drawn_trigger(std::unique_ptr<trigger_shape> shape) : shape_{std::move(shape)} {}
  drawn_trigger(const drawn_trigger& other) : shape_{other.shape_->copy()} {}
  drawn_trigger& operator=(const drawn_trigger& other) {
    shape_ = other.shape_->copy();
    return *this;
  }

  static std::string shape() { return "drawn"; }
  static status validate() { return {}; }
  static bool finished() { return false; }

  template <class Use>
  decltype(auto) with_states(Use&& use) {
    return cells_.with_all(use);
  }
  void prefix_names(std::string_view prefix) {
    with_states([&](auto&... state) { (state.prefix_name(prefix), ...); });
  }

  template <class T, class W>
  windowing::trigger_outcome on(const windowing::added_element<T>& added, const W& window,
                                trigger_context& context) {
    return attached().on(windowing::added_element<int>{added.value.value, added.time},
                         span_of(window), context);
  }
  template <class W>
  windowing::trigger_outcome on(const windowing::due_timers& due, const W& window,
                                trigger_context& context) {
    return attached().on(due, span_of(window), context);
  }
  template <class W>
  void start(const W& window, trigger_context& context) {
    attached().start(span_of(window), context);
  }
  template <class W>
  void clear(const W& window, trigger_context& context) {
    attached().clear(span_of(window), context);
  }
  template <class W>
  void on_merge(const W& window, trigger_merge_context& context) {
    attached().on_merge(span_of(window), context);
  }

 private:
  using time_window = windowing::time_window;

  static const time_window& span_of(const time_window& window) { return window; }
  /// As for the model.
  static time_window span_of(const windowing::global_window&) {
    return {event_time::min(), event_time::max()};
  }

  trigger_shape& attached() {
    shape_->attach(cells_);
    return *shape_;
  }

  trigger_cells cells_;
  std::unique_ptr<trigger_shape> shape_;
};

/// A trigger, the same for the model, and how it is written.
struct trigger_pair {
  drawn_trigger real;
  model::trigger modelled;
  std::string text;
};

/// What is outermost in a trigger.
enum class trigger_kind {
  leaf,
  any_of,
  all_of,
  after_each,
  repeatedly,
  or_finally,
  once,
  purging,
  timeout,
  at_watermark
};
inline constexpr std::size_t trigger_kinds = 10;

}  // namespace weir::testing
