// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/calendar_windows.hpp"

#include <string>

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"
#include "windowing/readings.hpp"

namespace weir::testing {
namespace {

using windowing::timer_domain;

std::string error_of(const windowing::calendar_windows<timer_domain::event>& assigner) {
  environment env{"test"};
  env.from_collection<reading>({{"a", 1}})
      .key_by(&reading::sensor)
      .window(assigner)
      .aggregate(sum_of_values{})
      .print();
  return env.job().build(1).error_text();
}

}  // namespace

TEST_CASE("C027: hours of a day on which clocks are set have their records, and no others",
          "[calendar_windows]") {
  const auto hours = calendar_event_time(calendar_unit::hour, "America/New_York");
  CHECK(check<window_row>(sums(hours),
                          {one(1'772'951'400'000), one(1'772'955'000'000), one(1'793'511'000'000),
                           one(1'793'514'600'000), watermark(event_time::max()),
                           expect(sum("a", 1'772'949'600'000, 1'772'953'200'000, 1),
                                  sum("a", 1'772'953'200'000, 1'772'956'800'000, 1),
                                  sum("a", 1'793'509'200'000, 1'793'512'800'000, 1),
                                  sum("a", 1'793'512'800'000, 1'793'516'400'000, 1))})
            .error_text() == "");
}

TEST_CASE("records of a day of 25 hours are added up, also when they come out of order",
          "[calendar_windows]") {
  constexpr std::int64_t start = 1'793'505'600'000;
  constexpr std::int64_t end = 1'793'595'600'000;
  constexpr std::int64_t day = 86'400'000;
  CHECK(check<window_row>(
            sums(calendar_event_time(calendar_unit::day, "America/New_York")),
            {one(start), one(start - 1), one(end - 1), one(end), one(start + day), one(end - day),
             watermark(at(end - 2)), expect(sum("a", start - day, start, 1)),
             watermark(at(end - 1)), expect(sum("a", start, end, 4)), watermark(event_time::max()),
             expect(sum("a", end, end + day, 1))})
            .error_text() == "");
}

TEST_CASE("calendar windows of a zone that does not exist are an error of the graph",
          "[calendar_windows]") {
  CHECK(error_of(calendar_event_time(calendar_unit::week, "Europe/Berlin")) == "");
  const auto text = error_of(calendar_event_time(calendar_unit::week, "Europe/Berlim"));
  CAPTURE(text);
  CHECK(contains(text, "calendar windows of weeks: time zone \"Europe/Berlim\" cannot be loaded"));
  CHECK(contains(text, "calendar_windows_test.cpp:"));
}

TEST_CASE("calendar windows go by the time of the record or by the clock", "[calendar_windows]") {
  constexpr std::int64_t hour = 3'600'000;
  const auto by_time = calendar_event_time(calendar_unit::hour, "Europe/Berlin");
  const auto by_clock = calendar_processing_time(calendar_unit::hour, "Europe/Berlin");
  CHECK(assigned(by_time, at(hour + 5), {8 * hour}) == std::vector{window(hour, 2 * hour)});
  CHECK(assigned(by_clock, at(hour + 5), {8 * hour}) == std::vector{window(8 * hour, 9 * hour)});
  CHECK(windowing::calendar_windows<timer_domain::event>::is_event_time);
  CHECK_FALSE(windowing::calendar_windows<timer_domain::processing>::is_event_time);
  const auto of_weeks =
      calendar_processing_time(calendar_unit::week, "Europe/Berlin", std::chrono::Friday);
  CHECK(of_weeks.validate().ok());
  CHECK(assigned(of_weeks, at(0), {0}) == std::vector{window(-145 * hour, 23 * hour)});
}

}  // namespace weir::testing
