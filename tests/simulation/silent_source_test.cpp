// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/actors/watermark_lag.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/simulation/simulated_job.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using actors::job_state;
using simulation::simulated_job;
using simulation::simulated_job_options;

/// One record, then nothing until the test says that there is no more.
struct silent_source {
  using value_type = std::int64_t;
  using split_type = std::int64_t;
  using position_type = std::int64_t;

  struct reader {
    std::shared_ptr<bool> over;
    const clock* time;
    std::int64_t left = 0;

    status open(const split_type& record, const position_type&) {
      left = record;
      return {};
    }
    result<poll_outcome> poll(collector<std::int64_t>& out, std::size_t) {
      if (const auto record = std::exchange(left, 0); record != 0) out.collect(record, at(record));
      return *over ? poll_outcome::split_done : poll_outcome::nothing_now;
    }
    position_type position() const { return 0; }
    clock_time next_poll() const { return time->now() + duration{60'000}; }
  };

  result<std::vector<split_type>> splits(file_system&) const {
    return std::vector<split_type>{1'000};
  }
  reader make_reader(const operator_environment& environment) const {
    return {over, environment.time};
  }

  std::shared_ptr<bool> over = std::make_shared<bool>(false);  // shared with the test
};

TEST_CASE(
    "C046: without newer records a window does not fire, and the lag of the watermark shows it",
    "[silent_source]") {
  const silent_source source;
  std::vector<std::int64_t> fired;  // by the map behind the windows: one thread runs all
  const bool aligned = GENERATE(false, true);
  CAPTURE(aligned);
  simulated_job job{[&](environment& env) {
                      auto strategy = monotonous_timestamps().idle_after(duration{30'000});
                      if (aligned) strategy = strategy.with_alignment("g", duration{10});
                      env.parallelism(2);
                      env.from_source(source, strategy)
                          .key_by([](std::int64_t n) { return n; })
                          .window(tumbling_event_time(duration{60'000}))
                          .reduce([](std::int64_t a, std::int64_t b) { return a + b; })
                          .map([&fired](std::int64_t n) {
                            fired.push_back(n);
                            return n;
                          })
                          .sink_to(collect_sink<std::int64_t>{"rows"});
                    },
                    simulated_job_options{}};
  const auto process = job.start_process("node").value();
  auto& world = job.world();
  const auto& monitor = job.monitor_of(process);
  world.run_for(duration{60'000});
  REQUIRE(job.status_of(process).state == job_state::running);
  const auto lag = watermark_lag(monitor, world.now());
  REQUIRE(lag.has_value());
  CHECK(*lag == duration{world.now().ms - 999});
  world.run_for(duration{600'000});
  CHECK(fired.empty());
  CHECK(watermark_lag(monitor, world.now()) == *lag + duration{600'000});

  *source.over = true;
  REQUIRE(world.run_until([&] { return job.status_of(process).over(); }, 100'000));
  CHECK(job.status_of(process).state == job_state::finished);
  CHECK(fired == std::vector<std::int64_t>{1'000});
  CHECK(watermark_lag(monitor, world.now()) == std::nullopt);
}

}  // namespace
}  // namespace weir::testing
