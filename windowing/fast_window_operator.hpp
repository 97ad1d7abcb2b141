// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "weir/windowing/sliding_window_operator.hpp"
#include "weir/windowing/window_operator.hpp"

namespace weir::windowing {

template <timer_domain Domain>
class sliding_windows;

/// Whether `reduce` and `aggregate` of such windows, with the default trigger and without an
/// evictor, are done a window at a time, for all its keys at once.
template <class Assigner>
inline constexpr bool has_fast_operator =
    std::is_same_v<Assigner, sliding_windows<timer_domain::event>> ||
    requires(Assigner& a, event_time t) { a.window_of(t); };

/// The operator that does it, for a `window_definition`.
/// @pre has_fast_operator of its assigner
template <class Definition>
using fast_window_operator = std::conditional_t<
    std::is_same_v<typename Definition::assigner_type, sliding_windows<timer_domain::event>>,
    sliding_window_operator<Definition>, window_operator<Definition>>;

}  // namespace weir::windowing
