// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/watermark_gauges.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weir/actors/watermark_lag.hpp"
#include "weir/dataflow/collect_sink.hpp"

#include "actors/subtask_fixture.hpp"
#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using dataflow::control;

/// Tasks 0 and 1: sources of numbers; task 2: what both lead to.
void describe(environment& env) {
  env.from_collection(std::vector<int>{1})
      .union_with(env.from_collection(std::vector<int>{2}))
      .map([](int n) { return n; })
      .sink_to(collect_sink<int>{"rows"});
}

TEST_CASE("metrics show how far each input is, and which subtask holds it back",
          "[watermark_gauges]") {
  subtask_fixture f{describe, 2};
  const auto metric = [&](const std::string& name) {
    std::map<std::string, std::int64_t> all;
    for (const auto& value : f.metrics.snapshot())
      all[name == value.name ? name : ""] = value.value;
    REQUIRE(all.contains(name));
    return all[name];
  };
  f.start_opened();
  CHECK(metric("input_watermark") == event_time::min().ms);
  CHECK(metric("input_0_watermark_held_by_task") == 0);
  f.send(0, control::watermark(at(50)));
  CHECK(metric("input_0_watermark_held_by_task") == 1);
  CHECK(metric("input_0_watermark_held_by_subtask") == 0);
  f.send(1, control::watermark(at(70)));
  CHECK(metric("input_watermark") == 50);
  CHECK(metric("input_0_watermark") == 50);
  CHECK(metric("input_0_watermark_held_by_task") == 0);
  f.send(0, control::idle());
  CHECK(metric("input_watermark") == 70);
  CHECK(metric("input_0_watermark_held_by_task") == 1);
  f.send(1, control::idle());
  CHECK(metric("input_0_watermark_held_by_task") == -1);
  CHECK(metric("input_0_watermark_held_by_subtask") == -1);
}

TEST_CASE("the lag of a job is that of its subtask that is furthest behind", "[watermark_gauges]") {
  job_monitor job;
  CHECK(watermark_lag(job, {1'000}) == std::nullopt);
  job.metrics_of("0/0").add_gauge("watermark_made").set(event_time::min().ms);
  CHECK(watermark_lag(job, {1'000}) == std::nullopt);
  job.metrics_of("0/0").add_gauge("watermark_made").set(900);
  job.metrics_of("1/0").add_gauge("input_watermark").set(300);
  job.metrics_of("1/1").add_gauge("input_watermark").set(event_time::max().ms);
  CHECK(watermark_lag(job, {1'000}) == duration{700});
  CHECK(watermark_lag(job, {5'000}) == duration{4'700});
  CHECK(job.values_of("input_watermark") ==
        std::map<std::string, std::int64_t>{{"1/0", 300}, {"1/1", event_time::max().ms}});
}

}  // namespace
}  // namespace weir::actors::internal
