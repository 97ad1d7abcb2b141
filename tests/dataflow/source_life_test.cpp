// SPDX-License-Identifier: Apache-2.0
// Sources that have nothing for a while, and sources with state of their own.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/source_operator.hpp"
#include "weir/state/state.hpp"

#include "dataflow/source_chain.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using testing::source_chain;
using texts = std::vector<std::string>;

/// What a reader finds: shared with the test.
struct inbox {
  std::vector<int> records;
  std::size_t polls = 0;
  std::function<void()> wake;
};

/// Gives what is in its inbox, and has nothing now when that is empty. `Asked` is how it gets to be
/// asked again.
enum class asked { never, at_times, when_woken };

template <asked How>
struct inbox_source {
  using value_type = int;
  using split_type = int;
  using position_type = int;

  struct reader {
    std::shared_ptr<inbox> from;
    clock_time next{};

    status open(const int&, const int&) { return {}; }
    result<poll_outcome> poll(collector<int>& out, std::size_t) {
      ++from->polls;
      if (from->records.empty()) return poll_outcome::nothing_now;
      for (const int value : from->records) out.collect(value);
      from->records.clear();
      return poll_outcome::produced;
    }
    int position() const { return 0; }
    clock_time next_poll()
      requires(How == asked::at_times)
    {
      return next = next + duration{10};
    }
  };

  result<std::vector<int>> splits(file_system&) const { return std::vector<int>{0}; }
  reader make_reader(file_system&) const
    requires(How != asked::when_woken)
  {
    return reader{from};
  }
  reader make_reader(const operator_environment& environment) const
    requires(How == asked::when_woken)
  {
    from->wake = environment.wake;
    return reader{from};
  }

  std::shared_ptr<inbox> from = std::make_shared<inbox>();
};

TEST_CASE("a source that has nothing now is asked again when it said, and not before",
          "[source_operator]") {
  inbox_source<asked::at_times> definition;
  source_chain c{definition};
  c.give(0, 0);
  c.settle();
  CHECK(definition.from->polls == 1);
  CHECK_FALSE(c.it.head().has_work());
  CHECK(c.it.head().next_alarm() == clock_time{10});
  definition.from->records = {7};
  c.settle();
  c.it.head().on_alarm(clock_time{9});
  c.settle();
  CHECK(definition.from->polls == 1);
  c.it.head().on_alarm(clock_time{10});
  c.settle();
  CHECK(definition.from->polls == 3);
  CHECK(c.it.head().next_alarm() == clock_time{20});
  c.snapshot();
  CHECK(definition.from->polls == 3);
  CHECK(c.seen == texts{"7", "barrier 1"});
}

TEST_CASE("a source that has nothing now is asked again when it is woken", "[source_operator]") {
  inbox_source<asked::when_woken> definition;
  source_chain c{definition};
  c.give(0, 0);
  c.settle();
  CHECK(c.it.head().next_alarm() == clock_time::max());
  for (int n = 1; n <= 3; ++n) {
    c.settle();
    CHECK(definition.from->polls == 2 * static_cast<std::size_t>(n) - 1);
    definition.from->records = {n};
    definition.from->wake();
    REQUIRE(std::exchange(c.woken, false));
    c.it.head().on_wake();
    c.settle();
  }
  CHECK(c.seen == texts{"1", "2", "3"});
}

TEST_CASE("a source that has nothing now and no way to be asked again is an error",
          "[source_operator]") {
  source_chain c{inbox_source<asked::never>{}};
  c.give(0, 0);
  CHECK(c.run().error_text().find("no way to be asked again") != std::string::npos);
}

/// Emits the running sums of 1, 2, 3, …, up to three in a poll, of which each other has nothing.
/// The sum is a state of the reader; the position is the last number.
struct sums {
  using value_type = std::int64_t;
  using split_type = int;
  using position_type = std::int64_t;

  static constexpr std::int64_t last = 60;

  struct reader {
    state::operator_list_state<std::int64_t> sum{"sum"};
    auto uses_states() { return states(sum); }

    std::int64_t number = 0;
    std::int64_t total = 0;
    bool rests = false;
    std::shared_ptr<texts> told;

    void initialize_state(initialization_context&) {
      for (const auto part : sum.get()) total += part;
    }
    status open(const int&, const std::int64_t& position) {
      number = position;
      return {};
    }
    result<poll_outcome> poll(collector<std::int64_t>& out, std::size_t) {
      if (rests = !rests; rests) return poll_outcome::nothing_now;
      for (int i = 0; i < 3 && number < last; ++i) {
        total += ++number;
        sum.update({total});
        out.collect(total);
      }
      return number == last ? poll_outcome::split_done : poll_outcome::produced;
    }
    std::int64_t position() const { return number; }
    clock_time next_poll() const { return {}; }
    void notify_checkpoint_complete(checkpoint_id id) { told->push_back(std::to_string(id.value)); }
  };

  result<std::vector<int>> splits(file_system&) const { return std::vector<int>{0}; }
  reader make_reader(file_system&) const {
    reader made;
    made.told = told;
    return made;
  }

  std::shared_ptr<texts> told = std::make_shared<texts>();
};

TEST_CASE("what a poll emits and what it changes are in the same checkpoint, wherever that falls",
          "[source_operator]") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    random_generator random{seed};
    texts committed;
    std::vector<state::snapshot_chunk> chunks;
    std::string position;
    bool restored = false, finished = false;
    while (!finished) {
      source_chain c{sums{}};
      if (restored) REQUIRE(c.it.head().restore(chunks).ok());
      REQUIRE(c.it.head().start().ok());
      c.give(0, 0, position);
      texts since;
      while (!random.chance(1, 8)) {
        c.it.head().on_wake();
        REQUIRE(c.run(random.below(4)).ok());
        if (random.chance(1, 3)) c.open = !c.open;
        if (!random.chance(1, 3)) continue;
        c.open = true;
        const auto read = c.snapshot();
        REQUIRE(c.seen.back().starts_with("barrier"));
        c.seen.pop_back();
        committed.insert(committed.end(), c.seen.begin(), c.seen.end());
        c.seen.clear();
        chunks = c.taken.chunks;
        restored = true;
        position = read.position_of(0) != nullptr ? *read.position_of(0) : "";
        finished = read.is_finished(0);
        if (finished) break;
      }
    }
    std::int64_t total = 0;
    REQUIRE(committed.size() == sums::last);
    for (std::int64_t n = 1; n <= sums::last; ++n) {
      REQUIRE(committed[static_cast<std::size_t>(n - 1)] == std::to_string(total += n));
    }
  }
}

TEST_CASE("a reader is told of complete checkpoints", "[source_operator]") {
  sums definition;
  source_chain c{definition};
  REQUIRE(c.it.head().start().ok());
  c.it.head().on_checkpoint_complete({3});
  CHECK(*definition.told == texts{"3"});
}

}  // namespace
}  // namespace weir::dataflow
