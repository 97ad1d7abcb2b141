// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include "support/catch.hpp"
#include "windowing/window_subtask.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;
using windowing::tumbling_event_time;

/// A trigger that empties a window of what it has fired.
struct purging_trigger : windowing::event_time_trigger {
  static trigger_result purged(trigger_result r) {
    return windowing::fires(r) ? trigger_result::fire_and_purge : r;
  }
  trigger_result on_element(const time_window& w, windowing::shared_trigger_context& c) const {
    return purged(event_time_trigger::on_element(w, c));
  }
  trigger_result on_event_time(event_time t, const time_window& w,
                               windowing::shared_trigger_context& c) const {
    return purged(event_time_trigger::on_event_time(t, w, c));
  }
};

/// A trigger that empties a window when it ends, and never fires.
struct emptying_trigger : windowing::event_time_trigger {
  trigger_result on_event_time(event_time, const time_window&,
                               windowing::shared_trigger_context&) const {
    return trigger_result::purge;
  }
};

template <class Trigger>
operator_harness::factory sums_with(duration size, duration lateness) {
  using stream = dataflow::keyed_stream<std::string, reading, std::string reading::*>;
  using contents = windowing::aggregating<reading, sum_of_values>;
  using made =
      windowing::window_operator<windowing::window_definition<stream, windowing::tumbling_windows<>,
                                                              contents, Trigger, to_window_row>>;
  return [=] {
    return std::make_unique<made>(typename made::definition{&reading::sensor,
                                                            tumbling_event_time(size),
                                                            contents{sum_of_values{}},
                                                            {},
                                                            {},
                                                            lateness,
                                                            {}});
  };
}

}  // namespace

TEST_CASE("one watermark fires 100,000 windows through an output that takes little at a time",
          "[window_firing]") {
  constexpr std::int64_t windows = 100'000;
  window_subtask run{sums(tumbling_event_time(10ms))};
  std::vector<std::pair<reading, event_time>> records;
  for (std::int64_t i = 0; i < windows; ++i)
    records.push_back({{"a", i}, at((i * 7919 % windows - windows / 2) * 10)});
  run.push(records);
  run.reader().open = false;
  run.watermark(event_time::max());
  std::vector<window_row> rows;
  std::size_t times = 0;
  for (; !run.op().input(0).empty(); ++times) {
    CHECK(run.reader().input(0).finished() == times);
    run.reader().open = true;
    static_cast<void>(run.reader().step());  // takes one batch
    run.reader().open = false;
    run.run();
  }
  run.reader().open = true;
  run.run();
  REQUIRE(run.outcome.error_text() == "");
  CHECK(times > 50);
  const auto& fired = run.reader().rows;
  REQUIRE(fired.size() == windows);
  for (std::size_t i = 1; i < fired.size(); ++i)
    if (!(fired[i - 1].end < fired[i].end)) FAIL("not in the order of time at row " << i);
  CHECK(run.timers() == 0);
}

TEST_CASE("the firing of a window pauses between keys and forgets none", "[window_firing]") {
  constexpr int keys = 20'000;
  window_subtask run{sums(tumbling_event_time(10ms))};
  std::vector<std::pair<reading, event_time>> records;
  for (int i = 0; i < 2 * keys; ++i)
    records.push_back({{"sensor " + std::to_string(i % keys), 1}, at(i % 10)});
  run.push(records);
  run.reader().open = false;
  run.watermark(at(9));
  for (std::size_t pauses = 0;; ++pauses) {
    if (run.op().input(0).empty()) {
      CHECK(pauses > 10);
      break;
    }
    run.reader().open = true;
    static_cast<void>(run.reader().step());
    run.reader().open = false;
    run.run();
  }
  run.reader().open = true;
  run.run();
  std::set<std::string> seen;
  for (const auto& row : run.take_rows()) {
    if (row.result != 2) FAIL(row.sensor << " has " << row.result);
    seen.insert(row.sensor);
  }
  CHECK(seen.size() == keys);
}

TEST_CASE("a snapshot goes on while a firing is paused", "[window_firing]") {
  constexpr int keys = 5000;
  const auto make = sums(tumbling_event_time(10ms), 10ms);
  window_subtask run{make};
  std::vector<std::pair<reading, event_time>> records;
  for (int i = 0; i < keys; ++i) records.push_back({{"sensor " + std::to_string(i), i}, at(3)});
  run.push(records);
  run.begin_snapshot();
  run.reader().open = false;
  run.watermark(at(9));
  REQUIRE_FALSE(run.op().input(0).empty());
  const auto chunks = run.finish_snapshot();
  run.reader().open = true;
  run.run();
  const auto expected = run.take_rows();
  CHECK(expected.size() == keys);
  window_subtask after{make, all_test_groups, &chunks};
  after.watermark(at(9));
  CHECK(after.take_rows() == expected);
}

TEST_CASE("a trigger that purges leaves the window open and empty", "[window_firing]") {
  CHECK(check<window_row>(
            sums_with<purging_trigger>(2s, 500ms),
            {one(500), watermark(at(1500)), one(1300), watermark(at(2300)),
             expect(sum("a", 0, 2000, 2)), one(1997), expect(sum("a", 0, 2000, 1)), one(1997),
             expect(sum("a", 0, 2000, 1)), watermark(at(6000)), one(1998), watermark(at(9000))})
            .error_text() == "");
}

TEST_CASE("a purge without a firing emits nothing", "[window_firing]") {
  CHECK(check<window_row>(sums_with<emptying_trigger>(10ms, 5ms),
                          {one(1), push(reading{"b", 1}, at(2)), watermark(at(9)), expect(), one(3),
                           expect(sum("a", 0, 10, 1)), watermark(at(50))})
            .error_text() == "");
}

TEST_CASE("late firings pause when the output is full", "[window_firing]") {
  window_subtask run{sums(tumbling_event_time(10ms), 50ms)};
  run.watermark(at(20));
  run.reader().open = false;
  std::vector<std::pair<reading, event_time>> records;
  for (int i = 0; i < 10'000; ++i) records.push_back({{"a", 1}, at(5)});
  run.push(records);
  CHECK_FALSE(run.op().input(0).empty());
  CHECK(run.reader().input(0).empty() == false);
  run.reader().open = true;
  run.run();
  const auto rows = run.take_rows();
  REQUIRE(rows.size() == 10'000);
  CHECK(rows.back().result == 10'000);
}

}  // namespace weir::testing
