// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/source_watermarks.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/source_operator.hpp"

#include "dataflow/source_chain.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using texts = std::vector<std::string>;

constexpr int end_of_split = -1;

/// Each poll of split n gives what the test has put into `polls[n]` first, with the values as
/// times, and nothing when there is nothing. The position is how many polls there were.
struct fed_source {
  using value_type = int;
  using split_type = int;
  using position_type = int;
  using feed = std::map<int, std::deque<std::vector<int>>>;

  struct reader {
    std::shared_ptr<feed> polls;
    int split = 0;
    int done = 0;

    status open(const int& s, const int& position) {
      split = s, done = position;
      return {};
    }
    result<poll_outcome> poll(collector<int>& out, std::size_t) {
      auto& waiting = (*polls)[split];
      if (waiting.empty()) return poll_outcome::nothing_now;
      const auto values = std::move(waiting.front());
      waiting.pop_front();
      ++done;
      for (const int v : values) {
        if (v == end_of_split) return poll_outcome::split_done;
        out.collect(v, at(v));
      }
      return poll_outcome::produced;
    }
    int position() const { return done; }
  };

  result<std::vector<int>> splits(file_system&) const { return std::vector<int>{0, 1}; }
  reader make_reader(const operator_environment&) const { return {polls}; }
  std::size_t splits_at_once() const { return at_once; }

  std::size_t at_once = 2;
  std::shared_ptr<feed> polls = std::make_shared<feed>();  // shared with the test
};

template <class Extract, class Generator>
struct fed_chain : testing::source_chain<fed_source, source_watermarks<int, Extract, Generator>> {
  explicit fed_chain(watermark_strategy<Extract, Generator> strategy, fed_source source = {})
      : testing::source_chain<fed_source, source_watermarks<int, Extract, Generator>>{source,
                                                                                      strategy},
        polls{source.polls} {}

  /// What comes out when split `split` gives `values` in one poll.
  texts feed(int split, std::vector<int> values) {
    (*polls)[split].push_back(std::move(values));
    this->it.head().on_wake();
    return this->out();
  }
  texts out() {
    this->settle();
    return std::exchange(this->seen, {});
  }
  texts after(std::int64_t ms) {
    this->advance(duration{ms});
    return std::exchange(this->seen, {});
  }
  std::optional<event_time> report() {
    return this->port->take_alignment_report(this->clock.now());
  }
  std::int64_t metric(const std::string& name) {
    for (const auto& value : this->metrics.snapshot()) {
      if (value.name == name) return value.value;
    }
    FAIL("there is no metric " << name);
    return 0;
  }

  std::shared_ptr<fed_source::feed> polls;
};

TEST_CASE("the splits of a source have watermarks of their own, the smallest counts",
          "[source_watermarks]") {
  fed_chain c{monotonous_timestamps()};
  c.give(0, 0);
  c.give(1, 1);
  CHECK(c.feed(0, {5, 12, 11}) == texts{"5", "12", "11"});
  CHECK(c.metric("watermark_held_by_split") == 1);
  CHECK(c.feed(1, {3}) == texts{"3", "watermark 2"});
  CHECK(c.metric("watermark_made") == 2);
  CHECK(c.feed(1, {20}) == texts{"20"});  // the interval has not passed
  CHECK(c.metric("watermark_held_by_split") == 0);
  CHECK(c.after(199) == texts{});
  CHECK(c.after(1) == texts{"watermark 11"});
  CHECK(c.after(1'000) == texts{});
}

TEST_CASE("nothing is put out before the first splits are all there", "[source_watermarks]") {
  fed_chain c{monotonous_timestamps().idle_after(duration{1'000})};
  c.give(0, 0);
  CHECK(c.feed(0, {50}) == texts{"50"});
  CHECK(c.after(5'000) == texts{});
  SECTION("a further one comes, behind the first") {
    c.give(1, 1);
    CHECK(c.out() == texts{});
    CHECK(c.feed(1, {7}) == texts{"7", "watermark 6"});
  }
  SECTION("no more come") {
    c.port->no_more_splits();
    CHECK(c.after(0) == texts{"watermark 49", "idle"});
  }
}

TEST_CASE("a bound and times of the records hold in a source as behind it", "[source_watermarks]") {
  const auto strategy =
      bounded_out_of_orderness(duration{10}).timestamps([](int v) { return at(10 * v); });
  fed_chain c{strategy, fed_source{1}};
  c.give(0, 0);
  CHECK(c.feed(0, {3, 2}) == texts{"3", "2", "watermark 19"});
}

TEST_CASE("a split that has ended is not waited for, and what it said counts",
          "[source_watermarks]") {
  fed_chain c{monotonous_timestamps()};
  c.give(0, 0);
  c.give(1, 1);
  c.port->no_more_splits();
  CHECK(c.feed(1, {9}) == texts{"9"});
  CHECK(c.feed(0, {4, end_of_split}) == texts{"4", "watermark 3"});
  CHECK(c.feed(1, {10}) == texts{"10"});
  CHECK(c.after(200) == texts{"watermark 9"});
  CHECK(c.feed(1, {30, end_of_split}) ==
        texts{"30", "watermark 29", "watermark max", "end of input"});
  CHECK(c.metric("watermark_made") == event_time::max().ms);
  CHECK(c.it.head().next_alarm() == clock_time::max());
}

TEST_CASE("splits that are read one after the other leave their watermark behind",
          "[source_watermarks]") {
  fed_chain c{monotonous_timestamps(), fed_source{1}};
  c.give(0, 0);
  CHECK(c.feed(0, {1}) == texts{"1", "watermark 0"});
  CHECK(c.feed(0, {8, end_of_split}) == texts{"8"});
  c.give(1, 1);
  CHECK(c.feed(1, {5}) == texts{"5"});
  CHECK(c.after(200) == texts{"watermark 7"});
  CHECK(c.feed(1, {9}) == texts{"9"});
}

TEST_CASE("a split that gives nothing for too long is idle, until its next record",
          "[source_watermarks]") {
  fed_chain c{monotonous_timestamps().idle_after(duration{1'000})};
  c.give(0, 0);
  c.give(1, 1);
  CHECK(c.feed(0, {5}) == texts{"5"});
  c.clock.advance(duration{600});
  CHECK(c.feed(1, {20}) == texts{"20", "watermark 4"});
  CHECK(c.after(400) == texts{});
  CHECK(c.after(1) == texts{"watermark 19"});  // split 0 is idle
  CHECK(c.metric("watermark_held_by_split") == 1);
  CHECK(c.after(598) == texts{});
  CHECK(c.after(1) == texts{});
  CHECK(c.after(1) == texts{"idle"});
  CHECK(c.metric("watermark_held_by_split") == -1);
  CHECK(c.after(10'000) == texts{});  // once
  CHECK(c.feed(0, {7}) == texts{"7", "active"});
  CHECK(c.feed(0, {40}) == texts{"40"});
  CHECK(c.after(200) == texts{"watermark 39"});
  CHECK(c.after(1'001) == texts{"idle"});
}

TEST_CASE("an idle source that ends says that it is active, and ends", "[source_watermarks]") {
  fed_chain c{monotonous_timestamps().idle_after(duration{1'000})};
  c.give(0, 0);
  c.port->no_more_splits();
  CHECK(c.feed(0, {5}) == texts{"5", "watermark 4"});
  CHECK(c.after(1'001) == texts{"idle"});
  CHECK(c.feed(0, {end_of_split}) == texts{"active", "watermark max", "end of input"});
}

TEST_CASE("a source that is back-pressured, or held for a barrier, does not become idle",
          "[source_watermarks]") {
  fed_chain c{monotonous_timestamps().idle_after(duration{1'000}), fed_source{1}};
  c.give(0, 0);
  CHECK(c.feed(0, {5}) == texts{"5", "watermark 4"});
  c.clock.advance(duration{900});
  SECTION("back-pressured") {
    c.open = false;
    for (int i = 6; i < 40; ++i) c.feed(0, {i});
    REQUIRE(c.it.at(1).input(0).batches() > 0);
    REQUIRE_FALSE(c.it.head().outputs_have_room());
    CHECK(c.after(5'000) == texts{});
    c.polls->at(0).clear();
    c.open = true;
    CHECK(c.out().front() == "6");
    // It had given its last record 5 s before, but was held up since.
    CHECK(c.after(1'000) == texts{});
    CHECK(c.after(1).back() == "idle");
  }
  SECTION("held") {
    c.port->hold(true);
    CHECK(c.after(5'000) == texts{});
    c.port->hold(false);
    CHECK(c.out() == texts{});
    CHECK(c.after(100) == texts{});
    CHECK(c.after(1) == texts{"idle"});
  }
}

TEST_CASE("a split that is ahead of others waits, is not idle, and barriers pass",
          "[source_watermarks]") {
  fed_chain c{
      monotonous_timestamps().idle_after(duration{1'000}).with_alignment("g", duration{100})};
  CHECK(c.report() == std::nullopt);
  c.give(0, 0);
  CHECK(c.out() == texts{});
  CHECK(c.report() == event_time::min());
  c.give(1, 1);
  CHECK(c.feed(0, {6}) == texts{"6"});
  CHECK(c.feed(1, {4}) == texts{"4", "watermark 3"});
  CHECK(c.report() == at(3));

  c.port->on_allowed(at(4));
  CHECK(c.feed(0, {50}) == texts{});  // at 5, beyond 4
  CHECK(c.metric("splits_waiting") == 1);
  CHECK(c.feed(1, {5}) == texts{"5"});
  c.snapshot();
  CHECK(c.out() == texts{"barrier 1"});
  CHECK(c.report() == std::nullopt);
  CHECK(c.after(900) == texts{"watermark 4"});
  CHECK(c.after(200) == texts{"watermark 5"});  // split 1 is idle, split 0 is not
  CHECK(c.report() == at(5));
  CHECK(c.after(5'000) == texts{});

  c.port->on_allowed(at(5));
  CHECK(c.out() == texts{"50", "watermark 49"});
  CHECK(c.metric("splits_waiting") == 1);
  c.port->on_allowed(at(60));
  CHECK(c.metric("splits_waiting") == 0);
  CHECK(c.metric("watermark_drift") == 89);  // at 49, and the slowest at −40
  CHECK(c.after(1'001) == texts{"idle"});
  CHECK(c.report() == event_time::max());
  // An idle split is not held before it gives something.
  c.port->on_allowed(at(10));
  CHECK(c.feed(0, {51}) == texts{"51", "active", "watermark 50"});
  CHECK(c.feed(0, {52}) == texts{});
  c.port->on_allowed(event_time::max());
  CHECK(c.out().front() == "52");
}

TEST_CASE("before an answer a source reads no further than its first watermark",
          "[source_watermarks]") {
  fed_chain c{monotonous_timestamps().with_alignment("g", duration{100}), fed_source{1}};
  c.give(0, 0);
  CHECK(c.feed(0, {1}) == texts{"1", "watermark 0"});
  CHECK(c.feed(0, {1}) == texts{"1"});
  CHECK(c.feed(0, {101}) == texts{"101"});
  CHECK(c.feed(0, {202}) == texts{});
  c.port->on_allowed(at(100));
  CHECK(c.out() == texts{"202"});
  CHECK(c.feed(0, {203}) == texts{});
  c.port->no_more_splits();
  c.port->on_allowed(at(300));
  CHECK(c.feed(0, {end_of_split}).back() == "end of input");
  CHECK(c.report() == event_time::max());
  CHECK(c.report() == std::nullopt);
}

TEST_CASE("a punctuated watermark comes behind its record, before the next",
          "[source_watermarks]") {
  const auto at_tens = [](const int& v, event_time time) {
    return v % 10 == 0 ? std::optional{time} : std::nullopt;
  };
  fed_chain c{punctuated_watermarks(at_tens), fed_source{1}};
  c.give(0, 0);
  CHECK(c.feed(0, {1, 10, 2, 20, 10}) ==
        texts{"1", "10", "watermark 10", "2", "20", "watermark 20", "10"});
  CHECK(c.feed(0, {30, end_of_split}) == texts{"30", "watermark 30"});
  // A barrier comes behind what was polled, although the output had no room for it.
  c.give(1, 1);
  c.open = false;
  std::vector<int> many;
  for (int i = 31; i < 400; ++i) many.push_back(i);
  c.feed(1, many);
  c.it.admit(control::barrier({1}));
  REQUIRE(c.run().ok());
  CHECK(c.seen.empty());
  c.open = true;
  const auto all = c.out();
  CHECK(all.back() == "barrier 1");
  CHECK(all.size() == 369 + 36 + 1);
}

/// The time of the newest record, by the clock: when it is asked.
struct last_seen {
  event_time last = event_time::min();
  void on_event(const int&, event_time time) { last = time; }
  std::optional<event_time> on_periodic() { return last; }
  event_time snapshot() const { return last; }
  void restore(event_time t) { last = t; }
};

TEST_CASE("a generator of the program's own is asked once per interval", "[source_watermarks]") {
  fed_chain c{watermarks_by(last_seen{}), fed_source{1}};
  c.give(0, 0);
  CHECK(c.feed(0, {5, 9, 8}) == texts{"5", "9", "8"});
  CHECK(c.after(199) == texts{});
  CHECK(c.after(1) == texts{"watermark 8"});
  CHECK(c.feed(0, {3}) == texts{"3"});
  CHECK(c.after(200) == texts{});
  CHECK(c.feed(0, {30}) == texts{"30"});
  CHECK(c.after(200) == texts{"watermark 30"});
}

TEST_CASE("a split takes its generator along to the subtask that goes on with it",
          "[source_watermarks]") {
  // Two subtasks with a split each, then one with both: and the idleness is gone.
  const auto strategy = bounded_out_of_orderness(duration{10}).idle_after(duration{500});
  fed_source source{1};
  fed_chain first{strategy, source};
  fed_chain second{strategy, source};
  first.give(0, 0);
  second.give(1, 1);
  CHECK(first.feed(0, {100}) == texts{"100", "watermark 89"});
  CHECK(second.feed(1, {300}) == texts{"300", "watermark 289"});
  CHECK(second.after(501) == texts{"idle"});
  auto all = first.snapshot();
  auto chunks = first.taken.chunks;
  all.merge(second.snapshot());
  chunks.insert(chunks.end(), second.taken.chunks.begin(), second.taken.chunks.end());

  source.at_once = 2;
  fed_chain next{strategy, source};
  REQUIRE(next.it.head().restore(chunks).ok());
  next.give(0, 0, *all.position_of(0), all.watermark_of(0));
  next.give(1, 1, *all.position_of(1), all.watermark_of(1));
  CHECK(next.out() == texts{});  // at 89 already
  CHECK(next.feed(0, {99}) == texts{"99"});
  CHECK(next.feed(0, {150}) == texts{"150", "watermark 139"});
  CHECK(next.feed(0, {400}) == texts{"400"});
  CHECK(next.after(200) == texts{"watermark 289"});

  // What a snapshot says of splits that are waiting goes on, too.
  fed_chain waiting{strategy, source};
  waiting.give(0, 0, *all.position_of(0), all.watermark_of(0));
  const auto kept = waiting.snapshot();
  CHECK(kept.watermark_of(0) == all.watermark_of(0));
}

TEST_CASE("C044: the watermark of each source is kept by its name through a restart",
          "[source_watermarks]") {
  const auto strategy = monotonous_timestamps();
  const fed_source source{3};
  fed_chain first{strategy, source};
  for (int n = 0; n < 3; ++n) first.give(static_cast<std::uint64_t>(n), n);
  CHECK(first.feed(0, {11}) == texts{"11"});
  CHECK(first.feed(1, {21}) == texts{"21"});  // the third has said nothing
  const auto stored = first.snapshot();

  fed_chain second{strategy, source};
  REQUIRE(second.it.head().restore(first.taken.chunks).ok());
  for (std::uint64_t n = 0; n < 3; ++n) {
    second.give(n, static_cast<int>(n), *stored.position_of(n), stored.watermark_of(n));
  }
  CHECK(second.feed(1, {31}) == texts{"31"});
  CHECK(second.feed(2, {6}) == texts{"6", "watermark 5"});
  CHECK(second.feed(2, {41}) == texts{"41"});
  CHECK(second.after(200) == texts{"watermark 10"});
}

TEST_CASE("a generator of the program's own is restored with its split, and damage is noticed",
          "[source_watermarks]") {
  fed_source source{1};
  fed_chain before{watermarks_by(last_seen{}), source};
  before.give(0, 0);
  before.feed(0, {70});
  CHECK(before.after(200) == texts{"watermark 70"});
  const auto stored = before.snapshot();
  fed_chain next{watermarks_by(last_seen{}), source};
  next.give(0, 0, *stored.position_of(0), stored.watermark_of(0));
  CHECK(next.out() == texts{});
  CHECK(next.after(200) == texts{"watermark 70"});

  fed_chain damaged{watermarks_by(last_seen{}), source};
  damaged.give(0, 0, {}, "?");
  const auto done = damaged.run();
  REQUIRE_FALSE(done.ok());
  CHECK(done.failure().code() == errc::corrupt);
  CHECK_FALSE(
      damaged.it.head()
          .restore(
              {{source_watermarks<int, std::nullptr_t, last_seen>::section, std::nullopt, "?", {}}})
          .ok());
}

}  // namespace
}  // namespace weir::dataflow
