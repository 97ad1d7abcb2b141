// SPDX-License-Identifier: Apache-2.0
// Sessions: the clicks of a user until there is none for half an hour.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/windowing/windows.hpp"

using namespace std::chrono_literals;

struct click {
  std::string user;
  int minute;
};

struct count_clicks {
  struct accumulator {
    int clicks = 0;
  };
  void add(const click&, accumulator& into) const { ++into.clicks; }
  void merge(const accumulator& from, accumulator& into) const { into.clicks += from.clicks; }
  int get_result(const accumulator& a) const { return a.clicks; }
};

struct to_text {
  void process_record(const std::string& user, const weir::time_window& session, const int& clicks,
                      weir::collector<std::string>& out) const {
    const auto minute = [](weir::event_time t) { return std::to_string(t.ms / 60'000); };
    out.collect(user + ": " + std::to_string(clicks) + " clicks from minute " +
                minute(session.start) + ", away since minute " +
                minute(session.end + -std::chrono::milliseconds{30min}));
  }
};

int main() {
  weir::environment env{"user sessions"};
  env.from_collection<click>({{"ann", 0},
                              {"ann", 20},
                              {"bob", 25},
                              {"ann", 49},
                              {"bob", 56},
                              {"ann", 40},
                              {"ann", 80},
                              {"bob", 70},
                              {"ann", 110}})
      .assign_timestamps_and_watermarks(
          weir::bounded_out_of_orderness(15min)
              .timestamps([](const click& c) { return weir::event_time{c.minute * 60'000}; })
              .per_record())
      .key_by(&click::user)
      .window(weir::session_event_time(30min))
      .aggregate(count_clicks{}, to_text{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
