// SPDX-License-Identifier: Apache-2.0
// A keyed operator whose state is not in memory.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/chain.hpp"
#include "weir/state/state.hpp"
#include "weir/testing/manual_clock.hpp"
#include "weir/testing/operator_harness.hpp"

#include "dataflow/held_scheduler.hpp"
#include "dataflow/process_fixture.hpp"
#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using dataflow::control;
using dataflow::operator_environment;

/// A keyed operator that is given a scheduler for its accesses; null: it makes them at once.
template <class F, class R>
class scheduled_operator final
    : public dataflow::keyed_operator<dataflow::one_input_operator<item>, int, F, state::untimed,
                                      dataflow::any_output_keys, R> {
  using base = dataflow::keyed_operator<dataflow::one_input_operator<item>, int, F, state::untimed,
                                        dataflow::any_output_keys, R>;

 public:
  scheduled_operator(F f, state::access_scheduler* scheduler, std::function<void()>* wake = nullptr)
      : base{std::move(f), {}}, scheduler_{scheduler}, wake_{wake} {}

  status open(const operator_environment& environment) override {
    auto with_scheduler = environment;
    with_scheduler.accesses = scheduler_;
    if (wake_ != nullptr) *wake_ = environment.wake;
    return base::open(with_scheduler);
  }

 private:
  status on_batch() override {
    this->template process_front<item_stream>(this->in(), &item::key,
                                              dataflow::internal::call_process_record);
    return {};
  }

  state::access_scheduler* scheduler_;
  std::function<void()>* wake_;
};

/// Counts the records of a key, and says so: "key value count".
struct counted {
  value_state<int> count{"count"};
  auto uses_states() { return states(count); }

  void process_record(const item& in, collector<std::string>&) {
    count.async_value()
        .then([this](const int* so_far) {
          const int now = so_far == nullptr ? 1 : *so_far + 1;
          return count.async_update(now).then([now] { return now; });
        })
        .then([in](int now, collector<std::string>& out) {
          if (in.value < 0) throw std::runtime_error{"a value below 0"};
          out.collect(std::to_string(in.key) + " " + std::to_string(in.value) + " " +
                      std::to_string(now));
        });
  }
};

using texts = std::vector<std::string>;

/// The operator with a recorder behind it, and nothing that lets accesses go but the test.
struct held_operator {
  held_operator() {
    it.add(std::make_unique<scheduled_operator<counted, std::string>>(counted{}, &scheduler));
    it.add(std::make_unique<recorder<std::string>>(seen, open));
    REQUIRE(it.connect(0, 0, 1).ok());
    it.seal([this](dataflow::operator_base& op, checkpoint_id) {
      if (&op == &it.head()) idle_at_barrier = scheduler.held() + scheduler.open() == 0;
    });
    operator_environment environment;
    environment.name = "counted";
    environment.groups = {key_group{0}, key_group{127}};
    environment.limits.rows = 1;
    environment.time = &clock;
    environment.log = &null_log_sink();
    for (std::size_t i = 0; i < it.size(); ++i) REQUIRE(it.at(i).open(environment).ok());
  }

  void feed(const std::vector<item>& items) {
    auto data = dataflow::batch<item>::make(items.size());
    for (const auto& i : items) data->append(i, at(i.value));
    data->account();
    it.head().input(0).push_erased(dataflow::erased_batch{data.release()});
  }
  const texts& run() {
    REQUIRE(it.run(100'000).ok());
    outcome = it.flush(100'000);
    REQUIRE(outcome.ok());
    REQUIRE(*outcome == dataflow::chain::outcome::blocked);
    return seen;
  }

  manual_clock clock{clock_time{0}};
  held_scheduler scheduler;
  dataflow::chain it;
  bool open = true;
  bool idle_at_barrier = false;
  texts seen;
  result<dataflow::chain::outcome> outcome = dataflow::chain::outcome::blocked;
};

TEST_CASE("a key finishes while a read of another is held back", "[async]") {
  held_operator op;
  op.feed({{1, 10}, {1, 11}, {2, 20}});
  CHECK(op.run().empty());
  op.scheduler.let_go_of(stable_hash(2));
  CHECK(op.run().empty());
  op.scheduler.let_go_of(stable_hash(2));  // its update
  CHECK(op.run() == texts{"2 20 1"});
  op.feed({{2, 21}, {1, 12}});
  for (int access = 0; access < 2; ++access) {
    op.run();
    op.scheduler.let_go_of(stable_hash(2));
  }
  CHECK(op.run() == texts{"2 20 1", "2 21 2"});
  CHECK(op.scheduler.held() == 1);
  while (op.scheduler.held() > 0) {
    op.scheduler.let_go();
    op.run();
  }
  CHECK(op.seen == texts{"2 20 1", "2 21 2", "1 10 1", "1 11 2", "1 12 3"});
  CHECK(op.scheduler.requested == 10);
}

TEST_CASE("control elements wait for what is in flight, and records behind them wait for them",
          "[async]") {
  held_operator op;
  op.feed({{1, 1}, {1, 2}, {2, 3}});
  const bool barrier = GENERATE(true, false);
  op.it.admit(barrier ? control::barrier(checkpoint_id{1}) : control::watermark(at(9)));
  op.feed({{3, 4}});
  op.run();
  while (op.scheduler.held() > 1) {
    CHECK(std::find(op.seen.begin(), op.seen.end(), "3 4 1") == op.seen.end());
    CHECK_FALSE(op.it.no_control_inside());
    op.scheduler.let_go(op.scheduler.held() - 1);
    op.run();
  }
  while (op.scheduler.held() > 0) {
    op.scheduler.let_go();
    op.run();
  }
  CHECK(op.it.no_control_inside());
  CHECK(op.idle_at_barrier == barrier);
  REQUIRE(op.seen.size() == 5);
  CHECK(op.seen[3] == (barrier ? "barrier 1" : "watermark 9"));
  CHECK(op.seen[4] == "3 4 1");
}

TEST_CASE("no more than 1,000 records are in flight", "[async]") {
  held_operator op;
  std::vector<item> items;
  for (int n = 0; n < 1500; ++n) items.push_back({n, n});
  op.feed(items);
  op.run();
  CHECK(op.scheduler.held() == 1000);
  CHECK(op.it.head().input(0).batches() == 1);
  op.scheduler.let_go();
  op.run();
  op.scheduler.let_go_of(stable_hash(0));
  op.run();
  CHECK(op.seen == texts{"0 0 1"});
  CHECK(op.scheduler.held() == 1000);
  while (op.scheduler.held() > 0) {
    while (op.scheduler.held() > 0) op.scheduler.let_go();
    op.run();
  }
  CHECK(op.seen.size() == 1500);
  CHECK(op.it.quiet());
}

TEST_CASE("a full output holds callbacks back", "[async]") {
  held_operator op;
  op.feed({{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}});
  op.run();
  op.open = false;
  for (int access = 0; access < 2; ++access) {
    while (op.scheduler.held() > 0) op.scheduler.let_go();
    op.run();
  }
  CHECK(op.seen.empty());
  CHECK(op.scheduler.open() > 0);
  op.open = true;
  op.run();
  CHECK(op.seen.size() == 6);
  CHECK(op.scheduler.open() == 0);
}

TEST_CASE("what a callback throws is told with its record", "[async]") {
  held_operator op;
  op.feed({{1, 5}, {1, -7}});
  op.run();
  for (int access = 0; access < 3; ++access) {
    op.scheduler.let_go();
    op.run();
  }
  op.scheduler.let_go();
  const auto failed = op.it.run(100);
  REQUIRE_FALSE(failed.ok());
  const auto text = failed.error_text();
  CAPTURE(text);
  CHECK(text.find("\"counted\"") != std::string::npos);
  CHECK(text.find("record time -7") != std::string::npos);
  CHECK(text.find("a value below 0") != std::string::npos);
}

TEST_CASE("a stream that is one partition makes its accesses at once", "[async]") {
  operator_harness harness{unkeyed<std::string>(counted{})};
  harness.open_output<std::string>();
  for (int n = 1; n <= 3; ++n) harness.push(item{n, n}, at(n));
  harness.deliver();
  REQUIRE(harness.outcome().ok());
  CHECK(harness.output().rows() == texts{"1 1 1", "2 2 2", "3 3 3"});
}

// -- with timers, in every mode ------------------------------------------------------------------

/// Lets accesses go by itself, in any order; wakes the subtask until all are gone.
class shuffling_scheduler final : public state::access_scheduler {
 public:
  void request(std::uint64_t id, std::uint64_t hash, std::uint32_t cell) override {
    inner_.request(id, hash, cell);
    if (wake) wake();
  }
  bool has_ready() const override {
    if (inner_.has_ready()) return true;
    if (inner_.held() == 0) return false;
    if (random_.chance(1, 3)) inner_.let_go(random_.below(inner_.held()));
    if (wake) wake();
    return inner_.has_ready();
  }
  std::uint64_t take_ready() override { return inner_.take_ready(); }
  void made(std::uint64_t id) override { inner_.made(id); }

  std::function<void()> wake;

 private:
  mutable held_scheduler inner_;
  mutable random_generator random_{7};
};

/// Keeps the last values of a key, tells them at a timer, and counts what all keys have.
struct remembering {
  list_state<int> values{"values"};
  map_state<std::string, int> by_text{"by text"};
  auto uses_states() { return states(values, by_text); }

  void process_record(const item& in, collector<std::string>&, keyed_context<int>& context) {
    context.timers().register_timer(at(context.timestamp().ms / 10 * 10 + 10));
    values.async_add(in.value);
    by_text.async_edit(std::to_string(in.value % 3), [](int& n) { ++n; });
    by_text.async_size().then([in](std::size_t n, collector<std::string>& out) {
      out.collect(std::to_string(in.key) + " has " + std::to_string(n));
    });
  }

  void on_event_timer(event_time time, collector<std::string>&, keyed_context<int>& context) {
    const auto text = std::to_string(context.current_key()) + "@" + std::to_string(time.ms) + ":";
    values.async_get()
        .then([this, text](const state::list_view<int>& all) {
          std::string line = text;
          for (const int value : all) line += " " + std::to_string(value);
          return values.async_clear().then([line] { return line; });
        })
        .then([](const std::string& line, collector<std::string>& out) { out.collect(line); });
  }
};

/// What comes out for each key, in order.
std::map<std::string, texts> outputs_of(harness_mode mode, bool scheduled) {
  auto scheduler = std::make_shared<shuffling_scheduler>();
  operator_harness harness{[&] {
                             return std::make_unique<scheduled_operator<remembering, std::string>>(
                                 remembering{}, scheduled ? scheduler.get() : nullptr,
                                 &scheduler->wake);
                           },
                           mode};
  harness.rows_per_call(1);
  harness.open_output<std::string>();
  random_generator random{3};
  for (int n = 0; n < 300; ++n) {
    const item in{static_cast<int>(random.below(6)), n};
    harness.feed([&] { harness.push(in, at(n)); });
    if (n % 25 == 24) harness.feed([&] { harness.watermark(at(n - 5)); });
    if (n % 40 == 39) harness.checkpoint();
  }
  harness.end_of_input();
  INFO((harness.outcome().ok() ? "" : harness.outcome().error_text()));
  REQUIRE(harness.outcome().ok());
  std::map<std::string, texts> outputs;
  for (const auto& row : harness.output().rows()) outputs[row.substr(0, 1)].push_back(row);
  return outputs;
}

TEST_CASE("each key's output is the same whether accesses are made at once or not", "[async]") {
  const auto wanted = outputs_of(harness_mode::one_by_one, false);
  CHECK(wanted.size() == 6);
  const auto mode =
      GENERATE(harness_mode::one_by_one, harness_mode::all_at_once, harness_mode::refusing_output,
               harness_mode::restored, harness_mode::replayed);
  CAPTURE(to_string(mode));
  CHECK(outputs_of(mode, true) == wanted);
  CHECK(outputs_of(mode, false) == wanted);
}

}  // namespace
}  // namespace weir::testing
