// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "weir/state/reducing_state.hpp"
#include "weir/windowing/composite_trigger.hpp"
#include "weir/windowing/trigger_marks.hpp"

namespace weir::windowing {

/// Fires when each of its parts has fired since it did itself. A value; made by `all_of`.
template <class... Part>
class all_of_trigger : public composite_trigger<all_of_trigger<Part...>, 0, Part...> {
  using base = composite_trigger<all_of_trigger, 0, Part...>;
  static_assert(sizeof...(Part) > 0, "all_of(...): it needs a trigger");

 public:
  static constexpr const char* kind = "all_of";
  static constexpr bool can_finish = (trigger_node<Part>::can_finish || ...);

  explicit all_of_trigger(Part... part) : base{std::move(part)...} {}

  template <class Use>
  decltype(auto) with_states(Use&& use) {
    return this->with_states_of_parts(
        [&](auto&... state) -> decltype(auto) { return use(marks_, state...); });
  }

  void prefix_names(std::string_view prefix) {
    marks_.prefix_name(prefix);
    this->prefix_names_of_parts(prefix);
  }

  template <class Event, class W>
  trigger_outcome on(const Event& event, const W& window, trigger_context& context) {
    if (finished()) return {};
    bool purge = false;
    this->each_part(context, [&](auto& part, auto& own, auto i) {
      const trigger_outcome outcome = part.on(event, window, own);
      if (fires(outcome))
        marks_.add(mark_of(i, outcome));
      else if (purges(outcome))
        purge = true;
    });
    const trigger_marks* const marks = marks_.get();
    if (marks == nullptr || marks->fired != all_parts) return {make_result(false, purge), false};
    const trigger_outcome all{make_result(true, purge || marks->purge != 0), marks->at_end != 0};
    marks_.clear();
    if (finished()) clear_unfinished(window, context);
    return all;
  }

  template <class W>
  void clear(const W& window, trigger_context& context) {
    marks_.clear();
    base::clear(window, context);
  }

  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) {
    context.merge(marks_);
    if (!context.scope().ended(merged) && marks_.get() != nullptr) {
      trigger_marks left = *marks_.get();
      left.drop_at_end();
      marks_.clear();
      if (left.fired != 0) marks_.add(left);
    }
    base::on_merge(merged, context);
    if (finished()) clear_unfinished(merged, context);
  }

  /// When a part that has no mark will not get one any more.
  bool finished() const {
    if constexpr (can_finish) {
      const trigger_marks* const marks = marks_.get();
      return this->any_part([&](const auto& part, auto i) {
        return (marks == nullptr || !marks->has(i)) && part.finished();
      });
    }
    return false;
  }

 private:
  static constexpr std::uint32_t all_parts =
      static_cast<std::uint32_t>((std::uint64_t{1} << sizeof...(Part)) - 1);

  template <class W>
  void clear_unfinished(const W& window, trigger_context& context) {
    this->each_part(context, [&](auto& part, auto& own, auto) {
      if (!part.finished()) part.clear(window, own);
    });
  }

  state::reducing_state<trigger_marks, join_marks> marks_{"marks"};
};

/// Fires when each of `parts` has fired since it fired itself. Its own fire does not start them
/// anew: for that there is `repeatedly`.
template <class... Part>
all_of_trigger<Part...> all_of(Part... parts) {
  return all_of_trigger<Part...>{std::move(parts)...};
}

}  // namespace weir::windowing

namespace weir {
using windowing::all_of;
}
