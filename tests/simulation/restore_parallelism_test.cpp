// SPDX-License-Identifier: Apache-2.0
// A job that is started again, from its checkpoint, with another parallelism.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "weir/simulation/simulated_job.hpp"

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using actors::job_state;
using actors::job_status;

/// How the window operator of the job runs.
struct width {
  std::uint32_t parallelism = 1;
  std::optional<std::uint32_t> max_parallelism = std::nullopt;
};

/// A process that is ended when it has made checkpoints, and one that goes on with another width.
class widened_job {
 public:
  widened_job() : job_{[this](environment& env) { describe(env); }, options()} {}

  job_status run(width first, width then) {
    width_ = first;
    const auto before = job_.start_process("first").value();
    const auto checkpoints = [&] { return job_.status_of(before).completed_checkpoints; };
    REQUIRE(job_.world().run_until([&] { return checkpoints() >= 2; }, 200'000));
    job_.world().kill(before);
    width_ = then;
    const auto after = job_.start_process("then").value();
    const auto over = [&] {
      const auto state = job_.status_of(after).state;
      return state == job_state::finished || state == job_state::failed;
    };
    REQUIRE(job_.world().run_until(over, 500'000));
    return job_.status_of(after);
  }

  bool rows_are_right() const {
    auto rows = out_.rows();
    std::sort(rows.begin(), rows.end());
    return rows == work_.expected();
  }

 private:
  static simulation::simulated_job_options options() {
    simulation::simulated_job_options chosen;
    chosen.world.step_length = std::chrono::microseconds{10};
    chosen.world.faults.early_timers_per_mille = 0;
    return chosen;
  }

  void describe(environment& env) const {
    env.checkpoint_every(duration{20}, "/checkpoints").restart(0, duration{20});
    env.options().limits.rows = 2;
    auto rows = work_.describe_rows(env).name("windows").uid("windows");
    rows = rows.parallelism(width_.parallelism);
    if (width_.max_parallelism) rows = rows.max_parallelism(*width_.max_parallelism);
    rows.sink_to(out_);
  }

  window_job work_;
  collect_sink<window_job::row> out_{"rows"};
  width width_;
  simulation::simulated_job job_;
};

TEST_CASE("keyed state goes to more and fewer subtasks, and keeps its key groups", "[whole_jobs]") {
  const auto [first, then] =
      GENERATE(std::pair{width{85}, width{86}}, std::pair{width{3}, width{1}},
               std::pair{width{1, 64}, width{5, 64}});
  CAPTURE(first.parallelism, then.parallelism);
  widened_job job;
  const auto status = job.run(first, then);
  CHECK(status.state == job_state::finished);
  CHECK(status.restored_checkpoint.value >= 2);
  CHECK(job.rows_are_right());
}

TEST_CASE("C119: a job whose key groups would change does not start, and says both numbers",
          "[whole_jobs]") {
  const auto [then, text] =
      GENERATE(std::pair{width{2, 256}, "max parallelism is 256 now and was 128 in the checkpoint"},
               std::pair{width{200},
                         "its parallelism is 200, and its keyed state in the checkpoint has "
                         "max parallelism 128"});
  widened_job job;
  const auto status = job.run(width{2}, then);
  CHECK(status.state == job_state::failed);
  REQUIRE(status.cause.has_value());
  CHECK(status.cause->code() == errc::invalid_argument);
  CHECK(status.cause->message().find(std::string{"operator 'windows': "} + text) !=
        std::string::npos);
}

}  // namespace
}  // namespace weir::testing
