// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/subtask.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/dataflow/collect_sink.hpp"

#include "actors/subtask_fixture.hpp"
#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using dataflow::control;
using texts = std::vector<std::string>;

std::vector<int> numbers(int count) {
  std::vector<int> all;
  for (int n = 1; n <= count; ++n) all.push_back(n);
  return all;
}

/// Task 0: a source and a map. Task 1: a sink.
void source_and_sink(environment& env, const collect_sink<int>& out, int count = 5) {
  env.from_collection(numbers(count))
      .map([](int n) { return 10 * n; })
      .sink_to(out)
      .start_new_chain();
}

/// Task 0 and 1: sources. Task 2: a map and a sink.
template <class F>
void union_and_sink(environment& env, const collect_sink<int>& out, F f) {
  env.from_collection(numbers(1))
      .union_with(env.from_collection(numbers(1)))
      .map(f)
      .name("mapper")
      .sink_to(out);
}

TEST_CASE("a source sends what its receiver has credit for, then waits", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }};
  f.start_opened();
  CHECK(f.host.reports_of<split_request>().size() == 1);
  f.give_split();
  f.run();
  CHECK(f.host.sent().empty());
  f.give_credit(1);
  f.run();
  CHECK(f.host.sent() == texts{"2 rows"});
  CHECK(f.host.reports_of<subtask_ended>().empty());
  f.give_credit(3);
  f.run();
  CHECK(f.host.sent() == texts{"2 rows", "2 rows", "1 rows", "watermark", "end"});
  CHECK(f.host.reports_of<subtask_ended>().size() == 1);
  for (std::size_t i = 0; i < f.host.elements.size(); ++i) CHECK(f.host.elements[i].sequence == i);
}

TEST_CASE("a subtask grants credit to its channels when it starts, not before", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }, 1};
  f.open();
  CHECK(f.host.credits.empty());
  f.start();
  REQUIRE(f.host.credits.size() == 1);
  CHECK(f.host.credits[0].batches == 2);
}

TEST_CASE("messages of another attempt are dropped", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }, 1};
  f.start_opened();
  f.send({attempt_id{2}, 0, 17, {}, control::end_of_input()});
  f.run();
  CHECK(f.host.reports_of<subtask_failed>().empty());
  CHECK(f.host.reports_of<subtask_ended>().empty());
}

TEST_CASE("what comes through a channel before the start is kept for it", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }, 1};
  f.open();
  f.send(0, control::end_of_input());
  f.run();
  CHECK(f.host.reports_of<subtask_ended>().empty());
  f.start();
  f.run();
  CHECK(f.host.reports_of<subtask_ended>().size() == 1);
}

TEST_CASE("a source that is triggered before it starts cuts when it starts", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }};
  f.open();
  f.subject->on_command(trigger_command{{1}});
  f.run();
  CHECK(f.host.sent().empty());
  f.start();
  f.run();
  CHECK(f.host.sent() == texts{"barrier 1"});
  CHECK(f.host.reports_of<snapshot_written>().size() == 1);
}

TEST_CASE("a snapshot is written once, and acknowledged when it is on the disk", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }};
  f.start_opened();
  f.give_credit(10);
  f.subject->on_command(trigger_command{{1}});
  REQUIRE_FALSE(f.host.works.empty());
  CHECK(f.host.reports_of<snapshot_written>().empty());
  f.run();
  const auto written = f.host.reports_of<snapshot_written>();
  REQUIRE(written.size() == 1);
  CHECK(written[0].id == checkpoint_id{1});
  CHECK_FALSE(written[0].finished);
  CHECK(f.host.points == texts{"subtask.acknowledged"});
  REQUIRE_FALSE(written[0].operators.empty());
  const auto& file = written[0].operators[0].files.at(0);
  CHECK(f.disk.open("/checkpoints/" + file.path).ok());
}

TEST_CASE("a barrier waits for the data in front of it, and nothing comes in between",
          "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out, 50); }};
  f.start_opened();
  f.give_split();
  f.run();
  f.subject->on_command(trigger_command{{1}});
  f.run();
  CHECK(f.host.sent().empty());
  f.give_credit(1);
  f.run();
  CHECK(f.host.sent() == texts{"2 rows"});
  f.give_credit(100);
  f.run();
  const auto sent = f.host.sent();
  const auto barrier = std::find(sent.begin(), sent.end(), "barrier 1");
  REQUIRE(barrier != sent.end());
  // What was on its way when the trigger came: the queues between the operators.
  CHECK(barrier - sent.begin() < 10);
  CHECK(std::count(sent.begin(), sent.end(), "2 rows") == 25);
}

TEST_CASE("a checkpoint that is aborted before its barrier is sent leaves no trace", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }};
  f.open();
  f.subject->on_command(trigger_command{{1}});
  f.subject->on_command(aborted_command{{1}});
  f.start();
  f.give_credit(10);
  f.give_split();
  f.run();
  CHECK(f.host.sent() == texts{"2 rows", "2 rows", "1 rows", "watermark", "end"});
  CHECK(f.host.reports_of<snapshot_written>().empty());
}

TEST_CASE("a snapshot that cannot be written is declined with the reason, and the subtask goes on",
          "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }};
  f.start_opened();
  f.disk.set_faults([](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind != file_operation_kind::sync) return std::nullopt;
    return file_fault{error{errc::io_error, "no space left"}};
  });
  f.subject->on_command(trigger_command{{1}});
  f.run();
  const auto declined = f.host.reports_of<snapshot_failed>();
  REQUIRE(declined.size() == 1);
  CHECK(declined[0].id == checkpoint_id{1});
  CHECK(declined[0].reason.find("no space left") != std::string::npos);
  f.disk.set_faults({});
  f.subject->on_command(aborted_command{{1}});
  f.subject->on_command(trigger_command{{2}});
  f.give_credit(10);
  f.give_split();
  f.run();
  CHECK(f.host.reports_of<snapshot_written>().size() == 1);
  CHECK(f.host.reports_of<subtask_failed>().empty());
  CHECK(f.host.reports_of<subtask_ended>().size() == 1);
}

TEST_CASE("behind the end of its input a subtask still takes snapshots, and says that it ended",
          "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }};
  f.start_opened();
  f.give_credit(10);
  f.give_split();
  f.run();
  f.subject->on_command(trigger_command{{1}});
  f.run();
  const auto written = f.host.reports_of<snapshot_written>();
  REQUIRE(written.size() == 1);
  CHECK(written[0].finished);
  CHECK(f.host.sent().back() == "barrier 1");
}

TEST_CASE("a subtask with two channels takes its snapshot when both barriers are there",
          "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { union_and_sink(env, out, [](int n) { return n; }); },
                    2};
  f.start_opened();
  f.send(0, {1});
  f.send(0, control::barrier({1}));
  f.send(0, {2});
  f.run();
  CHECK(f.host.reports_of<snapshot_written>().empty());
  f.send(1, {3});
  f.send(1, control::barrier({1}));
  f.run();
  CHECK(f.host.reports_of<snapshot_written>().size() == 1);
  f.subject->on_command(completed_command{{1}});
  f.run();
  // What came behind the barrier is not in what the checkpoint made visible.
  CHECK(out.rows() == std::vector<int>{1, 3});
  REQUIRE(f.host.reports_of<commits_done>().size() == 1);
}

TEST_CASE("an aborted checkpoint lets a held channel go on, and a late barrier does no harm",
          "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { union_and_sink(env, out, [](int n) { return n; }); },
                    2};
  f.start_opened();
  f.send(0, control::barrier({1}));
  f.send(0, {2});
  f.run();
  f.subject->on_command(aborted_command{{1}});
  f.run();
  f.send(1, control::barrier({1}));
  f.send(0, control::barrier({2}));
  f.send(1, control::barrier({2}));
  f.run();
  const auto written = f.host.reports_of<snapshot_written>();
  REQUIRE(written.size() == 1);
  CHECK(written[0].id == checkpoint_id{2});
  f.subject->on_command(completed_command{{2}});
  f.run();
  CHECK(out.rows() == std::vector<int>{2});
}

TEST_CASE("a function that throws fails the subtask with operator, subtask and record time",
          "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) {
                      union_and_sink(env, out, [](int n) {
                        if (n == 7) throw std::runtime_error{"seven"};
                        return n;
                      });
                    },
                    2};
  f.start_opened();
  f.send(0, {6, 7});
  f.run();
  const auto failed = f.host.reports_of<subtask_failed>();
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].cause.code() == errc::user_function_failed);
  CHECK(failed[0].cause.message() == "operator \"mapper\", subtask 1/1, record time 7: seven");
  f.send(1, {7});
  f.subject->on_command(completed_command{{1}});
  f.run();
  CHECK(f.host.reports_of<subtask_failed>().size() == 1);
  CHECK(f.host.reports_of<commits_done>().empty());
}

TEST_CASE("a gap in a channel fails the subtask", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }, 1};
  f.start_opened();
  f.send({f.attempt, 0, 1, {}, control::end_of_input()});
  const auto failed = f.host.reports_of<subtask_failed>();
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].cause.code() == errc::corrupt);
}

TEST_CASE("a commit runs on the executor, and is reported when it is done", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }, 1};
  f.start_opened();
  f.send(0, {1});
  f.send(0, control::barrier({1}));
  f.run();
  f.subject->on_command(completed_command{{1}});
  CHECK(f.host.works.size() == 1);
  CHECK(f.host.reports_of<commits_done>().empty());
  CHECK(out.rows().empty());
  f.run();
  REQUIRE(f.host.reports_of<commits_done>().size() == 1);
  CHECK(f.host.reports_of<commits_done>()[0].id == checkpoint_id{1});
  CHECK(out.rows() == std::vector<int>{1});
}

TEST_CASE("a subtask without anything to commit says so at once", "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out); }};
  f.start_opened();
  f.subject->on_command(completed_command{{1}});
  CHECK(f.host.works.empty());
  CHECK(f.host.reports_of<commits_done>().size() == 1);
}

/// Its commits fail.
struct stubborn_sink {
  using value_type = int;
  struct writer {
    result<dataflow::sink_readiness> write(const dataflow::batch<int>&) {
      return dataflow::sink_readiness::ready;
    }
    dataflow::sink_readiness ready() const { return dataflow::sink_readiness::ready; }
    std::function<result<dataflow::committables>()> prepare_commit(checkpoint_id) {
      return [] { return result<dataflow::committables>{dataflow::committables{"rows"}}; };
    }
    std::function<status()> commit(dataflow::committables) {
      return [] { return status{error{errc::io_error, "no such table"}}; };
    }
  };
  result<writer> make_writer(const dataflow::operator_environment&) const { return writer{}; }
};

TEST_CASE("a commit that fails fails the subtask", "[subtask]") {
  subtask_fixture f{[&](environment& env) {
                      env.from_collection(numbers(1)).sink_to(stubborn_sink{}).start_new_chain();
                    },
                    1};
  f.start_opened();
  f.send(0, control::barrier({1}));
  f.run();
  REQUIRE(f.host.reports_of<snapshot_written>().size() == 1);
  f.subject->on_command(completed_command{{1}});
  f.run();
  const auto failed = f.host.reports_of<subtask_failed>();
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].cause.message() == "operator \"sink\", subtask 1/1: committing: no such table");
  CHECK(f.host.reports_of<commits_done>().empty());
}

TEST_CASE("a subtask with more to do than one handler may asks itself to go on, once",
          "[subtask]") {
  const collect_sink<int> out{"out"};
  subtask_fixture f{[&](environment& env) { source_and_sink(env, out, 1'000); }};
  f.start_opened();
  f.give_credit(1'000);
  f.host.self_calls.clear();
  f.give_split();
  f.give_credit(1);
  CHECK(std::count(f.host.self_calls.begin(), f.host.self_calls.end(), self_call::resume) == 1);
  CHECK(f.host.sent().back() != "end");
  f.run();
  CHECK(f.host.sent().back() == "end");
}

}  // namespace
}  // namespace weir::actors::internal
