// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "weir/simulation/simulated_job.hpp"

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using actors::job_state;

TEST_CASE("a checkpoint that cannot be read for a while is read again, as often as may be started",
          "[whole_jobs]") {
  window_job work;
  simulation::simulated_job_options options;
  options.world.step_length = std::chrono::microseconds{100};
  options.world.faults.early_timers_per_mille = 0;
  const std::uint32_t restarts = GENERATE(1, 5);
  simulation::simulated_job job{
      [&](environment& env) {
        work.describe(env);
        env.checkpoint_every(duration{20}, "/checkpoints").restart(restarts, duration{20});
        env.options().limits.rows = 4;
      },
      options};
  const auto process = job.start_process("only").value();
  REQUIRE(job.world().run_until([&] { return job.status_of(process).completed_checkpoints > 0; },
                                100'000));

  int refused = 0;
  job.disk().set_faults([&](const file_operation& operation) -> std::optional<file_fault> {
    const bool reads_state = operation.kind == file_operation_kind::open &&
                             operation.path.find("chk-") != std::string_view::npos;
    if (!reads_state || refused == 3) return std::nullopt;
    ++refused;
    return file_fault{error{errc::io_error, "the disk is not there"}};
  });
  job.kill_actors(process, "subtask 0/0");
  const auto over = [&] {
    const auto state = job.status_of(process).state;
    return state == job_state::finished || state == job_state::failed;
  };
  REQUIRE(job.world().run_until(over, 200'000));
  const auto status = job.status_of(process);
  if (restarts == 1) {
    CHECK(status.state == job_state::failed);
    CHECK(status.cause.value().code() == errc::io_error);
    CHECK(refused == 1);
  } else {
    CHECK(status.state == job_state::finished);
    CHECK(refused == 3);
    CHECK(status.attempt == 5);
    CHECK(work.rows() == work.expected());
  }
}

}  // namespace
}  // namespace weir::testing
