// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/simulation/simulated_job_run.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::job_run_options;
using simulation::job_run_plan;

constexpr std::uint32_t subtasks = 3;
constexpr std::uint32_t failing_subtask = 2;
constexpr checkpoint_id failing_checkpoint{3};

/// What the subtasks of the sink below did, seen from outside.
struct observed {
  std::set<std::int64_t> of_failed_checkpoint;  ///< rows that it held, in any subtask
  std::vector<std::int64_t> seen_at_restart;    ///< rows that were visible when it had failed
  bool failed = false;
};

/// Collects rows, but one subtask cannot take part in one checkpoint.
class partly_failing_sink {
 public:
  using value_type = std::int64_t;
  using inner = collect_sink<std::int64_t>;

  partly_failing_sink(inner rows, observed& seen) : rows_{std::move(rows)}, seen_{&seen} {}

  class writer {
   public:
    writer(inner::writer to, std::uint32_t subtask, observed& seen)
        : to_{std::move(to)}, subtask_{subtask}, seen_{&seen} {}

    result<dataflow::sink_readiness> write(const dataflow::batch<std::int64_t>& data) {
      since_cut_.insert(data.values(), data.values() + data.rows());
      return to_.write(data);
    }
    dataflow::sink_readiness ready() const { return to_.ready(); }

    std::function<result<dataflow::committables>()> prepare_commit(checkpoint_id id) {
      const auto rows = std::exchange(since_cut_, {});
      auto prepare = to_.prepare_commit(id);
      if (id != failing_checkpoint || seen_->failed) return prepare;
      seen_->of_failed_checkpoint.insert(rows.begin(), rows.end());
      if (subtask_ != failing_subtask) return prepare;
      return [seen = seen_] {
        seen->failed = true;
        return result<dataflow::committables>{error{errc::io_error, "the table is locked"}};
      };
    }
    std::function<status()> commit(dataflow::committables prepared) {
      return to_.commit(std::move(prepared));
    }

   private:
    inner::writer to_;
    std::uint32_t subtask_;
    observed* seen_;
    std::set<std::int64_t> since_cut_;
  };

  result<writer> make_writer(const dataflow::operator_environment& environment) const {
    if (seen_->failed && seen_->seen_at_restart.empty()) seen_->seen_at_restart = rows_.rows();
    auto made = rows_.make_writer(environment);
    if (!made) return std::move(made).failure();
    return writer{*std::move(made), environment.subtask.value, *seen_};
  }

 private:
  inner rows_;
  observed* seen_;
};

std::vector<std::int64_t> numbers() {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 0; n < 3'000; ++n) all.push_back(n);
  return all;
}

TEST_CASE("C109: nothing of a checkpoint is visible that failed in one of three subtasks",
          "[whole_jobs]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    const collect_sink<std::int64_t> out{"rows"};
    observed seen;
    job_run_options options;
    options.seed = seed;
    options.without_faults = true;
    options.adjust = [](job_run_plan& plan) {
      plan.limits.rows = std::min<std::size_t>(plan.limits.rows, 5);
      plan.step_length = std::chrono::microseconds{200};
      plan.checkpoint_interval = duration{15};
      plan.checkpoint_timeout = duration{60'000};
      plan.faults.io = {};
    };
    const auto run = simulation::run_job(
        [&](environment& env) {
          env.from_collection(numbers())
              .rebalance()
              .sink_to(partly_failing_sink{out, seen})
              .parallelism(subtasks);
        },
        options);
    REQUIRE(run.finished);
    REQUIRE(seen.failed);
    REQUIRE_FALSE(seen.of_failed_checkpoint.empty());
    for (const auto row : seen.seen_at_restart) {
      CHECK_FALSE(seen.of_failed_checkpoint.contains(row));
    }
    CHECK(run.restored == std::vector<checkpoint_id>{{0}, {failing_checkpoint.value - 1}});
    auto rows = out.rows();
    std::sort(rows.begin(), rows.end());
    CHECK(rows == numbers());
  }
}

}  // namespace
}  // namespace weir::testing
