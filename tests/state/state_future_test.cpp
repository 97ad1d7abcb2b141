// SPDX-License-Identifier: Apache-2.0
#include "weir/state/state_future.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/state/state.hpp"

#include "state/all_kinds.hpp"
#include "state/lone_state.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::async_port;
using state::callback_argument;
using state::type_identity;

/// Stands for a collector.
template <class T>
struct sink {
  std::vector<T> taken;
};

/// Keeps accesses until they are let go.
class held_accesses final : public state::access_queue {
 public:
  void submit(std::unique_ptr<state::async_step> step, std::uint32_t) override {
    steps.push_back(std::move(step));
  }
  /// Runs one, if there is one.
  bool let_go() {
    if (steps.empty()) return false;
    const auto step = std::move(steps.front());
    steps.pop_front();
    step->run();
    return true;
  }

  std::deque<std::unique_ptr<state::async_step>> steps;
};

/// A port of a function with two outputs, and accesses that are made at once or not.
struct accesses {
  explicit accesses(bool at_once) {
    port.arguments = {{type_identity<sink<std::string>>(), &words},
                      {type_identity<sink<int>>(), &numbers},
                      {type_identity<sink<int>>(), &more_numbers}};
    if (!at_once) port.queue = &queue;
  }

  sink<std::string> words;
  sink<int> numbers, more_numbers;
  held_accesses queue;
  async_port port;
};

TEST_CASE("callbacks take what they want, in the order of a chain", "[state_future]") {
  const bool at_once = GENERATE(true, false);
  CAPTURE(at_once);
  accesses given{at_once};
  lone_state<value_state<std::string>> lone;
  lone.state.bind_async(given.port);
  auto& value = lone.of(1);

  std::vector<std::string> called;
  value.async_update("a").then([&] { called.push_back("updated"); });
  value.async_value()
      .then([&](const std::string* held, sink<std::string>& out) {
        called.push_back("read " + *held);
        out.taken.push_back(*held);
        return 7;
      })
      .then([&](int n, sink<int>& out, sink<int>& more) {
        called.push_back("then " + std::to_string(n));
        out.taken.push_back(n);
        more.taken.push_back(n + 1);
      })
      .then([&] { called.push_back("end"); });
  value.async_clear();
  value.async_value().then(
      [&](const std::string* held) { called.push_back(held == nullptr ? "absent" : *held); });
  CHECK(called.empty() == !at_once);
  int steps = 0;
  while (given.queue.let_go()) ++steps;
  CHECK(steps == (at_once ? 0 : 4));
  CHECK(called == std::vector<std::string>{"updated", "read a", "then 7", "end", "absent"});
  CHECK(given.words.taken == std::vector<std::string>{"a"});
  CHECK(given.numbers.taken == std::vector<int>{7});
  CHECK(given.more_numbers.taken == std::vector<int>{8});
}

TEST_CASE("a chain goes on behind an access that a callback returns", "[state_future]") {
  const bool at_once = GENERATE(true, false);
  CAPTURE(at_once);
  accesses given{at_once};
  lone_state<map_state<std::string, int>> lone;
  lone.state.bind_async(given.port);
  auto& map = lone.of(1);
  std::string called;
  map.async_put("a", 1)
      .then([&] {
        called += "put ";
        map.async_put("b", 2).then([&] { called += "aside "; });
        return map.async_edit("a", [](int& n) { return n += 10; });
      })
      .then([&](int n) {
        called += std::to_string(n) + " ";
        return map.async_entries().then(
            [](const state::map_view<std::string, int>& all) { return all.size(); });
      })
      .then([&](std::size_t n) { called += "size " + std::to_string(n); });
  while (given.queue.let_go()) continue;
  CHECK(called == "put aside 11 size 2");
}

TEST_CASE("what a callback captures is gone when nothing can call it any more", "[state_future]") {
  accesses given{false};
  lone_state<value_state<int>> lone;
  lone.state.bind_async(given.port);
  const auto captured = std::make_shared<int>(1);
  lone.of(1)
      .async_value()
      .then([captured](const int*) { return captured; })
      .then([captured](const std::shared_ptr<int>& same) { CHECK(same == captured); });
  CHECK(captured.use_count() == 3);
  SECTION("because it was called") { given.queue.let_go(); }
  SECTION("because the accesses are given up") { given.queue.steps.clear(); }
  CHECK(captured.use_count() == 1);
}

TEST_CASE("misuse of futures is said", "[state_future]") {
  accesses given{false};
  lone_state<value_state<int>> lone;
  auto& value = lone.of(1);
  CHECK_THROWS_AS(value.async_value().then([](const int*, sink<int>&) {}), state_error);
  lone.state.bind_async(given.port);
  auto twice = value.async_value();
  twice.then([](const int*) {});
  CHECK_THROWS_AS(twice.then([](const int*) {}), state_error);
  auto late = value.async_value();
  while (given.queue.let_go()) continue;
  CHECK_THROWS_AS(late.then([](const int*) {}), state_error);
  value.async_value().then([](const int*, sink<double>&) {});
  CHECK_THROWS_AS(given.queue.let_go(), state_error);
  value.detach();
  CHECK_THROWS_AS(value.async_value(), state_error);
}

/// A state whose accesses are made at once or not, and what was seen in callbacks.
template <class State>
struct asynchronous {
  template <class... Args>
  explicit asynchronous(bool at_once, Args&&... args)
      : given{at_once}, lone{std::forward<Args>(args)...} {
    lone.of(1).bind_async(given.port);
  }

  void show(int n) { seen += std::to_string(n) + " "; }
  const std::string& finish() {
    while (given.queue.let_go()) continue;
    return seen;
  }

  accesses given;
  lone_state<State> lone;
  State& state = lone.state;
  std::string seen;
};

TEST_CASE("states of one value have all their calls asynchronously", "[state_future]") {
  const bool at_once = GENERATE(true, false);
  CAPTURE(at_once);

  asynchronous<value_state_with_default<int>> defaulted{at_once, 5};
  defaulted.state.async_value().then([&](const int& n) { defaulted.show(n); });
  defaulted.state.async_edit([](int& n) { return ++n; }).then([&](int n) { defaulted.show(n); });
  defaulted.state.async_update(9);
  defaulted.state.async_value().then([&](const int& n) { defaulted.show(n); });
  defaulted.state.async_clear().then([&] { defaulted.show(defaulted.state.value()); });
  CHECK(defaulted.finish() == "5 6 9 5 ");

  asynchronous<reducing_state<int, std::plus<>>> sum{at_once};
  sum.state.async_add(2);
  sum.state.async_add(3);
  sum.state.async_get().then([&](const int* n) { sum.show(*n); });
  sum.state.async_clear();
  sum.state.async_get().then([&](const int* n) { sum.show(n == nullptr ? -1 : *n); });
  CHECK(sum.finish() == "5 -1 ");

  asynchronous<aggregating_state<joined>> text{at_once};
  text.state.async_add(std::string{"ab"});
  text.state.async_get().then([&](std::optional<std::string> s) { text.seen += *s + " "; });
  text.state.async_clear().then([&] { text.show(text.lone.has(1) ? 1 : 0); });
  CHECK(text.finish() == "<ab> 0 ");
}

TEST_CASE("lists and maps have all their calls asynchronously", "[state_future]") {
  const bool at_once = GENERATE(true, false);
  CAPTURE(at_once);

  asynchronous<list_state<int>> list{at_once};
  const auto count = [&](std::size_t n) { list.show(static_cast<int>(n)); };
  list.state.async_add(1);
  list.state.async_add_all(std::vector<int>{2, 3});
  list.state.async_get().then([&](const state::list_view<int>& all) {
    for (const int n : all) list.show(n);
  });
  list.state.async_update(std::vector<int>{7});
  list.state.async_size().then(count);
  list.state.async_clear();
  list.state.async_empty().then([&](bool empty) { list.show(empty ? 1 : 0); });
  CHECK(list.finish() == "1 2 3 1 1 ");

  asynchronous<map_state<std::string, int>> map{at_once};
  const auto entries = [&](std::size_t n) { map.show(static_cast<int>(n)); };
  map.state.async_put_all(std::vector<std::pair<std::string, int>>{{"a", 1}, {"b", 2}, {"c", 3}});
  map.state.async_get("b").then([&](const int* n) { map.show(*n); });
  map.state.async_remove("b");
  map.state.async_contains("b").then([&](bool there) { map.show(there ? 1 : 0); });
  map.state.async_keys().then([&](const auto& keys) { map.seen += *keys.begin() + " "; });
  map.state.async_values().then([&](const auto& values) { map.show(*values.begin()); });
  map.state.async_remove_if([](const std::string&, int n) { return n == 3; }).then(entries);
  map.state.async_size().then(entries);
  map.state.async_clear();
  map.state.async_empty().then([&](bool empty) { map.show(empty ? 1 : 0); });
  CHECK(map.finish() == "2 0 a 1 1 1 1 ");
}

}  // namespace
}  // namespace weir::testing
