// SPDX-License-Identifier: Apache-2.0
// Days as the clocks on the wall have them: in Berlin, the last Sunday of March 2024 had 23 hours,
// that of October 25.
#include <iostream>
#include <string>
#include <vector>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/windowing/windows.hpp"

struct hour {
  std::int64_t number;  ///< since 1970, UTC
};

struct count_hours {
  struct accumulator {
    int hours = 0;
  };
  void add(const hour&, accumulator& into) const { ++into.hours; }
  void merge(const accumulator& from, accumulator& into) const { into.hours += from.hours; }
  int get_result(const accumulator& a) const { return a.hours; }
};

struct name_day {
  void process_record(const weir::time_window& day, const int& hours,
                      weir::collector<std::string>& out) const {
    out.collect("the day that began " + std::to_string(day.start.ms / 3'600'000) +
                " h after 1970 had " + std::to_string(hours) + " hours");
  }
};

int main() {
  constexpr std::int64_t march_30 = 475'487, october_26 = 480'526;  // 00:00 in Berlin
  std::vector<hour> hours;
  for (std::int64_t h = 0; h < 24 + 23 + 24; ++h) hours.push_back({march_30 + h});
  for (std::int64_t h = 0; h < 24 + 25 + 24; ++h) hours.push_back({october_26 + h});
  weir::environment env{"daylight saving"};
  env.from_collection(hours)
      .assign_timestamps_and_watermarks(weir::monotonous_timestamps().timestamps(
          [](const hour& h) { return weir::event_time{h.number * 3'600'000}; }))
      .window_all(weir::calendar_event_time(weir::calendar_unit::day, "Europe/Berlin"))
      .aggregate(count_hours{}, name_day{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
