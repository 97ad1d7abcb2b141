// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/timer_queue.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/core/key_groups.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

constexpr auto event = timer_domain::event;
constexpr auto processing = timer_domain::processing;
constexpr auto whenever = std::numeric_limits<std::int64_t>::max();

using key_timer = timer<std::string>;
using row = std::tuple<timer_domain, std::int64_t, std::string>;

class chunks_in_memory final : public state::snapshot_stream {
 public:
  void put(state::snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }

  std::vector<state::snapshot_chunk> chunks;
};

template <class Subject>
void change(timer_queue<Subject>& queue, timer_change what, timer<Subject> t) {
  timer_log<Subject> log;
  log.entries.push_back({what, t.domain, t.time, t.subject});
  queue.apply(log);
}

void add(timer_queue<std::string>& queue, timer_domain domain, std::int64_t time, std::string key) {
  change(queue, timer_change::add, {domain, time, std::move(key)});
}

std::vector<key_timer> lease(timer_queue<std::string>& queue, timer_domain domain,
                             std::int64_t until, std::size_t limit = 1024) {
  const auto chunk = queue.lease_due(domain, until, limit, {});
  if (!chunk) return {};
  return static_cast<timer_chunk<std::string>&>(*chunk).timers;
}

std::set<row> rows(timer_queue<std::string>& queue) {
  std::set<row> out;
  for (auto domain : {event, processing})
    for (const auto& t : lease(queue, domain, whenever)) out.insert({t.domain, t.time, t.subject});
  return out;
}

std::vector<state::snapshot_chunk> snapshot(const timer_queue_base& queue) {
  chunks_in_memory out;
  queue.snapshot(out);
  return out.chunks;
}

struct shared_window {
  std::int64_t end;
};

}  // namespace

template <>
struct timer_subject<shared_window> {
  static constexpr bool storable = false;
  static std::uint64_t hash(const shared_window& w) { return stable_hash(w.end); }
  static bool equal(const shared_window& a, const shared_window& b) { return a.end == b.end; }
  static signal_kind kind(const shared_window&) { return signal_kind::purge; }
};

TEST_CASE("only timers that are due are leased, in order, up to the limit", "[timer_queue]") {
  timer_queue<std::string> queue{128};
  add(queue, event, 30, "a");
  add(queue, event, 10, "a");
  add(queue, event, 20, "b");
  add(queue, event, 10, "a");
  add(queue, processing, 5, "a");
  CHECK(lease(queue, event, 9).empty());
  CHECK(lease(queue, event, 20, 1) == std::vector<key_timer>{{event, 10, "a"}});
  CHECK(lease(queue, event, 20) == std::vector<key_timer>{{event, 20, "b"}});
  CHECK(lease(queue, event, 20).empty());
  CHECK(queue.earliest(event) == 30);
  CHECK(queue.earliest(processing) == 5);
  CHECK(queue.size(event) == 3);
}

TEST_CASE("a lease ends when the timer is confirmed or removed", "[timer_queue]") {
  const auto end = GENERATE(timer_change::confirm, timer_change::remove);
  timer_queue<std::string> queue{128};
  add(queue, event, 10, "a");
  lease(queue, event, 10);
  add(queue, event, 10, "a");
  CHECK_FALSE(queue.earliest(event));
  change<std::string>(queue, end, {event, 10, "a"});
  CHECK(queue.size(event) == 0);
  add(queue, event, 10, "a");
  CHECK(queue.earliest(event) == 10);
}

TEST_CASE("the planted fault forgets a FIRE when it is sent, and no PURGE", "[timer_queue]") {
  timer_queue<std::string> fires{128};
  add(fires, event, 10, "a");
  add(fires, event, 20, "a");
  fires.lease_due(event, 10, 1024, {.fire_not_leased = true});
  CHECK(fires.size(event) == 1);

  timer_queue<shared_window> purges{128};
  change<shared_window>(purges, timer_change::add, {event, 10, {10}});
  purges.lease_due(event, 10, 1024, {.fire_not_leased = true});
  CHECK(purges.size(event) == 1);
}

TEST_CASE("after quiescing only due processing timers are left, and none can come",
          "[timer_queue]") {
  timer_queue<std::string> queue{128};
  add(queue, processing, 10, "a");
  add(queue, processing, 11, "b");
  add(queue, event, 50, "c");
  queue.quiesce(clock_time{10});
  add(queue, processing, 9, "d");
  add(queue, event, 60, "c");
  CHECK(rows(queue) == std::set<row>{{processing, 10, "a"}, {event, 50, "c"}, {event, 60, "c"}});
}

TEST_CASE("a snapshot holds all timers by key group, leased ones too", "[timer_queue]") {
  timer_queue<std::string> queue{128};
  std::set<row> all;
  for (int i = 0; i < 50; ++i) {
    const auto domain = i % 3 == 0 ? processing : event;
    add(queue, domain, i - 20, "key " + std::to_string(i));
    all.insert({domain, i - 20, "key " + std::to_string(i)});
  }
  lease(queue, event, 0);
  const auto chunks = snapshot(queue);

  SECTION("restored in one, in any order of the chunks") {
    timer_queue<std::string> restored{128};
    CHECK(restored.restore(std::vector(chunks.rbegin(), chunks.rend())).ok());
    CHECK(rows(restored) == all);
  }
  SECTION("restored to three subtasks, each gets the timers of its own keys") {
    std::set<row> together;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const auto range = range_of(subtask_index{i}, 3, 128);
      std::vector<state::snapshot_chunk> own;
      std::copy_if(chunks.begin(), chunks.end(), std::back_inserter(own),
                   [&](const auto& chunk) { return range.contains(*chunk.group); });
      timer_queue<std::string> restored{128};
      CHECK(restored.restore(own).ok());
      for (const auto& r : rows(restored)) {
        CHECK(range.contains(key_group_of(stable_hash(std::get<2>(r)), 128)));
        CHECK(together.insert(r).second);
      }
    }
    CHECK(together == all);
  }
}

TEST_CASE("timers that windows share are in no snapshot", "[timer_queue]") {
  timer_queue<shared_window> queue{128};
  change<shared_window>(queue, timer_change::add, {event, 10, {10}});
  CHECK(snapshot(queue).empty());
  CHECK(queue.restore({{"timers", key_group{1}, "x", {}}}).ok());
}

TEST_CASE("restoring damaged or foreign timers is an error that says so", "[timer_queue]") {
  timer_queue<std::string> queue{128};
  add(queue, event, 10, "a key");
  const auto chunks = snapshot(queue);
  REQUIRE(chunks.size() == 1);
  const std::string whole = chunks[0].bytes;
  const std::size_t header = 5;  // version, length of "str", "str"

  SECTION("cut anywhere but between rows") {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      CAPTURE(length);
      timer_queue<std::string> restored{128};
      const auto read = restored.restore({{"timers", {}, whole.substr(0, length), {}}});
      CHECK(read.ok() == (length == header));
      if (!read) CHECK(read.failure().code() == errc::corrupt);
    }
  }
  SECTION("another domain") {
    auto bytes = whole;
    bytes[header] = 2;
    CHECK(queue.restore({{"timers", {}, bytes, {}}}).failure().code() == errc::corrupt);
  }
  SECTION("another format") {
    auto bytes = whole;
    bytes[0] = 9;
    CHECK(queue.restore({{"timers", {}, bytes, {}}}).error_text() ==
          "timers: format 9 is not known to this version of weir, which reads 1");
  }
  SECTION("another type of key") {
    timer_queue<std::int64_t> numbers{128};
    const auto read = numbers.restore(chunks);
    REQUIRE_FALSE(read.ok());
    CHECK(read.failure().code() == errc::invalid_argument);
    CHECK(read.error_text() ==
          "timers: the checkpoint has them for keys of type str, the operator wants i64; restore "
          "with the former key type, or give the operator a new uid");
  }
  SECTION("other sections are passed over") {
    timer_queue<std::string> restored{128};
    CHECK(restored.restore({{"rows", {}, "anything", {}}}).ok());
  }
}

}  // namespace weir::dataflow
