// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/windowed_stream.hpp"

#include <string>
#include <type_traits>

#include "support/catch.hpp"
#include "windowing/readings.hpp"

namespace weir::windowing {
namespace {

using namespace std::chrono_literals;
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

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

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

TEST_CASE("a negative lateness is an error of the graph", "[windowed_stream]") {
  const auto text = error_of(10ms, 0ms, -1ms);
  CHECK(contains(text, "allowed lateness of -1 ms"));
  CHECK(contains(text, "windowed_stream_test.cpp:"));
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
  CHECK(processes_windows<to_window_row, std::string, std::int64_t>);
  CHECK_FALSE(processes_windows<to_window_row, std::string, reading>);
  CHECK_FALSE(processes_windows<of_another_key, std::string, std::int64_t>);
  CHECK_FALSE(processes_windows<without_collector, std::string, std::int64_t>);
  CHECK_FALSE(processes_windows<sum_of_values, std::string, std::int64_t>);
}

}  // namespace weir::windowing
