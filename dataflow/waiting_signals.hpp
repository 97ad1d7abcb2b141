// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <iterator>
#include <utility>

#include "weir/dataflow/control.hpp"

namespace weir::dataflow {

/// Whether a later element of its kind makes `c` superfluous while it waits.
constexpr bool is_signal(const control& c) {
  return c.kind() == control_kind::watermark || c.kind() == control_kind::idle ||
         c.kind() == control_kind::active || c.kind() == control_kind::custom;
}

namespace internal {

/// What becomes of a signal that waits, and of one that comes behind it.
enum class meeting {
  nothing,     ///< Both stay; one further in front may still concern the newer one.
  settled,     ///< Both stay, and none in front concerns the newer one.
  takes_over,  ///< The newer one takes the place of the older one.
  replaces,    ///< The older one goes; the newer one stays behind what came since.
  cancels      ///< Both go.
};

constexpr meeting meet(const control& older, const control& newer) {
  const bool custom = older.kind() == control_kind::custom;
  if (custom || newer.kind() == control_kind::custom) {
    const bool same = older.kind() == newer.kind() && older.number() == newer.number();
    return same ? meeting::replaces : meeting::nothing;
  }
  if (older.kind() == newer.kind()) return meeting::takes_over;
  const bool watermark =
      older.kind() == control_kind::watermark || newer.kind() == control_kind::watermark;
  return watermark ? meeting::settled : meeting::cancels;
}

}  // namespace internal

/// Puts a signal behind what waits, and with it drops what it makes superfluous: so however many
/// come, few wait between one batch, barrier or end and the next. Of two watermarks in a row, and
/// of two equal statuses, the later one counts; idle and active cancel each other out; of a custom
/// watermark the newest value. A custom watermark never comes before an event-time watermark or a
/// status that was in front of it.
///
/// `Element` has `data`, which is null for a control element, and `signal`.
/// @pre `added.data` is null and is_signal(added.signal)
template <class Element>
void push_signal(std::deque<Element>& waiting, Element added) {
  using internal::meeting;
  for (auto older = waiting.rbegin(); older != waiting.rend(); ++older) {
    if (older->data || !is_signal(older->signal)) break;
    const auto outcome = internal::meet(older->signal, added.signal);
    if (outcome == meeting::nothing) continue;
    if (outcome == meeting::settled) break;
    if (outcome == meeting::takes_over) {
      older->signal = added.signal;
      return;
    }
    waiting.erase(std::next(older).base());
    if (outcome == meeting::cancels) return;
    break;
  }
  waiting.push_back(std::move(added));
}

}  // namespace weir::dataflow
