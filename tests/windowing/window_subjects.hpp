// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "weir/testing/operator_harness.hpp"

#include "windowing/drawn_trigger.hpp"
#include "windowing/window_samples.hpp"

namespace weir::testing {

/// What is done with the records of a window.
enum class contents_kind { reduce, aggregate, process };

/// A window operator as a program draws it.
struct window_subject {
  model::window_rules rules;
  contents_kind contents = contents_kind::process;
  std::optional<drawn_trigger> trigger;  ///< none: the one that the windows have by themselves
};

/// The operator of a job with such windows, whose late records go to `late_samples` if they are
/// wanted.
operator_harness::factory make_event_windows(const window_subject& subject);
operator_harness::factory make_clock_windows(const window_subject& subject);
operator_harness::factory make_event_sessions(const window_subject& subject);
operator_harness::factory make_clock_sessions(const window_subject& subject);
operator_harness::factory make_global_windows(const window_subject& subject);
/// Of windows with their own trigger that weir has special operators for. What they emit for
/// several records may be in another order.
operator_harness::factory make_plain_windows(const window_subject& subject);

/// The windows of the last `rules.windows.size` records of a key: one for each `slide` records, if
/// that is not 0, or else the records once each.
operator_harness::factory make_count_windows(const window_subject& subject);

}  // namespace weir::testing
