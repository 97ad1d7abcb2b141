// SPDX-License-Identifier: Apache-2.0
// What a user is told when a job is wrong, or goes wrong: one clear line, and nothing hangs.
#include <stdexcept>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/core/file_system.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

#include "support/catch.hpp"
#include "support/temp_dir.hpp"

namespace weir {
namespace {

struct reading {
  std::string sensor;
  std::int64_t value;
};

struct forgetful {
  value_state<std::int64_t> last{"last"};
  value_state<std::int64_t> forgotten{"forgotten"};
  auto uses_states() { return states(last); }

  void process_record(const reading& in, collector<std::int64_t>& out) {
    last.update(in.value);
    forgotten.update(in.value);
    out.collect(in.value);
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("an exception of a user's function is reported with operator, subtask and record time",
          "[job]") {
  environment env{"job"};
  env.from_collection<reading>({{"a", 1}, {"b", 7}})
      .assign_timestamps_and_watermarks(
          monotonous_timestamps().timestamps([](const reading& r) { return at(r.value); }))
      .map([](const reading& r) {
        if (r.value == 7) throw std::runtime_error{"seven is too much"};
        return r.value;
      })
      .name("picky")
      .sink_to(collect_sink<std::int64_t>{"rows"});
  const auto done = execute(env);
  REQUIRE_FALSE(done);
  CHECK(done.failure().code() == errc::user_function_failed);
  CHECK(done.error_text() == "operator \"picky\", subtask 1/1, record time 7: seven is too much");
}

TEST_CASE("a state that is used but not listed fails the job with its name", "[job]") {
  environment env{"job"};
  env.from_collection<reading>({{"a", 1}})
      .key_by(&reading::sensor)
      .process(forgetful{})
      .name("forgetful")
      .sink_to(collect_sink<std::int64_t>{"rows"});
  const auto done = execute(env);
  REQUIRE_FALSE(done);
  CHECK(has(done.error_text(), "operator \"forgetful\""));
  CHECK(has(done.error_text(), "state \"forgotten\" is used but not listed in uses_states()"));
}

TEST_CASE("all errors of a graph are told at once, and nothing runs", "[job]") {
  environment env{"job"};
  collect_sink<std::int64_t> rows{"rows"};
  auto numbers = env.from_collection<std::int64_t>({1, 2, 3}).uid("twin");
  numbers.map([](std::int64_t n) { return n; }).uid("twin").parallelism(0).sink_to(rows);
  const auto job = start(env);
  REQUIRE_FALSE(job);
  CHECK(job.failure().code() == errc::invalid_argument);
  CHECK(has(job.error_text(), "uid \"twin\" is taken"));
  CHECK(has(job.error_text(), "parallelism 0"));
  CHECK(has(job.error_text(), "job_errors_test.cpp:"));
  CHECK(rows.rows().empty());
}

TEST_CASE("a job of parallelism 0 is refused", "[job]") {
  environment env{"job"};
  env.parallelism(0);
  env.from_collection<std::int64_t>({1}).sink_to(collect_sink<std::int64_t>{"rows"});
  const auto done = execute(env);
  REQUIRE_FALSE(done);
  CHECK(done.error_text() == "parallelism 0: a job needs at least 1");
}

TEST_CASE("a checkpoint folder that is a file is refused, and named", "[job]") {
  const testing::temp_dir dir;
  const auto path = dir.path() + "/taken";
  REQUIRE(write_file(real_file_system(), path, "not a folder"));
  environment env{"job"};
  env.checkpoint_every(duration{100}, path);
  env.from_collection<std::int64_t>({1}).sink_to(collect_sink<std::int64_t>{"rows"});
  const auto done = execute(env);
  REQUIRE_FALSE(done);
  CHECK(has(done.error_text(), path));
  CHECK_FALSE(has(done.error_text(), "\n"));
}

TEST_CASE("a job that is over says so when it is started again", "[job]") {
  const testing::temp_dir dir;
  const auto run = [&](const collect_sink<std::int64_t>& rows) {
    environment env{"job"};
    env.checkpoint_every(duration{100}, dir.path() + "/checkpoints");
    env.from_collection<std::int64_t>({1, 2, 3}).sink_to(rows);
    return execute(env);
  };
  const collect_sink<std::int64_t> first{"rows"}, second{"rows"};
  const auto once = run(first);
  REQUIRE(once);
  CHECK_FALSE(once->status.already_finished);
  CHECK(first.rows() == std::vector<std::int64_t>{1, 2, 3});
  const auto again = run(second);
  REQUIRE(again);
  CHECK(again->status.already_finished);
  CHECK(second.rows().empty());
}

TEST_CASE("a failing job starts again from its checkpoint as often as it may", "[job]") {
  environment env{"job"};
  env.restart(2, duration{1});
  env.from_collection<std::int64_t>({1})
      .map([](std::int64_t) -> std::int64_t { throw std::runtime_error{"always"}; })
      .sink_to(collect_sink<std::int64_t>{"rows"});
  auto job = start(env);
  REQUIRE(job);
  CHECK_FALSE(job->wait());
  CHECK(job->status().state == job_state::failed);
  CHECK(job->status().attempt == 3);
}

}  // namespace
}  // namespace weir
