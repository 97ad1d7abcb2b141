// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::windowing {

// What assigners say about their configuration. All errors are invalid_argument.

/// A record may belong to so many sliding windows.
inline constexpr std::int64_t max_windows_per_record = 10'000'000;

/// Errors: unless size > 0 and |offset| < size.
status check_tumbling(duration size, duration offset);

/// Errors: unless size > 0, slide > 0, |offset| < slide, and a record is in at most
/// `max_windows_per_record` windows.
status check_sliding(duration size, duration slide, duration offset);

/// What to tell the user of windows that leave times out; empty if these do not.
std::string sliding_warning(duration size, duration slide);

/// Errors: unless gap > 0.
status check_session_gap(duration gap);

/// The same for the gap that a function has given for one record.
status check_gap_of_record(duration gap);

}  // namespace weir::windowing
