// SPDX-License-Identifier: Apache-2.0
// What a subtask tells the functions of its chain beside their records.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/actors/internal/subtask.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/process_streams.hpp"

#include "actors/subtask_fixture.hpp"
#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using texts = std::vector<std::string>;

/// Notes what it is told, and throws at one of those calls.
struct noting {
  std::shared_ptr<texts> to;
  std::string name;
  std::string throws_at = {};

  void note(const std::string& what) {
    to->push_back(name + " " + what);
    if (what == throws_at) throw std::runtime_error{"not " + what};
  }
  void initialize_state(initialization_context& context) {
    const auto id = context.restored_checkpoint();
    note(id ? "restored from " + std::to_string(id->value) : "new");
  }
  void open(non_partitioned_context& context) {
    note("attempt " + std::to_string(context.task().attempt));
  }
  void process_record(const int& in, collector<int>& out) { out.collect(in); }
  void notify_checkpoint_complete(checkpoint_id id) {
    note("complete " + std::to_string(id.value));
  }
  void notify_checkpoint_aborted(checkpoint_id id) { note("aborted " + std::to_string(id.value)); }
  void close() { note("close"); }
};

/// A subtask with two functions in its chain.
struct noted_subtask {
  explicit noted_subtask(std::string throws_at = {})
      : fixture{[&](environment& env) {
                  env.from_collection(std::vector<int>{1, 2, 3})
                      .process(noting{calls, "a"})
                      .process(noting{calls, "b", throws_at})
                      .name("second")
                      .sink_to(out);
                },
                0, log} {}

  std::vector<std::string> failures() const {
    texts all;
    for (const auto& failed : fixture.host.reports_of<subtask_failed>()) {
      all.push_back(failed.cause.message());
    }
    return all;
  }

  struct kept_log final : log_sink {
    void write(const log_record& record) override { lines.push_back(record.message); }
    texts lines;
  };

  std::shared_ptr<texts> calls = std::make_shared<texts>();
  collect_sink<int> out{"out"};
  kept_log log;
  subtask_fixture fixture;
};

TEST_CASE("functions are initialized and opened one after another, and closed the other way round",
          "[subtask]") {
  noted_subtask s;
  s.fixture.start_opened();
  CHECK(*s.calls == texts{"a new", "a attempt 3", "b new", "b attempt 3"});
  s.calls->clear();
  s.fixture.subject->close();
  s.fixture.subject->close();
  CHECK(*s.calls == texts{"b close", "a close"});
}

TEST_CASE("functions know which checkpoint they are restored from, also without state",
          "[subtask]") {
  noted_subtask s;
  REQUIRE(s.fixture.subject->open(restored_subtask{{7}, {}}));
  s.fixture.start();
  CHECK(*s.calls == texts{"a restored from 7", "a attempt 3", "b restored from 7", "b attempt 3",
                          "a complete 7", "b complete 7"});
}

TEST_CASE("functions are told of complete and of aborted checkpoints", "[subtask]") {
  noted_subtask s;
  s.fixture.start_opened();
  s.calls->clear();
  s.fixture.subject->on_command(completed_command{{2}});
  s.fixture.subject->on_command(aborted_command{{3}});
  CHECK(*s.calls == texts{"a complete 2", "b complete 2", "a aborted 3", "b aborted 3"});
  CHECK(s.failures().empty());
}

TEST_CASE("a function that throws when it is told fails the attempt, with its name and subtask",
          "[subtask]") {
  struct row {
    std::string at;
    std::string prefix;
  };
  const auto [at, prefix] = GENERATE(row{"complete 2", "checkpoint 2 is complete: "},
                                     row{"aborted 3", "checkpoint 3 was aborted: "});
  CAPTURE(at);
  noted_subtask s{at};
  s.fixture.start_opened();
  s.fixture.subject->on_command(completed_command{{2}});
  s.fixture.subject->on_command(aborted_command{{3}});
  CHECK(s.failures() == texts{prefix + "operator \"second\", subtask 1/1: not " + at});
}

TEST_CASE("a function that cannot begin fails the attempt, and only those that began are closed",
          "[subtask]") {
  noted_subtask s{"new"};
  const auto opened = s.fixture.subject->open(std::nullopt);
  CHECK(opened.error_text() == "operator \"second\", subtask 1/1: not new");
  s.calls->clear();
  s.fixture.subject->close();
  CHECK(*s.calls == texts{"b close", "a close"});
}

TEST_CASE("a function that throws when it is closed is logged, and the others are closed",
          "[subtask]") {
  noted_subtask s{"close"};
  s.fixture.start_opened();
  s.calls->clear();
  s.fixture.subject->close();
  CHECK(*s.calls == texts{"b close", "a close"});
  CHECK(s.log.lines == texts{"closing operator \"second\", subtask 1/1: not close"});
}

/// Has a record each time it is woken.
struct woken_source {
  using value_type = int;
  using split_type = int;
  using position_type = int;

  struct reader {
    std::shared_ptr<int> left;
    int given = 0;

    status open(const int&, const int& position) {
      given = position;
      return {};
    }
    result<dataflow::poll_outcome> poll(collector<int>& out, std::size_t) {
      if (*left == 0) return dataflow::poll_outcome::nothing_now;
      --*left;
      out.collect(given++);
      return dataflow::poll_outcome::produced;
    }
    int position() const { return given; }
  };
  result<std::vector<int>> splits(file_system&) const { return std::vector<int>{0}; }
  reader make_reader(const dataflow::operator_environment&) const { return {left}; }

  std::shared_ptr<int> left = std::make_shared<int>(0);
};

TEST_CASE("a subtask rests while its source has nothing, and a wake-up has it look again",
          "[subtask]") {
  const woken_source source;
  const collect_sink<int> out{"out"};
  subtask_fixture f{
      [&](environment& env) { env.from_source(source).sink_to(out).start_new_chain(); }};
  f.start_opened();
  f.give_credit(10);
  f.subject->on_command(split_command{0, dataflow::encoded_split{0, encode(0), ""}});
  f.run();
  CHECK(f.host.self_calls.empty());
  CHECK(f.host.alarms.empty());
  CHECK(f.host.sent().empty());
  for (int n = 1; n <= 2; ++n) {
    *source.left = 1;
    f.run();
    CHECK(f.host.sent().size() == static_cast<std::size_t>(n) - 1);
    f.subject->on_self(self_call::wake);
    f.run();
    CHECK(f.host.sent().size() == static_cast<std::size_t>(n));
  }
  f.subject->on_command(trigger_command{{1}});
  f.run();
  CHECK(f.host.sent() == texts{"1 rows", "1 rows", "barrier 1"});
}

}  // namespace
}  // namespace weir::actors::internal
