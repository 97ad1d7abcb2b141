// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/simulation/simulated_job.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "simulation/stalling_sink.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using actors::job_state;
using simulation::job_description;
using simulation::simulated_job;
using simulation::simulated_job_options;
using simulation::system_id;
using simulation::trace_mode;

constexpr std::size_t rows_of_batch = 50;
constexpr std::size_t credit = 3;

// What bounds the batches in one subtask: 2 in the queue of each of its operators, those granted to
// each of its channels, 2 for each receiver. No chain here has more than 3 operators, and no task
// more than 1 channel in or out.
constexpr std::size_t batches_in_flight = 3 * 2 + credit + 2;

template <class T>
constexpr std::size_t batch_bytes(std::size_t rows) {
  return rows * (sizeof(T) + sizeof(event_time) + sizeof(std::uint64_t));
}

std::vector<std::int64_t> numbers(std::int64_t count) {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 0; n < count; ++n) all.push_back(n);
  return all;
}

simulated_job_options options_of(std::uint64_t seed, trace_mode trace) {
  simulated_job_options options;
  options.world.seed = seed;
  options.world.trace = trace;
  options.world.faults.early_timers_per_mille = 0;
  return options;
}

/// A job that runs until its sink takes no more.
class stalled_job {
 public:
  stalled_job(const job_description& describe, std::uint64_t seed,
              trace_mode trace = trace_mode::off)
      : job_{[describe](environment& env) {
               describe(env);
               env.options().limits.rows = rows_of_batch;
               env.options().channel_credit = credit;
             },
             options_of(seed, trace)},
        process_{job_.start_process("node").value()} {
    constexpr std::uint64_t far_too_many = 1'000'000;
    rested_ = job_.world().run(far_too_many) < far_too_many;
  }

  /// Whether it came to rest: a job that can do nothing does nothing.
  bool rested() const { return rested_; }

  std::size_t most_in_flight() const {
    return static_cast<std::size_t>(job_.monitor_of(process_).largest("bytes_in_flight_most"));
  }

  job_state state() const { return job_.status_of(process_).state; }
  simulated_job& job() { return job_; }
  system_id process() const { return process_; }

 private:
  simulated_job job_;
  system_id process_;
  bool rested_ = false;
};

constexpr std::int64_t fan_out = 1'000;
constexpr std::int64_t window_count = 100'000;

void describe_map(environment& env, const stalling_sink<std::int64_t>& out) {
  env.from_collection(numbers(20'000))
      .map([](std::int64_t n) { return n + 1; })
      .sink_to(out)
      .start_new_chain();
}

void describe_flat_map(environment& env, const stalling_sink<std::int64_t>& out) {
  env.from_collection(numbers(2'000))
      .flat_map<std::int64_t>([](std::int64_t n, collector<std::int64_t>& to) {
        for (std::int64_t i = 0; i < fan_out; ++i) to.collect(n + i);
      })
      .sink_to(out)
      .start_new_chain();
}

/// All windows have one end: the last watermark fires one for each key.
void describe_windows(environment& env, const stalling_sink<std::int64_t>& out) {
  const auto watermarks =
      monotonous_timestamps().timestamps([](std::int64_t) { return event_time{5}; });
  auto timed = env.from_collection(numbers(window_count))
                   .assign_timestamps_and_watermarks(watermarks)
                   .parallelism(1);
  timed.key_by([](std::int64_t n) { return n; })
      .window(tumbling_event_time(duration{10}))
      .reduce([](std::int64_t a, std::int64_t b) { return a + b; })
      .start_new_chain()
      .sink_to(out);
}

TEST_CASE("a sink that takes no more holds the whole job up, within its budget of memory",
          "[back_pressure]") {
  const std::uint64_t seed = GENERATE(1, 2, 3);
  CAPTURE(seed);
  const stalling_sink<std::int64_t> out;
  SECTION("behind a map") {
    const stalled_job stalled{[&](environment& env) { describe_map(env, out); }, seed};
    CHECK(stalled.rested());
    CHECK(stalled.state() == job_state::running);
    CHECK(stalled.most_in_flight() > 0);
    CHECK(stalled.most_in_flight() <= batches_in_flight * batch_bytes<std::int64_t>(rows_of_batch));
  }
  SECTION("behind a flat map that makes 1,000 of each") {
    const stalled_job stalled{[&](environment& env) { describe_flat_map(env, out); }, seed};
    CHECK(stalled.rested());
    CHECK(stalled.state() == job_state::running);
    CHECK(stalled.most_in_flight() <= batches_in_flight * batch_bytes<std::int64_t>(rows_of_batch) +
                                          batch_bytes<std::int64_t>(fan_out));
  }
  SECTION("while one watermark fires 100,000 windows") {
    const stalled_job stalled{[&](environment& env) { describe_windows(env, out); }, seed};
    CHECK(stalled.rested());
    CHECK(stalled.state() == job_state::running);
    CHECK(stalled.most_in_flight() <= batches_in_flight * batch_bytes<std::int64_t>(rows_of_batch));
  }
  CHECK(out.batches() == stalling_sink<std::int64_t>::most);
}

/// For each subtask, what it did after the job was told to cancel.
std::map<std::string, std::vector<std::string>> handlers_after_cancel(const std::string& trace) {
  std::map<std::string, std::vector<std::string>> handlers;
  bool cancelled = false;
  std::istringstream lines{trace};
  for (std::string line; std::getline(lines, line);) {
    cancelled |= line.find("cancel_message") != std::string::npos;
    const auto name = line.find("subtask ");
    if (!cancelled || line.find(" run ") == std::string::npos || name == std::string::npos)
      continue;
    const auto end = line.find(' ', name + std::string{"subtask "}.size());
    handlers[line.substr(name, end - name)].push_back(line.substr(end + 1));
  }
  return handlers;
}

void check_cancel(const job_description& describe) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    stalled_job stalled{describe, seed, trace_mode::text};
    stalled.job().cancel(stalled.process());
    stalled.job().world().run(1'000);
    CHECK(stalled.state() == job_state::cancelled);
    const auto handlers = handlers_after_cancel(stalled.job().world().trace());
    CHECK(handlers.size() == stalled.job().subtask_names(stalled.process()).size());
    for (const auto& [subtask, ran] : handlers) {
      CAPTURE(subtask, ran);
      CHECK(ran.size() == 1);
      CHECK(ran.front().find("exit") != std::string::npos);
    }
  }
}

TEST_CASE("a job that is held up cancels without another handler of its subtasks",
          "[back_pressure]") {
  const stalling_sink<std::int64_t> out;
  SECTION("behind a map") {
    check_cancel([&](environment& env) { describe_map(env, out); });
  }
  SECTION("behind a flat map") {
    check_cancel([&](environment& env) { describe_flat_map(env, out); });
  }
  SECTION("while windows fire") {
    check_cancel([&](environment& env) { describe_windows(env, out); });
  }
}

TEST_CASE("a job that is busy cancels without another handler of its subtasks", "[back_pressure]") {
  const std::uint64_t steps = GENERATE(30, 50, 100, 200, 400);
  CAPTURE(steps);
  const stalling_sink<std::int64_t> out;
  simulated_job job{[&](environment& env) {
                      describe_windows(env, out);
                      env.options().limits.rows = rows_of_batch;
                    },
                    options_of(steps, trace_mode::text)};
  const auto process = job.start_process("node").value();
  job.world().run(steps);
  job.cancel(process);
  job.world().run_until([&] { return job.status_of(process).over(); }, 1'000);
  CHECK(job.status_of(process).state == job_state::cancelled);
  for (const auto& [subtask, ran] : handlers_after_cancel(job.world().trace())) {
    CAPTURE(subtask, ran);
    CHECK(ran.front().find("exit") != std::string::npos);
  }
}

}  // namespace
}  // namespace weir::testing
