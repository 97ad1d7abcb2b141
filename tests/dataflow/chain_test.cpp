// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/chain.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/flat_map_operator.hpp"
#include "weir/dataflow/map_operator.hpp"

#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using testing::batch_of;
using testing::recorder;
using testing::scripted;
using texts = std::vector<std::string>;

constexpr output_tag<int> odd{"odd"};
constexpr output_tag<int> unread{"unread"};
constexpr output_tag<double> other_type{"odd"};

constexpr std::size_t plenty = 1'000'000;

template <class R>
using pass_on = scripted<int, R>;

std::unique_ptr<operator_base> identity() {
  return std::make_unique<pass_on<int>>([](const int& x, auto& op) { op.out.collect(x); });
}

/// A chain of operators, with a recorder behind those that are asked for.
struct test_chain {
  std::size_t add(std::unique_ptr<operator_base> op) { return it.add(std::move(op)); }

  std::size_t after(std::size_t from, std::unique_ptr<operator_base> op, std::size_t output = 0) {
    const auto place = it.add(std::move(op));
    REQUIRE(it.connect(from, output, place).ok());
    return place;
  }
  texts& record(std::size_t from, std::size_t output = 0) {
    seen.push_back(std::make_unique<texts>());
    after(from, std::make_unique<recorder<int>>(*seen.back(), open), output);
    return *seen.back();
  }

  void seal(batch_limits limits = {}) {
    it.seal([this](operator_base& op, checkpoint_id id) {
      barriers.push_back(op.environment().name + " " + std::to_string(id.value));
    });
    operator_environment environment;
    environment.limits = limits;
    environment.parallelism = 4;
    environment.subtask = {2};
    for (std::size_t i = 0; i < it.size(); ++i) {
      environment.name = "op" + std::to_string(i);
      REQUIRE(it.at(i).open(environment).ok());
    }
  }

  void push(const std::vector<int>& values) { it.head().input(0).push_erased(batch_of(values)); }
  chain::outcome run(std::size_t steps = plenty) {
    auto outcome = it.run(steps);
    REQUIRE(outcome.ok());
    return *outcome;
  }

  chain it;
  bool open = true;
  std::vector<std::unique_ptr<texts>> seen;
  texts barriers;
};

TEST_CASE("records and control elements run through a chain in order", "[chain]") {
  test_chain c;
  const auto head = c.add(identity());
  const auto& seen = c.record(c.after(head, identity()));
  c.seal();
  c.push({1, 2});
  c.push({3});
  CHECK(c.run() == chain::outcome::blocked);
  c.it.admit(control::watermark(at(5)));
  c.run();
  c.push({4});
  c.run();
  c.it.admit(control::barrier({7}));
  c.run();
  CHECK(seen == texts{"1", "2", "3", "watermark 5", "4", "barrier 7"});
  CHECK(c.barriers == texts{"op0 7", "op1 7", "op2 7"});
  CHECK(c.it.quiet());
  CHECK(c.it.bytes().now == 0);
  CHECK(c.it.bytes().most > 0);
}

TEST_CASE("a partial batch stays until it is flushed, the upstream ones first", "[chain]") {
  test_chain c;
  const auto head = c.add(identity());
  const auto& seen = c.record(c.after(head, identity()));
  c.seal();
  c.push({1});
  c.run();
  CHECK(seen.empty());
  CHECK(c.it.at(0).has_partial());
  REQUIRE(c.it.flush(plenty).ok());
  CHECK(seen == texts{"1"});
  CHECK_FALSE(c.it.at(0).has_partial());
  CHECK_FALSE(c.it.at(1).has_partial());
}

TEST_CASE("the most downstream operator that can do something runs first", "[chain]") {
  test_chain c;
  texts order;
  const auto noting = [&order](std::string name) {
    return std::make_unique<pass_on<int>>([&order, name](const int& x, auto& op) {
      order.push_back(name + std::to_string(x));
      op.out.collect(x);
    });
  };
  const auto head = c.add(noting("a"));
  c.record(c.after(head, noting("b")));
  c.seal({1, 1024});
  c.push({1, 2});
  c.push({3, 4});
  c.run();
  // A batch of one row is shipped when the next comes.
  CHECK(order == texts{"a1", "a2", "b1", "a3", "a4", "b2", "b3"});
}

TEST_CASE("a chain stops when its budget is used up, and goes on from there", "[chain]") {
  test_chain c;
  const auto head = c.add(identity());
  const auto& seen = c.record(head);
  c.seal();
  CHECK(c.it.run(0).value() == chain::outcome::blocked);
  for (int i = 0; i < 4; ++i) c.push({i});
  CHECK(c.run(0) == chain::outcome::more_to_do);
  CHECK(c.run(3) == chain::outcome::more_to_do);
  CHECK_FALSE(c.it.quiet());
  CHECK(c.run(1) == chain::outcome::blocked);
  CHECK(c.it.flush(plenty).value() == chain::outcome::blocked);
  CHECK(seen == texts{"0", "1", "2", "3"});
}

TEST_CASE("an operator whose output is full waits, and nothing is lost", "[chain]") {
  test_chain c;
  const auto head = c.add(identity());
  const auto& seen = c.record(head);
  c.seal({1, 1024});
  c.open = false;
  for (int i = 0; i < 10; ++i) c.push({i});
  CHECK(c.run() == chain::outcome::blocked);
  CHECK(c.it.head().input(0).batches() == 7);  // two are with the recorder, one is not shipped
  c.open = true;
  c.run();
  REQUIRE(c.it.flush(plenty).ok());
  CHECK(seen.size() == 10);
}

TEST_CASE("a flat map of 1,000 records each keeps queues short", "[chain]") {
  const auto thousand = [](const int& x, collector<int>& out) {
    for (int i = 0; i < 1'000; ++i) out.collect(1'000 * x + i);
  };
  test_chain c;
  const auto head =
      c.add(std::make_unique<flat_map_operator<int, int, decltype(thousand)>>(thousand));
  const auto& seen = c.record(c.after(head, identity()));
  c.seal({64, 64 * 1024});
  std::vector<int> records;
  for (int i = 0; i < 100; ++i) records.push_back(i);
  c.push(records);
  c.it.head().push_control(control::watermark(at(5)));
  std::size_t most = 0;
  while (c.run(1) == chain::outcome::more_to_do) {
    for (std::size_t i = 1; i < c.it.size(); ++i) {
      most = std::max(most, c.it.at(i).input(0).batches());
    }
  }
  REQUIRE(seen.size() == 100'001);
  for (std::size_t i = 0; i < 100'000; ++i) REQUIRE(seen[i] == std::to_string(i));
  CHECK(seen.back() == "watermark 5");
  CHECK(most <= 2 + 1'000 / 64 + 1);  // what a queue takes, and what one call emits
}

TEST_CASE("a control element has left the chain when it has passed every leaf", "[chain]") {
  test_chain c;
  const auto head = c.add(identity());
  const auto left = c.after(head, identity());
  const auto right = c.after(head, identity());
  c.record(left);
  const auto lower = c.after(right, identity());
  c.record(right);
  c.record(lower);
  c.record(lower);
  c.seal();
  CHECK(c.it.head().leaves() == 4);
  CHECK(c.it.at(left).leaves() == 1);
  CHECK(c.it.at(right).leaves() == 3);
  CHECK(c.it.at(lower).leaves() == 2);
  c.it.admit(control::barrier({1}));
  std::size_t steps = 0;
  while (!c.it.no_control_inside()) {
    REQUIRE(++steps < 100);
    c.run(1);
  }
  for (const auto& seen : c.seen) CHECK(*seen == texts{"barrier 1"});
  CHECK(c.barriers.size() == c.it.size());
}

TEST_CASE("both targets of an output get every record", "[chain]") {
  test_chain c;
  const auto head = c.add(identity());
  const auto& a = c.record(head);
  const auto& b = c.record(head);
  c.seal();
  c.push({1, 2});
  c.it.admit(control::watermark(at(2)));
  c.run();
  CHECK(a == texts{"1", "2", "watermark 2"});
  CHECK(b == a);
}

TEST_CASE("a slow target holds up its sender, not the other target's records", "[chain]") {
  test_chain c;
  const auto head = c.add(identity());
  const auto& fast = c.record(head);
  bool slow_open = false;
  texts slow;
  c.after(head, std::make_unique<recorder<int>>(slow, slow_open));
  c.seal({1, 1024});
  for (int i = 0; i < 10; ++i) c.push({i});
  c.run();
  CHECK(fast == texts{"0", "1"});
  slow_open = true;
  c.run();
  REQUIRE(c.it.flush(plenty).ok());
  CHECK(fast.size() == 10);
  CHECK(slow == fast);
}

/// Passes only every second watermark on, and sends watermarks of its own.
class meddler final : public one_input_operator<int> {
 public:
  meddler() { add_output(out_); }

 private:
  status on_batch() override {
    const auto data = in().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) {
      out_.collect(data->values()[i]);
      originate(control::watermark(at(data->values()[i])));
    }
    return {};
  }
  result<handled> on_control(control c) override {
    if (c.kind() != control_kind::watermark) return handled::pass_on;
    return ++watermarks_ % 2 == 0 ? handled::pass_on : handled::ends_here;
  }

  int watermarks_ = 0;
  collector<int> out_;
};

TEST_CASE("control elements that begin or end within the chain are counted", "[chain]") {
  test_chain c;
  const auto head = c.add(identity());
  const auto middle = c.after(head, std::make_unique<meddler>());
  const auto& a = c.record(middle);
  const auto& b = c.record(middle);
  c.seal();
  c.it.admit(control::watermark(at(1)));
  c.run();
  CHECK(c.it.no_control_inside());
  CHECK(a.empty());
  c.push({5, 6});
  c.run();
  REQUIRE(c.it.flush(plenty).ok());
  CHECK(c.it.no_control_inside());
  c.it.admit(control::watermark(at(9)));
  c.run();
  CHECK(c.it.no_control_inside());
  CHECK(a == texts{"5", "watermark 5", "6", "watermark 6", "watermark 9"});
  CHECK(b == a);
}

TEST_CASE("what a function throws names operator, subtask and record time", "[chain]") {
  test_chain c;
  c.add(std::make_unique<pass_on<int>>([](const int& x, auto&) {
    if (x == 42) throw std::runtime_error{"no such thing"};
    if (x == 43) throw x;
  }));
  c.seal();
  c.push({1, 42});
  const auto failed = c.it.run(plenty);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.failure().code() == errc::user_function_failed);
  CHECK(failed.error_text() == "operator \"op0\", subtask 3/4, record time 42: no such thing");

  c.push({43});
  CHECK(c.it.run(plenty).error_text() ==
        "operator \"op0\", subtask 3/4, record time 43: an exception of an unknown type");
}

TEST_CASE("an error of an operator names it, and no time where there is none", "[chain]") {
  class failing final : public one_input_operator<int> {
    status on_batch() override { return error{errc::io_error, "disk full"}; }
  };
  test_chain c;
  c.add(std::make_unique<failing>());
  c.seal();
  c.push({1});
  const auto failed = c.it.run(plenty);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.failure().code() == errc::io_error);
  CHECK(failed.error_text() == "operator \"op0\", subtask 3/4: disk full");
}

TEST_CASE("a lack of memory is nobody's error, and gets through", "[chain]") {
  test_chain c;
  c.add(std::make_unique<pass_on<int>>([](const int&, auto&) { throw std::bad_alloc{}; }));
  c.seal();
  c.push({1});
  CHECK_THROWS_AS(c.it.run(plenty), std::bad_alloc);
}

TEST_CASE("operators whose types or outputs do not fit are not joined", "[chain]") {
  chain c;
  c.add(identity());
  c.add(std::make_unique<scripted<double, int>>([](const double&, auto&) {}));
  const auto types = c.connect(0, 0, 1);
  REQUIRE_FALSE(types.ok());
  CHECK(types.failure().code() == errc::invalid_argument);
  const auto output = c.connect(0, 1, 1);
  REQUIRE_FALSE(output.ok());
  CHECK(output.failure().code() == errc::invalid_argument);
}

TEST_CASE("a side output gets what is emitted to its tag, with the control elements", "[chain]") {
  test_chain c;
  auto op = std::make_unique<pass_on<int>>([](const int& x, pass_on<int>& self) {
    if (x % 2 == 0) return self.out.collect(x);
    self.emit_side(odd, x, at(x));
    self.emit_side(unread, x, at(x));
    self.emit_side(other_type, 0.5, at(x));
  });
  op->add_side_output("odd", std::make_unique<collector<int>>());
  const auto head = c.add(std::move(op));
  const auto& main = c.record(head);
  const auto& side = c.record(head, 1);
  c.seal();
  c.push({1, 2, 3});
  c.it.admit(control::end_of_input());
  c.run();
  CHECK(main == texts{"2", "end of input"});
  CHECK(side == texts{"1", "3", "end of input"});
  CHECK(c.it.head().dropped_side_records() == 4);
}

TEST_CASE("a barrier is inside from its admission until the cut is taken", "[chain]") {
  class probe final : public one_input_operator<int> {
   public:
    bool barrier_inside() const { return tracker().barrier_inside; }

   private:
    status on_batch() override {
      in().pop_data();
      return {};
    }
  };
  test_chain c;
  auto op = std::make_unique<probe>();
  const auto& watched = *op;
  c.add(std::move(op));
  c.seal();
  c.it.admit(control::watermark(at(1)));
  CHECK_FALSE(watched.barrier_inside());
  c.run();
  c.it.admit(control::barrier({1}));
  c.run();
  CHECK(c.it.no_control_inside());
  CHECK(watched.barrier_inside());
  c.it.barrier_done();
  CHECK_FALSE(watched.barrier_inside());
}

TEST_CASE("user code outside a step is caught and named like that in a step", "[chain]") {
  test_chain c;
  const auto head = c.add(identity());
  c.record(head);
  c.seal();
  auto thrown = chain::guarded(c.it.head(), []() -> status { throw std::runtime_error{"no"}; });
  CHECK(thrown.error_text() == "operator \"op0\", subtask 3/4: no");
  REQUIRE_FALSE(thrown.ok());
  CHECK(thrown.failure().code() == errc::user_function_failed);
  auto failed = chain::guarded(c.it.head(), [] { return status{error{errc::io_error, "full"}}; });
  CHECK(failed.error_text() == "operator \"op0\", subtask 3/4: full");
  CHECK(chain::guarded(c.it.head(), [] { return status{}; }).ok());
}

}  // namespace
}  // namespace weir::dataflow
