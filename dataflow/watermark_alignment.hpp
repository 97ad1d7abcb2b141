// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::dataflow {

/// Sources that wait for one another in event time.
struct alignment_options {
  std::string group;         ///< within the job; sources of one group wait for one another
  duration max_drift{0};     ///< how far a source may be ahead of the slowest of its group
  duration interval{1'000};  ///< on the processing clock: how often each subtask reports

  status validate() const;
};

/// A subtask of a source, among those of its group.
struct aligned_subtask {
  std::uint32_t task = 0;
  std::uint32_t place = 0;  ///< of the source in its chain
  std::uint32_t subtask = 0;

  friend auto operator<=>(const aligned_subtask&, const aligned_subtask&) = default;
};

/// How far a subtask may read.
struct allowance {
  aligned_subtask to;
  event_time allowed;

  friend bool operator==(const allowance&, const allowance&) = default;
};

/// How far the sources of each group may read: to the smallest watermark that its subtasks have
/// reported, and the drift beyond, once each has reported. A subtask that is idle or has ended
/// reports `event_time::max()`. Owned by the job's coordinator.
///
/// Source: the rules of Apache Flink's SourceCoordinator, which does not wait for the first
/// reports.
class alignment_groups {
 public:
  /// A further subtask; before its first report.
  void add(aligned_subtask member, const std::string& group, duration max_drift);

  /// What is to be told: nothing before each of the group has reported; to all of them when now,
  /// for the first time, each has reported, or each has a watermark; else to the subtask that
  /// reports. @pre it was added
  std::vector<allowance> on_report(aligned_subtask from, event_time watermark);

 private:
  struct member {
    duration max_drift;
    std::optional<event_time> reported;
  };
  using group = std::map<aligned_subtask, member>;

  static bool complete(const group& members);
  static event_time slowest_of(const group& members);

  std::map<std::string, group> groups_;
  std::map<aligned_subtask, std::string> group_of_;
};

/// A subtask's side: when it reports which watermark, and how far it may read. Owned and used by
/// the subtask.
///
/// It reports when it gets its first split, as soon as it has its first watermark, once per
/// interval from then on, and when it has ended. Before the first answer it reads no further than
/// its first watermark.
class aligned_reader {
 public:
  explicit aligned_reader(alignment_options options) : options_{std::move(options)} {}

  const alignment_options& options() const { return options_; }

  /// The watermark of the source's splits together is now `watermark`; all are idle.
  void on_progress(event_time watermark, bool idle);
  void on_allowed(event_time allowed) { allowed_ = allowed; }
  void on_end() { ended_ = true; }

  /// Whether a split at `watermark` has to wait.
  bool ahead(event_time watermark) const { return watermark > allowed_.value_or(first_); }

  /// The watermark to report now, if a report is due.
  std::optional<event_time> take_report(clock_time now);
  /// When a report is due next; `max()`: when something changes.
  clock_time next_report() const;

  /// How far the subtask is ahead of the slowest, as it knows.
  std::int64_t drift() const;

 private:
  bool at_once() const;

  alignment_options options_;
  event_time watermark_ = event_time::min();
  event_time first_ = event_time::max();  ///< watermark, but for none
  std::optional<event_time> allowed_;
  clock_time next_ = clock_time::min();
  bool begun_ = false;     ///< has had a split
  bool moved_ = false;     ///< has reported a watermark
  bool reported_ = false;  ///< anything
  bool idle_ = false;
  bool ended_ = false;
  bool end_reported_ = false;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::alignment_options;
}
