// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/simulation/simulated_job_run.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::job_run_options;
using simulation::job_run_plan;
using simulation::kernel;
using simulation::run_job;
using simulation::trace_mode;

constexpr std::int64_t records = 60;

/// One source, two branches, one of them slow, whose records come together again.
void describe_diamond(environment& env, const collect_sink<std::int64_t>& out, kernel& world) {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 0; n < records; ++n) all.push_back(n);
  const auto in = env.from_collection(all);
  const auto fast = in.map([](std::int64_t n) { return n; }).start_new_chain();
  const auto slow = in.map([&world](std::int64_t n) {
                        world.spend(duration{2});
                        return -n - 1;
                      }).start_new_chain();
  fast.union_with(slow).sink_to(out);
}

std::vector<std::int64_t> expected_rows() {
  std::vector<std::int64_t> rows;
  for (std::int64_t n = -records; n < records; ++n) rows.push_back(n);
  return rows;
}

/// Seeds, from 0, with which the job did not come to its end with the rows that it must give.
std::vector<std::uint64_t> failing_seeds(std::uint64_t seeds, bool without_faults) {
  std::vector<std::uint64_t> failing;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const collect_sink<std::int64_t> out{"rows"};
    kernel* world = nullptr;
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::off;
    options.without_faults = without_faults;
    options.fault_steps = 500;
    options.most_steps = 50'000;
    options.on_start = [&](kernel& k) { world = &k; };
    options.adjust = [](job_run_plan& plan) {
      plan.channel_credit = 1;
      plan.limits.rows = std::min<std::size_t>(plan.limits.rows, 4);
      plan.checkpoint_interval = duration{20};
    };
    const auto run =
        run_job([&](environment& env) { describe_diamond(env, out, *world); }, options);
    auto rows = out.rows();
    std::sort(rows.begin(), rows.end());
    if (!run.finished || rows != expected_rows()) failing.push_back(seed);
  }
  return failing;
}

TEST_CASE("a diamond with a slow branch and a credit of 1 never comes to a standstill",
          "[whole_jobs]") {
  CHECK(failing_seeds(1'000, true).empty());
}

TEST_CASE("a diamond with a slow branch and a credit of 1 survives crashes", "[whole_jobs]") {
  CHECK(failing_seeds(200, false).empty());
}

}  // namespace
}  // namespace weir::testing
