// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/checkpoint_coordinator_logic.hpp"

#include <chrono>
#include <string>

#include "checkpoint/action_text.hpp"
#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

using namespace std::chrono_literals;

constexpr subtask_id source{.task = 0, .index = {0}};
constexpr subtask_id sink{.task = 1, .index = {0}};

/// A job of a source and a sink, checkpointed every 100 ms, with a timeout of 60 ms.
class harness {
 public:
  explicit harness(checkpoint_config config = default_config(), checkpoint_id last_used = {})
      : logic{config} {
    CHECK(text(logic.start(job(), last_used, {0})).empty());
  }

  static checkpoint_config default_config() {
    checkpoint_config config;
    config.interval = 100ms;
    config.timeout = 60ms;
    return config;
  }

  static checkpointed_job job() {
    return {.job_name = "job",
            .graph_fingerprint = "f",
            .epoch = {5},
            .attempt = {2},
            .operators = {{.uid = "numbers", .parallelism = 1, .max_parallelism = 8},
                          {.uid = "sum", .parallelism = 1, .max_parallelism = 8}},
            .subtasks = {sink, source},
            .targets = {source}};
  }

  static std::string text(const coordinator_actions& actions) { return action_text::all(actions); }

  std::string tick(std::int64_t now) { return text(logic.tick({now})); }
  std::string recorded(std::uint64_t id, std::int64_t now) {
    return text(logic.id_recorded({id}, {now}));
  }
  std::string ack(std::uint64_t id, subtask_id subtask, std::int64_t now, bool finished = false) {
    return text(logic.acknowledged({.id = {id}, .subtask = subtask, .finished = finished}, {now}));
  }
  std::string decline(std::uint64_t id, std::int64_t now) {
    return text(logic.declined({id}, sink, "disk full", {now}));
  }
  std::string published(std::uint64_t id, std::int64_t now) {
    return text(logic.published({id}, {now}));
  }

  /// Begins checkpoint `id`, due at `now`, up to the trigger.
  void begin(std::uint64_t id, std::int64_t now) {
    CHECK(tick(now) == "record " + std::to_string(id));
    CHECK(recorded(id, now) == "trigger " + std::to_string(id) + " at 0.0");
  }

  /// Makes a complete one, all at `now`.
  void complete(std::uint64_t id, std::int64_t now) {
    begin(id, now);
    CHECK(ack(id, source, now).empty());
    CHECK(ack(id, sink, now) == "publish " + std::to_string(id));
    const auto number = std::to_string(id);
    CHECK(published(id, now) == "complete " + number + ", retain 1");
  }

  std::optional<std::int64_t> next() const {
    const auto due = logic.next_tick();
    return due ? std::optional{due->ms} : std::nullopt;
  }

  checkpoint_coordinator_logic logic;
};

TEST_CASE("a checkpoint is complete, and told, only once its manifest is published",
          "[coordinator]") {
  harness h;
  CHECK(h.next() == 100);
  CHECK(h.tick(99).empty());
  CHECK(h.tick(100) == "record 1");
  CHECK_FALSE(h.next().has_value());
  CHECK(h.recorded(1, 102) == "trigger 1 at 0.0");
  CHECK(h.next() == 162);
  CHECK(h.ack(1, sink, 110).empty());
  CHECK(h.ack(1, sink, 111).empty());
  CHECK(h.ack(1, source, 112) == "publish 1");
  CHECK(h.logic.publishing());
  CHECK_FALSE(h.next().has_value());
  CHECK(h.logic.last_complete() == checkpoint_id{0});
  CHECK(h.published(1, 120) == "complete 1, retain 1");
  CHECK(h.logic.last_complete() == checkpoint_id{1});
  CHECK_FALSE(h.logic.publishing());
  CHECK(h.next() == 200);
}

TEST_CASE("the manifest names what each subtask has acknowledged", "[coordinator]") {
  harness h;
  h.begin(1, 100);
  const state_file file{.path = "chk-1/5-2-1-0.state", .length = 3, .checksum = 4};
  auto actions = h.logic.acknowledged(
      {.id = {1}, .subtask = sink, .operators = {{.uid = "sum", .files = {file}}}}, {110});
  CHECK(actions.empty());
  actions = h.logic.acknowledged({.id = {1}, .subtask = source}, {111});
  REQUIRE(actions.size() == 1);
  const manifest expected{.job_name = "job",
                          .graph_fingerprint = "f",
                          .id = {1},
                          .epoch = {5},
                          .attempt = {2},
                          .finished = false,
                          .created = {111},
                          .operators = {{.uid = "numbers",
                                         .parallelism = 1,
                                         .max_parallelism = 8,
                                         .subtasks = {{.subtask = {0}}}},
                                        {.uid = "sum",
                                         .parallelism = 1,
                                         .max_parallelism = 8,
                                         .subtasks = {{.subtask = {0}, .files = {file}}}}}};
  CHECK(std::get<publish_manifest>(actions[0]).content == expected);
  CHECK(check(expected).ok());
}

TEST_CASE("an acknowledgement with state of a foreign operator aborts the checkpoint",
          "[coordinator]") {
  harness h;
  h.begin(1, 100);
  const auto actions =
      h.logic.acknowledged({.id = {1}, .subtask = sink, .operators = {{.uid = "other"}}}, {110});
  CHECK(
      h.text(actions) ==
      "aborted 1, discard 1, fail: checkpoint 1: subtask 0 of task 1 declined it: it has state of "
      "operator 'other', which it does not run");
}

TEST_CASE("C093: an expired checkpoint stays so when its last acknowledgement comes",
          "[coordinator]") {
  auto config = harness::default_config();
  config.tolerable_failures = 1;
  config.interval = 70ms;
  harness h{config};
  h.begin(1, 70);
  CHECK(h.ack(1, source, 71).empty());
  CHECK(h.tick(129).empty());
  CHECK(h.tick(130) == "aborted 1, discard 1");
  CHECK(h.ack(1, sink, 131) == "discard 1");
  CHECK(h.logic.last_complete() == checkpoint_id{0});
  h.complete(2, 140);
  CHECK(h.ack(1, sink, 150) == "discard 1");
  CHECK(h.logic.last_complete() == checkpoint_id{2});
}

TEST_CASE("an expired checkpoint says who is missing", "[coordinator]") {
  harness h;
  h.begin(1, 100);
  CHECK(h.ack(1, source, 101).empty());
  CHECK(h.tick(160) ==
        "aborted 1, discard 1, fail: checkpoint 1: it was not complete 60 ms after its start: 1 of "
        "2 subtasks had acknowledged");
}

TEST_CASE("a duplicate acknowledgement never discards a complete checkpoint", "[coordinator]") {
  harness h;
  h.begin(1, 100);
  CHECK(h.ack(1, source, 101).empty());
  CHECK(h.ack(1, sink, 102) == "publish 1");
  CHECK(h.ack(1, sink, 103).empty());
  CHECK(h.published(1, 104) == "complete 1, retain 1");
  CHECK(h.ack(1, sink, 105).empty());
}

TEST_CASE("an acknowledgement of a subtask that is not of the job does not count",
          "[coordinator]") {
  harness h;
  h.begin(1, 100);
  CHECK(h.ack(1, source, 101).empty());
  CHECK(h.ack(1, {.task = 1, .index = {1}}, 102).empty());
  CHECK_FALSE(h.logic.publishing());
}

TEST_CASE("a decline aborts the checkpoint, and its files go", "[coordinator]") {
  auto config = harness::default_config();
  config.tolerable_failures = 1;
  harness h{config};
  h.begin(1, 100);
  CHECK(h.decline(1, 110) == "aborted 1, discard 1");
  CHECK(h.decline(1, 111) == "discard 1");
  CHECK(h.ack(1, source, 112) == "discard 1");
  h.begin(2, 200);
  CHECK(h.decline(1, 201) == "discard 1");
  CHECK(h.decline(2, 202) ==
        "aborted 2, discard 2, fail: checkpoint 2: subtask 0 of task 1 declined it: disk full");
}

TEST_CASE("only failures in a row add up", "[coordinator]") {
  auto config = harness::default_config();
  config.tolerable_failures = 1;
  harness h{config};
  h.begin(1, 100);
  CHECK(h.decline(1, 110) == "aborted 1, discard 1");
  h.complete(2, 200);
  h.begin(3, 300);
  CHECK(h.decline(3, 310) == "aborted 3, discard 3");
  h.begin(4, 400);
  CHECK(h.decline(4, 410).find("fail:") != std::string::npos);
}

TEST_CASE("after the job has failed nothing starts until it runs again", "[coordinator]") {
  harness h;
  h.begin(1, 100);
  CHECK(h.decline(1, 110).find("fail:") != std::string::npos);
  CHECK_FALSE(h.next().has_value());
  CHECK(h.tick(1000).empty());
  CHECK(h.text(h.logic.start(harness::job(), {}, {1000})).empty());
  CHECK(h.next() == 1100);
  h.complete(2, 1100);
}

TEST_CASE("the next checkpoint waits for interval, minimum pause and the end of the one before",
          "[coordinator]") {
  auto config = harness::default_config();
  config.timeout = 1000ms;
  config.min_pause = 50ms;
  harness h{config};
  h.begin(1, 100);
  CHECK(h.tick(250).empty());
  CHECK(h.ack(1, source, 260).empty());
  CHECK(h.ack(1, sink, 260) == "publish 1");
  CHECK(h.tick(270).empty());
  CHECK(h.published(1, 280) == "complete 1, retain 1");
  CHECK(h.next() == 330);
  CHECK(h.tick(329).empty());
  h.begin(2, 330);
}

TEST_CASE("without a minimum pause an overdue checkpoint starts with the end of the one before",
          "[coordinator]") {
  auto config = harness::default_config();
  config.timeout = 1000ms;
  harness h{config};
  h.begin(1, 100);
  CHECK(h.ack(1, source, 260).empty());
  CHECK(h.ack(1, sink, 260) == "publish 1");
  CHECK(h.published(1, 280) == "complete 1, retain 1, record 2");
}

TEST_CASE("an id that cannot be recorded is not used", "[coordinator]") {
  auto config = harness::default_config();
  config.tolerable_failures = 1;
  harness h{config};
  CHECK(h.tick(100) == "record 1");
  CHECK(h.text(h.logic.id_record_failed({1}, {errc::io_error, "disk full"}, {101})).empty());
  CHECK(h.recorded(1, 102).empty());
  CHECK(h.tick(200) == "record 2");
  CHECK(h.text(h.logic.id_record_failed({2}, {errc::io_error, "disk full"}, {201})) ==
        "fail: checkpoint 2: its id cannot be recorded: disk full");
}

TEST_CASE("a manifest that cannot be published fails its checkpoint", "[coordinator]") {
  harness h;
  h.begin(1, 100);
  CHECK(h.ack(1, source, 101).empty());
  CHECK(h.ack(1, sink, 102) == "publish 1");
  CHECK(h.text(h.logic.publish_failed({1}, {errc::io_error, "disk full"}, {103})) ==
        "aborted 1, discard 1, fail: checkpoint 1: its manifest cannot be published: disk full");
}

TEST_CASE("a fenced coordinator withdraws: it tells nobody and removes nothing", "[coordinator]") {
  harness h;
  h.begin(1, 100);
  SECTION("when it publishes") {
    CHECK(h.ack(1, source, 101).empty());
    CHECK(h.ack(1, sink, 102) == "publish 1");
    CHECK(h.text(h.logic.publish_failed({1}, {errc::fenced, "newer"}, {103})) == "withdraw: newer");
  }
  SECTION("when it records an id") {
    CHECK(h.ack(1, source, 101).empty());
    CHECK(h.ack(1, sink, 102) == "publish 1");
    CHECK(h.published(1, 103) == "complete 1, retain 1");
    CHECK(h.tick(200) == "record 2");
    CHECK(h.text(h.logic.id_record_failed({2}, {errc::fenced, "newer"}, {201})) ==
          "withdraw: newer");
  }
  CHECK_FALSE(h.next().has_value());
  CHECK(h.tick(10'000).empty());
}

TEST_CASE("C100: ids go on above every id ever used, those of failed checkpoints too",
          "[coordinator]") {
  auto config = harness::default_config();
  config.tolerable_failures = 9;
  SECTION("after a restore from checkpoint 4") {
    harness h{config, {4}};
    h.begin(5, 100);
  }
  SECTION("after failed attempts 5 and 6") {
    harness h{config, {4}};
    h.begin(5, 100);
    CHECK(h.decline(5, 101) == "aborted 5, discard 5");
    h.begin(6, 200);
    CHECK(h.text(h.logic.stop()) == "discard 6");
    CHECK(h.text(h.logic.start(harness::job(), {4}, {300})).empty());
    h.begin(7, 400);
  }
  SECTION("after a restart while an id was being recorded") {
    harness h{config, {4}};
    CHECK(h.tick(100) == "record 5");
    CHECK(h.text(h.logic.stop()).empty());
    CHECK(h.text(h.logic.start(harness::job(), {4}, {300})).empty());
    CHECK(h.recorded(5, 310).empty());
    h.begin(6, 400);
  }
}

TEST_CASE("C102: a checkpoint that only one of two subtasks reported does not outlive a restart",
          "[coordinator]") {
  harness h;
  h.begin(1, 100);
  CHECK(h.ack(1, source, 101).empty());
  CHECK(h.text(h.logic.start(harness::job(), {}, {110})) == "discard 1");
  CHECK(h.logic.last_complete() == checkpoint_id{0});
  CHECK(h.ack(1, sink, 120) == "discard 1");
  CHECK(h.logic.last_complete() == checkpoint_id{0});
  h.complete(2, 210);
}

TEST_CASE("a manifest on its way when the attempt ends still becomes complete", "[coordinator]") {
  harness h;
  h.begin(1, 100);
  CHECK(h.ack(1, source, 101).empty());
  CHECK(h.ack(1, sink, 102) == "publish 1");
  CHECK(h.text(h.logic.stop()).empty());
  CHECK(h.logic.publishing());
  SECTION("published") {
    CHECK(h.published(1, 110) == "retain 1");
    CHECK(h.logic.last_complete() == checkpoint_id{1});
  }
  SECTION("failed") {
    CHECK(h.text(h.logic.publish_failed({1}, {errc::io_error, "disk full"}, {110})) == "discard 1");
    CHECK(h.logic.last_complete() == checkpoint_id{0});
  }
  CHECK_FALSE(h.logic.publishing());
  CHECK_FALSE(h.next().has_value());
}

TEST_CASE("triggers go to the targets of the time", "[coordinator]") {
  harness h;
  h.logic.set_targets({source, sink});
  CHECK(h.tick(100) == "record 1");
  CHECK(h.recorded(1, 101) == "trigger 1 at 0.0 1.0");
}

TEST_CASE("when all subtasks have finished the final checkpoint starts at once and ends the job",
          "[coordinator]") {
  auto config = harness::default_config();
  SECTION("with periodic checkpoints") {}
  SECTION("without") { config.interval.reset(); }
  harness h{config};
  CHECK(h.text(h.logic.subtask_finished(source, {10})).empty());
  CHECK(h.text(h.logic.subtask_finished(source, {11})).empty());
  CHECK(h.text(h.logic.subtask_finished(sink, {12})) == "record 1");
  CHECK(h.recorded(1, 13) == "trigger 1 at 0.0");
  CHECK(h.ack(1, source, 14, true).empty());
  CHECK(h.ack(1, sink, 15, true) == "publish 1 finished");
  CHECK(h.published(1, 16) == "complete 1, retain 1, end 1");
  CHECK_FALSE(h.next().has_value());
  CHECK(h.tick(10'000).empty());
}

TEST_CASE("a checkpoint cut before the end is followed by the final one", "[coordinator]") {
  harness h;
  h.begin(1, 100);
  CHECK(h.ack(1, sink, 101, false).empty());
  CHECK(h.text(h.logic.subtask_finished(source, {102})).empty());
  CHECK(h.text(h.logic.subtask_finished(sink, {103})).empty());
  SECTION("it completes") {
    CHECK(h.ack(1, source, 104, true) == "publish 1");
    CHECK(h.published(1, 105) == "complete 1, retain 1, record 2");
  }
  SECTION("it fails, and that is tolerable") {
    auto config = harness::default_config();
    config.tolerable_failures = 1;
    harness tolerant{config};
    tolerant.begin(1, 100);
    CHECK(tolerant.text(tolerant.logic.subtask_finished(source, {102})).empty());
    CHECK(tolerant.text(tolerant.logic.subtask_finished(sink, {103})).empty());
    CHECK(tolerant.decline(1, 104) == "aborted 1, discard 1, record 2");
  }
}

TEST_CASE("a periodic checkpoint that was cut behind the end in all subtasks is the final one",
          "[coordinator]") {
  harness h;
  h.begin(1, 100);
  CHECK(h.ack(1, source, 101, true).empty());
  CHECK(h.ack(1, sink, 102, true) == "publish 1 finished");
  CHECK(h.text(h.logic.subtask_finished(source, {103})).empty());
  CHECK(h.text(h.logic.subtask_finished(sink, {104})).empty());
  CHECK(h.published(1, 105) == "complete 1, retain 1, end 1");
}

TEST_CASE("a final checkpoint that fails is tried again later, not at once", "[coordinator]") {
  auto config = harness::default_config();
  config.tolerable_failures = 5;
  std::int64_t pause = 100;
  SECTION("after the interval") {}
  SECTION("after a second if there is none") {
    config.interval.reset();
    pause = 1000;
  }
  harness h{config};
  CHECK(h.text(h.logic.subtask_finished(source, {10})).empty());
  CHECK(h.text(h.logic.subtask_finished(sink, {10})) == "record 1");
  CHECK(h.recorded(1, 10) == "trigger 1 at 0.0");
  CHECK(h.decline(1, 20) == "aborted 1, discard 1");
  CHECK(h.next() == 20 + pause);
  h.begin(2, 20 + pause);
}

TEST_CASE("a job without interval makes no periodic checkpoints", "[coordinator]") {
  auto config = harness::default_config();
  config.interval.reset();
  harness h{config};
  CHECK_FALSE(h.next().has_value());
  CHECK(h.tick(1'000'000).empty());
}

TEST_CASE("answers about checkpoints that are over change nothing", "[coordinator]") {
  harness h;
  h.complete(1, 100);
  CHECK(h.recorded(1, 101).empty());
  CHECK(h.published(1, 101).empty());
  CHECK(h.text(h.logic.publish_failed({1}, {errc::io_error, "x"}, {101})).empty());
  CHECK(h.text(h.logic.id_record_failed({1}, {errc::io_error, "x"}, {101})).empty());
  CHECK(h.text(h.logic.subtask_finished({.task = 9}, {101})).empty());
  CHECK(h.next() == 200);
}

}  // namespace
}  // namespace weir::checkpoint
