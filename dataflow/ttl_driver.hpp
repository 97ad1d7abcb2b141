// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weir/core/clock.hpp"
#include "weir/core/log.hpp"
#include "weir/dataflow/operator_environment.hpp"

namespace weir::dataflow {

/// Tells an operator's rows (a `state::keyed_rows`) the time and has them clean up what has
/// expired. For rows without TTL it does nothing, in no time. Owned by the operator.
template <class Rows>
class ttl_driver {
  static constexpr bool timed = Rows::is_timed;

 public:
  /// `rows` and the environment's clock must outlive this.
  void open(Rows& rows, const operator_environment& environment) {
    rows_ = &rows;
    clock_ = environment.time;
    if constexpr (timed) rows.start_background(clock_->now());
  }

  /// Before a batch, a timer, a visit, a snapshot and a restore.
  void set_time(event_time watermark) {
    if constexpr (timed) rows_->set_time(clock_->now(), watermark);
  }

  /// Behind a batch of `records`, or a timer.
  void clean_up_behind(std::size_t records) {
    if constexpr (timed) clean_up_rows_behind(records);
  }

  // The clean-up in the background: alarms of the operator, and work for its steps.
  clock_time next_alarm() const {
    if constexpr (timed) return rows_->next_alarm();
    return clock_time::max();
  }
  void on_alarm(clock_time now) {
    if constexpr (timed) rows_->on_alarm(now);
  }
  bool has_work() const {
    if constexpr (timed) return rows_->has_background_work();
    return false;
  }
  void work(event_time watermark) {
    set_time(watermark);
    if constexpr (timed) rows_->clean_up_in_background();
  }

  /// Logs what the rows have to say about their restore: once for all subtasks.
  void log_restore(const operator_environment& environment) const {
    if (environment.subtask.value != 0) return;
    for (const std::string& warning : rows_->restore_warnings())
      environment.log->write(
          {log_level::warning, "state", "operator \"" + environment.name + "\": " + warning});
  }

 private:
  // Apart, so that it is not inlined into the loop over the records.
  [[gnu::noinline]] void clean_up_rows_behind(std::size_t records) {
    rows_->clean_up_behind(records);
  }

  Rows* rows_ = nullptr;
  const clock* clock_ = nullptr;
};

}  // namespace weir::dataflow
