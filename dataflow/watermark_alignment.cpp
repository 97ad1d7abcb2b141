// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_alignment.hpp"

#include <algorithm>

namespace weir::dataflow {

status alignment_options::validate() const {
  if (group.empty()) {
    return error{errc::invalid_argument,
                 "a group of aligned sources needs a name: give with_alignment one"};
  }
  if (max_drift < duration::zero()) {
    return error{errc::invalid_argument,
                 "the drift of the aligned sources \"" + group + "\" must not be negative"};
  }
  if (interval <= duration::zero()) {
    return error{errc::invalid_argument,
                 "the interval of the aligned sources \"" + group + "\" must be positive"};
  }
  return {};
}

void alignment_groups::add(aligned_subtask added, const std::string& name, duration max_drift) {
  groups_[name].emplace(added, member{max_drift, std::nullopt});
  group_of_.emplace(added, name);
}

bool alignment_groups::complete(const group& members) {
  return std::all_of(members.begin(), members.end(),
                     [](const auto& m) { return m.second.reported.has_value(); });
}

event_time alignment_groups::slowest_of(const group& members) {
  event_time slowest = event_time::max();
  for (const auto& [id, m] : members) slowest = std::min(slowest, m.reported.value_or(slowest));
  return slowest;
}

std::vector<allowance> alignment_groups::on_report(aligned_subtask from, event_time watermark) {
  auto& members = groups_.at(group_of_.at(from));
  auto& reporter = members.at(from);
  const auto before = slowest_of(members);
  const bool incomplete = !complete(members);
  reporter.reported = watermark;
  const auto slowest = slowest_of(members);
  if (!complete(members)) return {};
  const bool begins = incomplete || (before == event_time::min() && slowest > before);
  std::vector<allowance> told;
  for (const auto& [id, m] : members) {
    if (id != from && !begins) continue;
    told.push_back({id, slowest + m.max_drift});
  }
  return told;
}

void aligned_reader::on_progress(event_time watermark, bool idle) {
  begun_ = true;
  watermark_ = std::max(watermark_, watermark);
  if (watermark_ > event_time::min()) first_ = std::min(first_, watermark_);
  idle_ = idle;
}

bool aligned_reader::at_once() const {
  if (ended_) return !end_reported_;
  return !reported_ || (!moved_ && watermark_ > event_time::min());
}

std::optional<event_time> aligned_reader::take_report(clock_time now) {
  if (!begun_ && !ended_) return std::nullopt;
  if (ended_ ? end_reported_ : !at_once() && now < next_) return std::nullopt;
  end_reported_ = ended_;
  reported_ = true;
  moved_ |= watermark_ > event_time::min();
  next_ = now + options_.interval;
  return idle_ || ended_ ? event_time::max() : watermark_;
}

clock_time aligned_reader::next_report() const {
  return begun_ && !ended_ ? next_ : clock_time::max();
}

std::int64_t aligned_reader::drift() const {
  if (!allowed_ || *allowed_ == event_time::max() || watermark_ == event_time::min()) return 0;
  const auto slowest = saturating_add(allowed_->ms, -options_.max_drift.count());
  if (slowest == event_time::min().ms) return 0;
  return std::max<std::int64_t>(0, saturating_add(watermark_.ms, -slowest));
}

}  // namespace weir::dataflow
