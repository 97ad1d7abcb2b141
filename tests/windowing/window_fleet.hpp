// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/testing/operator_harness.hpp"

#include "windowing/window_samples.hpp"

namespace weir::testing {

/// How the subtasks of a `window_fleet` run.
struct fleet_options {
  operator_harness::factory make;
  bool late_output = false;
  /// Operators pause after each record, as full outputs make them, and others hold their input,
  /// too.
  bool small_batches = false;
};

/// The subtasks of a window operator, each with its timer service, under one clock that is moved by
/// hand. What is put in is processed before the call returns. It can be stopped at any time, to go
/// on from a snapshot with another number of subtasks.
class window_fleet {
 public:
  window_fleet(fleet_options options, std::uint32_t parallelism);
  ~window_fleet();

  void push(const std::vector<model::element>& elements);
  void watermark(std::int64_t to);
  /// Moves the clock, from alarm to alarm.
  void clock(std::int64_t to);

  void begin_snapshot();
  void finish_snapshot();
  void abort_snapshot();
  /// Goes on from the snapshot that was finished last.
  void restore(std::uint32_t parallelism);

  /// The subtask of a key.
  std::size_t subtask_of(std::int64_t key) const;
  std::size_t parallelism() const { return subtasks_.size(); }
  /// What that subtask has emitted since the last call: results, or late elements.
  std::vector<model::emission> take(std::size_t subtask, bool late);

  /// What the subtasks go on from; none if they do not agree.
  std::optional<std::int64_t> restored_watermark() const;
  int dropped() const;
  std::size_t timers() const;
  /// Why it has stopped; empty: it has not.
  std::string failure() const;

 private:
  struct subtask;

  void start(std::uint32_t parallelism, bool restored);

  fleet_options options_;
  manual_clock clock_;
  std::vector<state::snapshot_chunk> snapshot_;
  int dropped_at_cut_ = 0;
  int dropped_in_snapshot_ = 0;
  int dropped_before_ = 0;
  std::vector<std::unique_ptr<subtask>> subtasks_;
};

}  // namespace weir::testing
