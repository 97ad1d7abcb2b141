// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "weir/state/cell.hpp"
#include "weir/windowing/trigger_context.hpp"

namespace weir::windowing {

/// A state of which one can be made out of two: a list, reducing or aggregating state.
template <class S>
concept mergeable_state =
    requires(S& state, typename S::cell_type& into, typename S::cell_type& from) {
      S::merge_cell(into, std::move(from), state);
    };

/// What a trigger gets when windows of a key have been merged into one. The states and timers that
/// it sees are those of the merged window, which has none yet. Those of the windows that are
/// absorbed can be taken over; what is left of them afterwards is deleted.
class trigger_merge_context : public trigger_context {
 public:
  /// Gives the merged window what the absorbed ones have of `state`, merged.
  template <class S>
  void merge(S& state) {
    static_assert(mergeable_state<S>,
                  "trigger_merge_context::merge(state): only list, reducing and aggregating states "
                  "can be merged");
    using cell = state::cell<typename S::cell_type>;
    std::byte* const into = state.attached_row();
    for (std::byte* const from : absorbed_) {
      if (!state::is_present(from, state.row_cell())) continue;
      auto&& value = std::move(cell::value(from + state.row_offset()));
      if (state::is_present(into, state.row_cell())) {
        S::merge_cell(cell::value(into + state.row_offset()), std::move(value), state);
      } else {
        cell::construct(into + state.row_offset(), std::move(value));
        state::set_present(into, state.row_cell());
      }
    }
  }

  /// The next call of `on_event_time` that was asked for in an absorbed window.
  std::optional<event_time> absorbed_event_timer() const {
    const auto t = absorbed_timer(timer_domain::event);
    return t ? std::optional{event_time{*t}} : std::nullopt;
  }

  /// The next call of `on_processing_time` that was asked for in an absorbed window.
  std::optional<clock_time> absorbed_processing_timer() const {
    const auto t = absorbed_timer(timer_domain::processing);
    return t ? std::optional{clock_time{*t}} : std::nullopt;
  }

  // -- for the engine and for combinators --------------------------------------------------------

  /// `absorbed` are the rows of the windows that are merged. The states of the trigger are attached
  /// to the row of the new window, which is none of them and has the same layout.
  trigger_merge_context(trigger_scope& scope, trigger_timers* timers,
                        std::span<std::byte* const> absorbed)
      : trigger_context{scope, timers}, absorbed_{absorbed} {}

  trigger_merge_context at(unsigned slots) const {
    auto part = *this;
    static_cast<trigger_context&>(part) = trigger_context::at(slots);
    return part;
  }

 private:
  std::optional<std::int64_t> absorbed_timer(timer_domain domain) const {
    std::optional<std::int64_t> first;
    for (const std::byte* const row : absorbed_) {
      const auto* list = timers() == nullptr ? nullptr : timers()->in_row(row);
      const auto* t = list == nullptr ? nullptr : list->earliest(domain, slot());
      if (t != nullptr && (!first || t->time < *first)) first = t->time;
    }
    return first;
  }

  std::span<std::byte* const> absorbed_;
};

}  // namespace weir::windowing

namespace weir {
using windowing::trigger_merge_context;
}
