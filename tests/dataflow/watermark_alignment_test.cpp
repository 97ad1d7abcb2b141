// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_alignment.hpp"

#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

constexpr duration drift{1'000};
constexpr aligned_subtask s0{0, 0, 0};
constexpr aligned_subtask s1{0, 0, 1};

using allowances = std::vector<allowance>;

/// A group that grows with the subtasks that report.
struct group {
  event_time report(aligned_subtask from, event_time watermark) {
    it.add(from, "g", drift);  // nothing if it is there
    const auto told = it.on_report(from, watermark);
    for (const auto& t : told) {
      if (t.to == from) return t.allowed;
    }
    FAIL("a report has no answer");
    return {};
  }
  alignment_groups it;
};

TEST_CASE("sources may read as far as the slowest, and the drift beyond", "[watermark_alignment]") {
  group g;
  CHECK(g.report(s0, at(42)) == at(1'042));
  CHECK(g.report(s1, at(44)) == at(1'042));
  CHECK(g.report(s0, at(5'000)) == at(1'044));
  CHECK(g.report(s0, event_time::max()) == at(1'044));  // idle
  CHECK(g.report(s0, at(42)) == at(1'042));             // the same again, when it is back
  CHECK(g.report(s0, event_time::max()) == at(1'044));
  CHECK(g.report(s1, event_time::max()) == event_time::max());
}

TEST_CASE("C037: the limit of an alignment group saturates when its sources are idle",
          "[watermark_alignment]") {
  group g;
  g.report(s0, event_time::max());
  CHECK(g.report(s1, at(5'000)) == at(6'000));
  CHECK(g.report(s0, at(4'000)) == at(5'000));
  g.report(s0, event_time::max());
  CHECK(g.report(s1, event_time::max()) == event_time::max());
}

TEST_CASE("nobody is told anything before all subtasks of a group have reported",
          "[watermark_alignment]") {
  alignment_groups groups;
  for (const auto s : {s0, s1}) groups.add(s, "g", drift);
  CHECK(groups.on_report(s0, at(42)) == allowances{});
  CHECK(groups.on_report(s0, at(43)) == allowances{});
  CHECK(groups.on_report(s1, at(7)) == allowances{{s0, at(1'007)}, {s1, at(1'007)}});
  CHECK(groups.on_report(s1, at(9)) == allowances{{s1, at(1'009)}});
}

TEST_CASE("all subtasks of a group are told when the last of them has a watermark",
          "[watermark_alignment]") {
  alignment_groups groups;
  for (const auto s : {s0, s1}) groups.add(s, "g", drift);
  const auto least = event_time::min() + drift;
  groups.on_report(s0, event_time::min());
  CHECK(groups.on_report(s1, event_time::min()) == allowances{{s0, least}, {s1, least}});
  CHECK(groups.on_report(s0, at(5)) == allowances{{s0, least}});
  CHECK(groups.on_report(s1, at(3)) == allowances{{s0, at(1'003)}, {s1, at(1'003)}});
  CHECK(groups.on_report(s1, at(4)) == allowances{{s1, at(1'004)}});
}

TEST_CASE("groups have nothing to do with one another, sources of one may have drifts of their own",
          "[watermark_alignment]") {
  alignment_groups groups;
  constexpr aligned_subtask other{1, 0, 0};
  groups.add(s0, "a", duration{5});
  groups.add(s1, "a", duration{7});
  groups.add(other, "b", duration{5});
  groups.on_report(s0, at(10));
  CHECK(groups.on_report(other, at(500)) == allowances{{other, at(505)}});
  CHECK(groups.on_report(s1, at(20)) == allowances{{s0, at(15)}, {s1, at(17)}});
}

alignment_options options_of(std::int64_t max_drift) {
  return {"g", duration{max_drift}, duration{100}};
}

TEST_CASE("a subtask reports at its first split, at its first watermark, then once per interval",
          "[watermark_alignment]") {
  aligned_reader reader{options_of(10)};
  CHECK(reader.take_report({0}) == std::nullopt);
  CHECK(reader.next_report() == clock_time::max());
  reader.on_progress(event_time::min(), false);
  CHECK(reader.take_report({5}) == event_time::min());
  CHECK(reader.take_report({6}) == std::nullopt);
  CHECK(reader.next_report() == clock_time{105});
  reader.on_progress(at(3), false);
  CHECK(reader.take_report({7}) == at(3));
  reader.on_progress(at(4), false);
  CHECK(reader.take_report({106}) == std::nullopt);
  CHECK(reader.take_report({107}) == at(4));
  CHECK(reader.take_report({207}) == at(4));
}

TEST_CASE("an idle subtask reports the end of time, then the watermark of before",
          "[watermark_alignment]") {
  aligned_reader reader{options_of(10)};
  reader.on_progress(at(42), false);
  CHECK(reader.take_report({0}) == at(42));
  reader.on_progress(at(42), true);
  CHECK(reader.take_report({100}) == event_time::max());
  reader.on_progress(at(40), false);  // reports do not decrease
  CHECK(reader.take_report({200}) == at(42));
  reader.on_end();
  CHECK(reader.take_report({201}) == event_time::max());  // at once
  CHECK(reader.take_report({1'000}) == std::nullopt);
  CHECK(reader.next_report() == clock_time::max());
}

TEST_CASE("a subtask that never had a split reports that it has ended", "[watermark_alignment]") {
  aligned_reader reader{options_of(10)};
  reader.on_end();
  CHECK(reader.take_report({0}) == event_time::max());
}

TEST_CASE("a split waits when it is beyond what is allowed, and not at that",
          "[watermark_alignment]") {
  aligned_reader reader{options_of(10)};
  CHECK_FALSE(reader.ahead(at(1'000'000)));
  reader.on_progress(at(5), false);
  reader.on_progress(at(6), false);
  CHECK_FALSE(reader.ahead(at(5)));  // before an answer
  CHECK(reader.ahead(at(6)));
  reader.on_allowed(at(4));
  CHECK(reader.ahead(at(5)));
  reader.on_allowed(at(5));
  CHECK_FALSE(reader.ahead(at(5)));
}

TEST_CASE("two splits of one subtask wait each by itself", "[watermark_alignment]") {
  aligned_reader reader{options_of(10)};
  const auto waiting = [&](std::int64_t first, std::int64_t second) {
    return std::pair{reader.ahead(at(first)), reader.ahead(at(second))};
  };
  reader.on_progress(at(3), false);
  reader.on_allowed(at(4));
  CHECK(waiting(5, 3) == std::pair{true, false});
  reader.on_allowed(at(5));
  CHECK(waiting(5, 3) == std::pair{false, false});
  CHECK(waiting(11, 3) == std::pair{true, false});
  CHECK(waiting(11, 12) == std::pair{true, true});
}

TEST_CASE("how far a subtask is ahead of the slowest is known from what it may read",
          "[watermark_alignment]") {
  aligned_reader reader{options_of(10)};
  CHECK(reader.drift() == 0);
  reader.on_progress(at(30), false);
  CHECK(reader.drift() == 0);
  reader.on_allowed(at(35));
  CHECK(reader.drift() == 5);
  reader.on_allowed(event_time::max());
  CHECK(reader.drift() == 0);
  reader.on_allowed(event_time::min() + duration{10});
  CHECK(reader.drift() == 0);
}

TEST_CASE("an alignment without a name, with a negative drift or without an interval is refused",
          "[watermark_alignment]") {
  CHECK(options_of(0).validate().ok());
  CHECK_FALSE(alignment_options{"", duration{1}, duration{1}}.validate().ok());
  CHECK_FALSE(alignment_options{"g", duration{-1}, duration{1}}.validate().ok());
  CHECK_FALSE(alignment_options{"g", duration{1}, duration{0}}.validate().ok());
}

}  // namespace
}  // namespace weir::dataflow
