// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/async_order.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"

#include "dataflow/held_scheduler.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using dataflow::async_order;

class noted_step final : public state::async_step {
 public:
  explicit noted_step(std::function<void()> note) : note_{std::move(note)} {}
  void run() override { note_(); }

 private:
  std::function<void()> note_;
};

/// Records of keys 'a' to 'z', each with some accesses; a log of what has happened.
struct order_of_records {
  // All keys have one of two hashes: the order tells keys apart, not hashes.
  static std::uint64_t hash_of(char key) { return static_cast<std::uint64_t>(key % 2); }

  /// Takes a record in, whose processing makes so many accesses.
  void take(char key, const std::string& name, int accesses) {
    const auto call = [this, key, name, accesses] { process(key, name, accesses); };
    const event_time time{++taken};
    times[name] = time;
    if (order.busy(key, hash_of(key))) return order.park(key, hash_of(key), time, call);
    order.begin(key, hash_of(key), time);
    call();
    order.end();
  }
  void process(char key, const std::string& name, int accesses) {
    log.push_back(name);
    for (int i = 1; i <= accesses; ++i) access(key, name + std::to_string(i));
  }
  void access(char key, const std::string& name) {
    order.submit(std::make_unique<noted_step>([this, key, name] {
                   CHECK(key == current);
                   log.push_back(name);
                   if (times.contains(name.substr(0, name.size() - 1)))
                     CHECK(times[name.substr(0, name.size() - 1)] == now);
                   if (name.back() == '!') access(key, name + "again");
                 }),
                 0);
  }
  void work() {
    while (order.has_work()) {
      order.run_one([this](char key, std::uint64_t hash, event_time time, const auto& run) {
        CHECK(hash == hash_of(key));
        current = key;
        now = time;
        run();
      });
    }
  }

  held_scheduler scheduler;
  async_order<char> order{scheduler, 8};
  std::vector<std::string> log;
  std::map<std::string, event_time> times;
  std::int64_t taken = 0;
  char current = 0;
  event_time now{};
};

using names = std::vector<std::string>;

TEST_CASE("a key overtakes another that waits, and never itself", "[async_order]") {
  order_of_records r;
  r.take('a', "a", 1);
  r.take('c', "c", 1);  // has the same hash
  r.take('a', "A", 1);
  r.take('b', "b", 0);
  CHECK(r.log == names{"a", "c", "b"});
  CHECK(r.order.in_flight() == 3);
  r.scheduler.let_go(1);
  r.work();
  CHECK(r.log == names{"a", "c", "b", "c1"});
  CHECK_FALSE(r.order.busy('c', r.hash_of('c')));
  CHECK(r.order.busy('a', r.hash_of('a')));
  r.scheduler.let_go();
  r.work();
  CHECK(r.log == names{"a", "c", "b", "c1", "a1", "A"});
  CHECK_FALSE(r.order.idle());
  r.scheduler.let_go();
  r.work();
  CHECK(r.log.back() == "A1");
  CHECK(r.order.idle());
  CHECK(r.scheduler.open() == 0);
}

TEST_CASE("accesses of a record are made in the order in which they were begun", "[async_order]") {
  order_of_records r;
  r.take('a', "a", 3);
  r.take('a', "next", 0);
  r.scheduler.let_go(2);
  r.scheduler.let_go(1);
  r.work();
  CHECK(r.log == names{"a"});
  CHECK(r.scheduler.open() == 2);
  r.scheduler.let_go();
  r.work();
  CHECK(r.log == names{"a", "a1", "a2", "a3", "next"});
  CHECK(r.order.idle());
}

TEST_CASE("an access that a callback begins keeps its key busy", "[async_order]") {
  order_of_records r;
  const char key = 'a';
  r.order.begin(key, r.hash_of(key), {});
  r.access(key, "!");
  r.order.end();
  r.take('a', "next", 0);
  r.scheduler.let_go();
  r.work();
  CHECK(r.log == names{"!"});
  CHECK(r.order.in_flight() == 2);
  r.scheduler.let_go();
  r.work();
  CHECK(r.log == names{"!", "!again", "next"});
  CHECK(r.order.idle());
}

TEST_CASE("no more records are in flight than may be", "[async_order]") {
  order_of_records r;
  for (char key = 'a'; key < 'a' + 6; ++key) r.take(key, std::string{key}, 2);
  CHECK_FALSE(r.order.full());
  r.take('a', "p", 1);
  r.take('a', "q", 0);
  CHECK(r.order.full());
  while (r.scheduler.held() > 0) r.scheduler.let_go();
  r.work();
  CHECK(r.order.in_flight() == 2);
  r.scheduler.let_go();
  r.work();
  CHECK(r.order.idle());
}

TEST_CASE("each key sees its records and accesses in order, whatever is held back",
          "[async_order]") {
  random_generator random{GENERATE(1u, 2u, 3u, 4u, 5u)};
  order_of_records r;
  std::map<char, names> wanted;
  const auto go_on = [&] {
    if (r.scheduler.held() > 0) r.scheduler.let_go(random.below(r.scheduler.held()));
    r.work();
  };
  for (int n = 0; n < 500; ++n) {
    while (r.order.full()) go_on();
    const char key = static_cast<char>('a' + random.below(5));
    const auto name = key + std::to_string(n) + "/";
    const int accesses = static_cast<int>(random.below(4));
    wanted[key].push_back(name);
    for (int i = 1; i <= accesses; ++i) wanted[key].push_back(name + std::to_string(i));
    r.take(key, name, accesses);
    if (random.chance(1, 2)) go_on();
  }
  while (!r.order.idle()) go_on();
  std::map<char, names> seen;
  for (const auto& name : r.log) seen[name.front()].push_back(name);
  CHECK(seen == wanted);
  CHECK(r.scheduler.open() == 0);
}

}  // namespace
}  // namespace weir::testing
