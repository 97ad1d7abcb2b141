// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "weir/windowing/event_time_trigger.hpp"
#include "weir/windowing/sliding_window_operator.hpp"
#include "weir/windowing/window_operator.hpp"

namespace weir::windowing {

namespace internal {

template <class Stream, class Assigner, class Contents, class Emit>
struct choose_fast_operator {
  using type = window_operator<Stream, Assigner, Contents, Emit, event_time_trigger>;
};

template <class Stream, class Contents, class Emit>
struct choose_fast_operator<Stream, sliding_windows<timer_domain::event>, Contents, Emit> {
  using type = sliding_window_operator<Stream, Contents, Emit>;
};

}  // namespace internal

/// Whether `reduce` and `aggregate` of such windows, with the default trigger and without an
/// evictor, are done a window at a time, for all its keys at once.
template <class Assigner>
inline constexpr bool has_fast_operator =
    std::is_same_v<Assigner, sliding_windows<timer_domain::event>> ||
    requires(Assigner& a, event_time t) { a.window_of(t); };

/// The operator that does it. Its `definition` is a `window_definition`.
/// @pre has_fast_operator<Assigner>
template <class Stream, class Assigner, class Contents, class Emit>
using fast_window_operator =
    typename internal::choose_fast_operator<Stream, Assigner, Contents, Emit>::type;

}  // namespace weir::windowing
