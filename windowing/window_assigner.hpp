// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

#include "weir/core/hash.hpp"
#include "weir/core/log.hpp"
#include "weir/core/random.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/dataflow/operator_environment.hpp"
#include "weir/dataflow/timer.hpp"

namespace weir::windowing {

struct assigners_trigger;
struct no_evictor;
template <class K, class T, class Select, class Assigner, class Trigger, class Evictor>
class windowed_stream;

class event_time_trigger;
class processing_time_trigger;

using dataflow::timer_domain;

/// The trigger of windows of time, unless another is asked for.
template <timer_domain Domain>
using time_trigger =
    std::conditional_t<Domain == timer_domain::event, event_time_trigger, processing_time_trigger>;

/// The time that windows of `Domain` go by: that of the record, or that of the clock.
template <timer_domain Domain>
constexpr event_time time_in(event_time time, clock_time now) {
  return Domain == timer_domain::event ? time : event_time{now.ms};
}

/// What says to which windows a record belongs, the base of all assigners; your own derives from it
/// as well. An assigner is a value: its fields are configuration. Each subtask has its own copy.
/// `Self` has
///
///     using window_type = time_window;               // or global_window
///     static constexpr const char* kind = "…";       // what an operator with it is called
///     static constexpr bool merging = false;         // whether windows that touch become one
///     static constexpr bool is_event_time = true;    // false: by the clock, or by no time
///     status validate() const;                       // its failure is an error of the graph
///     template <class T, class Assign>
///     void assign(const T& record, event_time time, clock_time now, Assign&& assign);
///     auto default_trigger() const;
///
/// `assign` calls assign(window) for each window of a record that has come with `time` while the
/// clock stood at `now`. It may return a `status` instead: a failure is one of that record. An
/// assigner by event time is never called for a record without a time.
template <class Self>
class window_assigner {
 public:
  /// True until `start` has been called, for an assigner that needs it.
  static constexpr bool needs_start() { return false; }
  /// The first record of the subtask comes, while the clock stands at `now`.
  static constexpr void start(clock_time, random_generator&) {}

  /// What somebody should be told, once, when a job with such windows starts; empty: nothing.
  static std::string warning() { return {}; }

  /// What `keyed_stream::window` calls.
  template <class K, class T, class Select>
  auto apply(const dataflow::keyed_stream<K, T, Select>& records, dataflow::call_site where) const {
    const auto& self = static_cast<const Self&>(*this);
    if (auto fits = self.validate(); !fits)
      records.records().origin().job->report(where, fits.error_text());
    return windowed_stream<K, T, Select, Self, assigners_trigger, no_evictor>{records, self};
  }
};

/// Starts the assigner of a subtask; to be called for its first record. Subtasks differ in what
/// they get to draw from.
template <class Assigner>
void start_assigner(Assigner& assigner, const dataflow::operator_environment& environment) {
  const clock_time now = environment.time->now();
  random_generator random{combine_hash(combine_hash(stable_hash(environment.uid), stable_hash(now)),
                                       stable_hash(environment.subtask))};
  assigner.start(now, random);
}

/// Logs what somebody should be told about the assigner: once for all subtasks.
template <class Assigner>
void warn_once(const Assigner& assigner, const dataflow::operator_environment& environment) {
  if (environment.subtask.value != 0 || environment.log == nullptr) return;
  if (const auto warning = assigner.warning(); !warning.empty())
    environment.log->write(
        {log_level::warning, "windows", "operator \"" + environment.name + "\": " + warning});
}

}  // namespace weir::windowing

namespace weir {
using windowing::window_assigner;
}
