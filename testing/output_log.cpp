// SPDX-License-Identifier: Apache-2.0
#include "weir/testing/output_log.hpp"

#include <algorithm>

namespace weir::testing {

using dataflow::control;
using dataflow::control_kind;

namespace {

std::string with_time(const std::string& text, event_time time) {
  return time == event_time::min() ? text : text + " at " + std::to_string(time.ms);
}

std::string listed(const std::vector<std::string>& texts) {
  if (texts.empty()) return "nothing";
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : " | ") + text;
  return all;
}

}  // namespace

std::string describe(control c) {
  switch (c.kind()) {
    case control_kind::watermark:
      return c.time() == event_time::max() ? "watermark max"
                                           : "watermark " + std::to_string(c.time().ms);
    case control_kind::idle: return "idle";
    case control_kind::active: return "active";
    case control_kind::barrier: return "barrier " + std::to_string(c.checkpoint().value);
    case control_kind::end_of_input: return "end of input";
    case control_kind::input_ended: return "end of input " + std::to_string(c.port());
    case control_kind::custom:
      return "custom " + std::to_string(c.number()) + " = " + std::to_string(c.value());
  }
  return "?";
}

void output_log::add_control(control c) {
  if (c.kind() == control_kind::barrier) return;
  for (const auto& earlier : controls_) {
    const bool falls = c.kind() == control_kind::watermark &&
                       earlier.kind() == control_kind::watermark && c.time() <= earlier.time();
    if (falls) broken_rule_ = describe(c) + " came behind " + describe(earlier);
    if (earlier.kind() == control_kind::end_of_input) {
      broken_rule_ = describe(c) + " came behind the end of input";
    }
  }
  controls_.push_back(c);
  entries_.push_back({describe(c), event_time::min(), c});
}

std::vector<std::string> output_log::rows() const {
  std::vector<std::string> all;
  for (const auto& e : entries_) {
    if (!e.signal) all.push_back(e.text);
  }
  return all;
}

void output_log::truncate(std::size_t size) {
  entries_.resize(size);
  controls_.clear();
  for (const auto& e : entries_) {
    if (e.signal) controls_.push_back(*e.signal);
  }
}

std::string output_log::compare(const expectation& expected, entries::const_iterator first,
                                entries::const_iterator last) {
  std::vector<std::string> wanted;
  for (const auto& row : expected.rows.rows) {
    wanted.push_back(with_time(row.text, row.time.value_or(event_time::min())));
  }
  if (expected.signal) wanted.push_back(describe(*expected.signal));

  std::vector<bool> taken(static_cast<std::size_t>(last - first), false);
  const auto matches = [&](const entry& e, std::size_t i) {
    if (expected.signal || e.signal) return expected.signal == e.signal;
    const auto& row = expected.rows.rows[i];
    return row.text == e.text && (!row.time || *row.time == e.time);
  };
  bool equal = taken.size() == wanted.size();
  for (std::size_t i = 0; equal && i < wanted.size(); ++i) {
    const std::size_t from = expected.rows.any_order ? 0 : i;
    const std::size_t to = expected.rows.any_order ? taken.size() : i + 1;
    bool found = false;
    for (std::size_t k = from; k < to && !found; ++k) {
      found = !taken[k] && matches(first[static_cast<std::ptrdiff_t>(k)], i);
      if (found) taken[k] = true;
    }
    equal = found;
  }
  if (equal) return {};
  std::vector<std::string> came;
  for (auto e = first; e != last; ++e) came.push_back(with_time(e->text, e->time));
  return expected.rows.step + " expects " + listed(wanted) + "; emitted was " + listed(came);
}

std::string output_log::complaint() const {
  if (!broken_rule_.empty()) return broken_rule_;
  const bool with_controls = std::any_of(expected_.begin(), expected_.end(),
                                         [](const auto& e) { return e.signal.has_value(); });
  entries left;
  for (const auto& e : entries_) {
    if (with_controls || !e.signal) left.push_back(e);
  }
  auto at = left.cbegin();
  for (const auto& expected : expected_) {
    const auto wanted =
        static_cast<std::ptrdiff_t>(expected.signal ? 1 : expected.rows.rows.size());
    const auto end = at + std::min(wanted, left.cend() - at);
    if (auto text = compare(expected, at, end); !text.empty()) return text;
    at = end;
  }
  if (at == left.cend()) return {};
  std::vector<std::string> rest;
  for (; at != left.cend(); ++at) rest.push_back(with_time(at->text, at->time));
  return "no step expects what was emitted then: " + listed(rest);
}

}  // namespace weir::testing
