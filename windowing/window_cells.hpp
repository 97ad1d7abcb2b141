// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/state/states.hpp"
#include "weir/state/value_state.hpp"
#include "weir/windowing/trigger_root.hpp"
#include "weir/windowing/window_function.hpp"

namespace weir::windowing {

/// What a row has for one window of one key: the contents, what the trigger remembers with its
/// timers, and the window function's states per window. `Marked` rows have a mark as well, so that
/// there is a row as long as the window is open, even if nothing else is in it. Owned and used by
/// one subtask; `function` must live longer.
template <class Contents, class Trigger, class Function, bool Marked>
class window_cells {
 public:
  using trigger_type = trigger_root<Trigger>;

  window_cells(Contents c, Trigger t, Function& function)
      : contents{std::move(c)}, trigger{std::move(t)}, function_{&function} {
    std::apply([](auto&... state) { (state.prefix_name("window/"), ...); }, window_states());
  }
  window_cells(const window_cells&) = delete;
  window_cells& operator=(const window_cells&) = delete;

  auto uses_states() {
    return std::tuple_cat(contents.uses_states(), trigger.uses_states(), window_states(), marks());
  }

  /// The window has a record.
  void mark() {
    if constexpr (Marked)
      if (mark_.value() == nullptr) mark_.update(true);
  }

  Contents contents;
  trigger_type trigger;

 private:
  auto window_states() {
    if constexpr (has_window_states<Function>)
      return function_->uses_window_states();
    else
      return state::states();
  }
  auto marks() {
    if constexpr (Marked)
      return state::states(mark_);
    else
      return state::states();
  }

  struct no_mark {};

  Function* function_;
  [[no_unique_address]] std::conditional_t<Marked, state::value_state<bool>, no_mark> mark_ =
      make_mark();

  static auto make_mark() {
    if constexpr (Marked)
      return state::value_state<bool>{"open"};
    else
      return no_mark{};
  }
};

/// Errors: invalid_argument for a state per window with a TTL.
template <class Function, class P>
status check_window_states([[maybe_unused]] const P& function) {
  if constexpr (has_window_states<P>) {
    Function copy{function};
    std::string wrong;
    std::apply(
        [&](auto&... state) {
          ((state.options().active_ttl() ? void(wrong = state.name()) : void()), ...);
        },
        copy.uses_window_states());
    if (!wrong.empty())
      return error{errc::invalid_argument,
                   "state \"" + wrong +
                       "\" of a window has a TTL; it goes with the window: leave the TTL out"};
  }
  return {};
}

/// What the windows of `Definition` keep for each key, and for each window of a key.
template <class Cells, class Function, class Definition>
std::vector<state::state_declaration> declared_window_states(const Definition& definition) {
  Function copy{definition.function};
  auto all = state::list_states(copy);
  Cells of_windows{definition.contents, definition.trigger, copy};
  for (auto& state : state::list_states(of_windows)) all.push_back(std::move(state));
  return all;
}

}  // namespace weir::windowing
