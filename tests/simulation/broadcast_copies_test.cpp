// SPDX-License-Identifier: Apache-2.0
// Broadcast state whose updates depend on the order in which they come, and the same without.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/log.hpp"
#include "weir/dataflow/process_connected.hpp"
#include "weir/simulation/simulated_job.hpp"
#include "weir/state/state.hpp"

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using number = std::int64_t;

/// Keeps one number of those that are broadcast.
struct keeper {
  bool largest = false;  ///< else the last one

  broadcast_state<std::string, number> kept{"kept"};
  auto uses_states() { return states(kept); }

  void process_record(const number& n, collector<number>& out, keyed_context<number>&) {
    out.collect(n);
  }
  void process_broadcast(const number& n, collector<number>&, broadcast_context& context) {
    auto writable = context.writable(kept);
    const auto* before = writable.get("it");
    writable.put("it", before != nullptr && largest ? std::max(*before, n) : n);
  }
};

class warnings_in_memory final : public log_sink {
 public:
  void write(const log_record& record) override {
    if (record.message.find("differs between") != std::string::npos)
      lines.push_back(record.message);
  }

  std::vector<std::string> lines;
};

/// The warnings of a run with so many senders of what is broadcast to three subtasks.
std::vector<std::string> warnings_of(std::uint64_t seed, bool largest, int senders) {
  warnings_in_memory log;
  simulation::simulated_job_options options;
  options.world.seed = seed;
  options.world.faults.early_timers_per_mille = 0;
  options.world.step_length = std::chrono::microseconds{100};
  collect_sink<number> rows{"rows"};
  simulation::simulated_job job{
      [&](environment& env) {
        env.parallelism(3).checkpoint_every(duration{10}, "/checkpoints").log_to(log);
        env.options().limits.rows = 2;
        std::vector<number> first, second;
        for (number n = 0; n < 60; ++n) {
          first.push_back(n);
          second.push_back(1000 - n);
        }
        const auto data =
            env.from_collection(first).parallelism(1).key_by([](number n) { return n; });
        auto updates = env.from_collection(first).parallelism(1).uid("first");
        if (senders == 2) {
          updates = updates.union_with(env.from_collection(second).parallelism(1).uid("second"));
        }
        data.connect(updates.broadcast()).process(keeper{largest}).name("keeper").sink_to(rows);
      },
      options};
  const auto started = job.start_process("only");
  REQUIRE(started.error_text() == "");
  const auto process = *started;
  const auto over = [&] {
    const auto state = job.status_of(process).state;
    return state == actors::job_state::finished || state == actors::job_state::failed;
  };
  REQUIRE(job.world().run_until(over, 500'000));
  const auto cause = job.status_of(process).cause;
  REQUIRE((cause ? cause->message() : "") == "");
  CHECK(job.status_of(process).completed_checkpoints > 0);
  return log.lines;
}

TEST_CASE("C117: a job whose broadcast updates depend on their order is warned at its checkpoints",
          "[whole_jobs]") {
  std::vector<std::string> of_last;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    CHECK(warnings_of(seed, true, 2).empty());
    CHECK(warnings_of(seed, false, 1).empty());
    for (auto& line : warnings_of(seed, false, 2)) of_last.push_back(std::move(line));
  }
  REQUIRE_FALSE(of_last.empty());
  CHECK(
      of_last[0].find(": operator \"keeper\": broadcast state \"kept\" differs between subtask") !=
      std::string::npos);
}

}  // namespace
}  // namespace weir::testing
