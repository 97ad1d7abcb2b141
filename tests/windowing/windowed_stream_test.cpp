// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/windowed_stream.hpp"

#include <string>
#include <type_traits>

#include "weir/state/value_state.hpp"
#include "weir/windowing/calendar_windows.hpp"
#include "weir/windowing/count_windows.hpp"
#include "weir/windowing/dynamic_session_windows.hpp"
#include "weir/windowing/global_windows.hpp"
#include "weir/windowing/never_trigger.hpp"
#include "weir/windowing/session_windows.hpp"
#include "weir/windowing/sliding_windows.hpp"

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"
#include "windowing/readings.hpp"

namespace weir::windowing {
namespace {

using namespace std::chrono_literals;
using testing::contains;
using testing::reading;
using testing::sum_of_values;
using testing::to_window_row;
using testing::window_row;

std::string error_of(duration size, duration offset, duration lateness = duration::zero()) {
  environment env{"test"};
  env.from_collection<reading>({{"a", 1}})
      .key_by(&reading::sensor)
      .window(tumbling_event_time(size, offset))
      .allowed_lateness(lateness)
      .aggregate(sum_of_values{})
      .print();
  return env.job().build(1).error_text();
}

/// What the graph says of windows that nothing is made of yet.
template <class Assigner>
std::string graph_error_of(Assigner assigner) {
  environment env{"test"};
  const auto windows =
      env.from_collection<reading>({{"a", 1}}).key_by(&reading::sensor).window(assigner);
  CHECK(std::is_same_v<decltype(windows),
                       const windowed_stream<std::string, reading, std::string reading::*, Assigner,
                                             assigners_trigger, no_evictor>>);
  return env.job().build(1).error_text();
}

/// Sessions of 3 s, but a reading of 33 is only a point in time.
struct point_sessions : window_assigner<point_sessions> {
  using window_type = time_window;
  static constexpr const char* kind = "point session";
  static constexpr bool merging = true;
  static constexpr bool is_event_time = true;

  static status validate() { return error{errc::invalid_argument, "no point"}; }

  template <class Assign>
  void assign(const reading& r, event_time time, clock_time, Assign&& assign) const {
    assign(time_window{time, r.value == 33 ? time : time + duration{3000}});
  }
};

const reading& last(const reading&, const reading& b) { return b; }

struct no_merge {
  struct accumulator {};
  void add(const reading&, accumulator&) const {}
  int get_result(const accumulator&) const { return 0; }
};
struct no_result : no_merge {
  void merge(const accumulator&, accumulator&) const {}
  void get_result(const accumulator&) const {}
};
struct of_another_key {
  void process_record(int, const time_window&, std::int64_t, collector<int>&) const {}
};
/// A window function with a state that would be gone before the window.
struct forgetful {
  state::value_state<int> seen{"seen", {.ttl = ttl(1h)}};
  auto uses_window_states() { return state::states(seen); }
  void process_record(const std::string&, const time_window&, std::int64_t, collector<int>&) const {
  }
};
struct without_collector {
  void process_record(const std::string&, const time_window&, std::int64_t) const {}
};

}  // namespace

TEST_CASE("a stream of windows has the type of its results", "[windowed_stream]") {
  environment env{"test"};
  const auto windows = env.from_collection<reading>({{"a", 1}})
                           .key_by(&reading::sensor)
                           .window(tumbling_event_time(10s))
                           .allowed_lateness(1min);
  const auto newest = windows.reduce(last);
  const auto sums = windows.aggregate(sum_of_values{});
  const auto rows = windows.aggregate(sum_of_values{}, to_window_row{});
  CHECK(std::is_same_v<decltype(newest), const data_stream<reading>>);
  CHECK(std::is_same_v<decltype(sums), const data_stream<std::int64_t>>);
  CHECK(std::is_same_v<decltype(rows), const data_stream<window_row>>);
  CHECK(env.job().build(1).error_text() == "");
  const auto& node = env.job().at(rows.origin().node);
  CHECK(node.keyed);
  CHECK(node.kind == "tumbling window");
  REQUIRE(node.states.size() == 1);
  CHECK(node.states[0].type == "agg{i64}");
}

TEST_CASE("C003: an offset that is as long as the window is an error of the graph",
          "[tumbling_windows]") {
  CHECK(error_of(10ms, 9ms) == "");
  CHECK(error_of(10ms, -9ms) == "");
  for (const auto offset : {10ms, -10ms, 11ms, duration::min(), duration::max()}) {
    const auto text = error_of(10ms, offset);
    CAPTURE(text);
    CHECK(contains(
        text, "tumbling windows of 10 ms with offset " + std::to_string(offset.count()) + " ms"));
    CHECK(contains(text, "windowed_stream_test.cpp:"));
  }
}

TEST_CASE("windows without a size are an error of the graph", "[tumbling_windows]") {
  CHECK(contains(error_of(0ms, 0ms), "tumbling windows of 0 ms: the size must be more than 0"));
  CHECK(contains(error_of(-5ms, 0ms), "tumbling windows of -5 ms"));
}

TEST_CASE("each assigner makes a stream of windows, and its errors are those of the graph",
          "[windowed_stream]") {
  const auto gap_of = [](const reading& r) { return duration{r.value}; };
  CHECK(graph_error_of(tumbling_processing_time(1s, 0ms, window_stagger::random)) == "");
  CHECK(graph_error_of(sliding_event_time(2s, 1s)) == "");
  CHECK(graph_error_of(sliding_event_time(1s, 2s)) == "");
  CHECK(graph_error_of(session_processing_time(1s)) == "");
  CHECK(graph_error_of(dynamic_session_event_time(gap_of)) == "");
  CHECK(graph_error_of(global_windows()) == "");
  CHECK(graph_error_of(global_windows().with_end_of_stream_trigger()) == "");
  CHECK(graph_error_of(calendar_processing_time(calendar_unit::month, "Asia/Kolkata")) == "");
  CHECK(contains(graph_error_of(sliding_processing_time(2s, 1s, 1s)),
                 "sliding windows of 2000 ms every 1000 ms with offset 1000 ms: "));
  const auto text = graph_error_of(session_event_time(0s));
  CHECK(contains(text, "windowed_stream_test.cpp:"));
  CHECK(contains(text, "session windows with a gap of 0 ms: the gap must be more than 0"));
}

TEST_CASE("an assigner of one's own says what its windows are", "[windowed_stream]") {
  CHECK(contains(graph_error_of(point_sessions{}), "no point"));
  using testing::assigned;
  using testing::window;
  CHECK(assigned(point_sessions{}, at(10), {0}, reading{"a", 1}) == std::vector{window(10, 3010)});
  CHECK(assigned(point_sessions{}, at(10), {0}, reading{"a", 33}) == std::vector{window(10, 10)});
}

TEST_CASE("a negative lateness is an error of the graph", "[windowed_stream]") {
  const auto text = error_of(10ms, 0ms, -1ms);
  CHECK(contains(text, "allowed lateness of -1 ms"));
  CHECK(contains(text, "windowed_stream_test.cpp:"));
}

TEST_CASE("a trigger, an evictor or a state that does not fit is an error of the graph",
          "[windowed_stream]") {
  const auto error_of_windows = [](auto spec, auto as) {
    environment env{"test"};
    as(env.from_collection<reading>({{"a", 1}}).key_by(&reading::sensor).window(spec)).print();
    return env.job().build(1).error_text();
  };
  const auto cannot_merge = error_of_windows(session_event_time(1s), [](const auto& windows) {
    return windows.trigger(never_trigger{}).aggregate(sum_of_values{});
  });
  CHECK(contains(cannot_merge, "must be able to merge"));
  CHECK(contains(cannot_merge, "windowed_stream_test.cpp:"));
  CHECK(contains(error_of_windows(count_window(0), [](const auto& w) { return w.reduce(last); }),
                 "windowed_stream_test.cpp:"));
  CHECK(
      contains(error_of_windows(count_window(-1, 1), [](const auto& w) { return w.reduce(last); }),
               "a count evictor of -1"));
  CHECK(contains(
      error_of_windows(tumbling_event_time(1s),
                       [](const auto& w) { return w.aggregate(sum_of_values{}, forgetful{}); }),
      "state \"seen\" of a window has a TTL"));
}

TEST_CASE("only functions that fit are taken for window functions", "[windowed_stream]") {
  CHECK(reduces<decltype(&last), reading>);
  CHECK_FALSE(reduces<int (*)(int, int), reading>);
  CHECK_FALSE(reduces<reading (*)(const reading&), reading>);
  CHECK(aggregates<sum_of_values, reading>);
  CHECK_FALSE(aggregates<sum_of_values, int>);
  CHECK_FALSE(aggregates<no_merge, reading>);
  CHECK_FALSE(aggregates<no_result, reading>);
  CHECK_FALSE(aggregates<int, reading>);
  CHECK(window_function<to_window_row, std::string, time_window, std::int64_t>);
  CHECK_FALSE(window_function<to_window_row, std::string, time_window, reading>);
  CHECK_FALSE(window_function<to_window_row, std::string, global_window, std::int64_t>);
  CHECK_FALSE(window_function<of_another_key, std::string, time_window, std::int64_t>);
  CHECK_FALSE(window_function<without_collector, std::string, time_window, std::int64_t>);
  CHECK_FALSE(window_function<sum_of_values, std::string, time_window, std::int64_t>);
}

}  // namespace weir::windowing
