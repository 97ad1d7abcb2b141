// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/function_lifecycle.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/state/state.hpp"
#include "weir/testing/check_operator.hpp"

#include "dataflow/process_fixture.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using texts = std::vector<std::string>;

/// Notes all calls of its life. `Context` is that of its records.
template <class Context>
struct living {
  journal calls;

  void note(std::string what) { calls->push_back(std::move(what)); }

  void initialize_state(initialization_context& context) {
    note("initialize" + std::string{context.is_restored() ? ", restored" : ""});
  }
  void open(non_partitioned_context& context) { note("open in " + context.task().name); }
  void process_record(const item& in, collector<int>& out, Context&) {
    note("record " + std::to_string(in.value));
    out.collect(in.value);
  }
  void process_first(const item& in, collector<int>& out, Context& c) {
    process_record(in, out, c);
  }
  void process_second(const item&, collector<int>&) { note("second"); }
  void process_broadcast(const std::string& in, collector<int>&) { note(in); }
  void snapshot_state(function_snapshot_context& context) {
    note("snapshot " + std::to_string(context.checkpoint().value) + " at " +
         std::to_string(context.timestamp().ms));
  }
  void notify_checkpoint_complete(checkpoint_id id) {
    note("complete " + std::to_string(id.value));
  }
  void notify_checkpoint_aborted(checkpoint_id id) { note("aborted " + std::to_string(id.value)); }
  void end_input(collector<int>& out, non_partitioned_context&) {
    note("end");
    out.collect(-1);
  }
  void end_first_input(collector<int>& out, non_partitioned_context& c) { end_input(out, c); }
  void end_second_input(collector<int>&, non_partitioned_context&) { note("second end"); }
  void end_broadcast_input(collector<int>&, non_partitioned_context&) { note("second end"); }
  void close() { note("close"); }
};

/// An operator with a function that notes, whichever kind it is.
operator_harness::factory living_operator(int kind, const journal& calls) {
  using with_key = living<keyed_context<int>>;
  using without = living<partitioned_context>;
  switch (kind) {
    case 0: return keyed<int>(with_key{calls});
    case 1: return unkeyed<int>(without{calls});
    case 2: return keyed_pair<int>(with_key{calls});
    case 3: return unkeyed_pair<int>(without{calls});
    case 4: return keyed_with_broadcast<int>(with_key{calls});
    default: return unkeyed_with_broadcast<int>(without{calls});
  }
}

TEST_CASE("the calls of a function's life come in order, whatever its inputs",
          "[function_lifecycle]") {
  const int kind = GENERATE(0, 1, 2, 3, 4, 5);
  CAPTURE(kind);
  const auto calls = make_journal();
  operator_harness h{living_operator(kind, calls), harness_mode::one_by_one, clock_time{100}};
  auto& out = h.open_output<int>();
  h.push(item{1, 7});
  h.checkpoint();
  h.aborted_checkpoint();
  h.push(item{1, 8});
  h.end_of_input();
  h.checkpoint();
  h.close();
  REQUIRE(h.outcome().error_text() == "");
  texts expected{"initialize", "open in operator under test", "record 7",  "snapshot 1 at 100",
                 "complete 1", "snapshot 2 at 100",           "aborted 2", "record 8",
                 "end"};
  if (kind >= 2) expected.push_back("second end");
  for (const auto* last : {"snapshot 3 at 100", "complete 3", "close"}) expected.push_back(last);
  CHECK(*calls == expected);
  CHECK(out.rows() == texts{"7", "8", "-1"});
}

TEST_CASE("a restored function knows it before it opens, and is told what it was restored from",
          "[function_lifecycle]") {
  const auto calls = make_journal();
  operator_harness h{living_operator(1, calls), harness_mode::one_by_one};
  h.open_output<int>();
  h.push(item{1, 7});
  h.restore();
  h.checkpoint();
  REQUIRE(h.outcome().error_text() == "");
  CHECK(*calls == texts{"initialize", "open in operator under test", "record 7", "snapshot 1 at 0",
                        "initialize, restored", "open in operator under test", "complete 1",
                        "snapshot 2 at 0", "complete 2"});
}

/// Publishes what it got at the barrier of a checkpoint when that one is complete: as Flink's
/// listeners are to be written. What it has not published is in a list of its own.
struct publisher {
  journal published;
  int fail_at = 0;
  std::vector<int> ready = {};
  std::map<std::uint64_t, std::vector<int>> pending = {};
  state::operator_list_state<std::pair<std::uint64_t, int>>* kept = nullptr;

  void initialize_state(initialization_context& context) {
    using stored = std::pair<std::uint64_t, int>;
    kept = &context.operator_state().list_state<stored>("unpublished");
    for (const auto& [id, value] : kept->get()) pending[id].push_back(value);
  }
  void process_record(const item& in, collector<int>&) { ready.push_back(in.value); }
  void snapshot_state(function_snapshot_context& context) {
    pending[context.checkpoint().value] = std::exchange(ready, {});
    std::vector<std::pair<std::uint64_t, int>> all;
    for (const auto& [id, values] : pending) {
      for (const int value : values) all.emplace_back(id, value);
    }
    kept->update(all);
  }
  void notify_checkpoint_complete(checkpoint_id id) {
    if (fail_at != 0) throw std::runtime_error{"the table is gone"};
    while (!pending.empty() && pending.begin()->first <= id.value) {
      for (const int value : pending.begin()->second) {
        published->push_back(std::to_string(value));
      }
      pending.erase(pending.begin());
    }
  }
};

TEST_CASE("a later checkpoint covers those whose end was not told, also across a restore",
          "[function_lifecycle]") {
  const auto published = make_journal();
  operator_harness h{unkeyed<int>(publisher{published}), harness_mode::one_by_one};
  h.open_output<int>();
  h.push(item{0, 1});
  h.aborted_checkpoint();
  h.push(item{0, 2});
  CHECK(published->empty());
  h.checkpoint();
  CHECK(*published == texts{"1", "2"});
  h.push(item{0, 3});
  h.aborted_checkpoint();
  h.push(item{0, 4});
  h.restore();  // from a checkpoint of whose end the old instance was not told
  CHECK(*published == texts{"1", "2", "3", "4"});
  h.checkpoint();
  CHECK(*published == texts{"1", "2", "3", "4"});
  CHECK(h.outcome().error_text() == "");
}

TEST_CASE("completed checkpoints are told once each, in order, and none that is aborted late",
          "[function_lifecycle]") {
  const auto calls = make_journal();
  operator_harness h{living_operator(0, calls), harness_mode::one_by_one};
  h.open_output<int>();
  auto& op = h.instance();
  calls->clear();
  for (const std::uint64_t id : {3, 3, 2, 5}) op.on_checkpoint_complete({id});
  op.on_checkpoint_aborted({4});
  op.on_checkpoint_aborted({6});
  CHECK(*calls == texts{"complete 3", "complete 5", "aborted 6"});
}

TEST_CASE("a listener that throws fails the attempt with operator and subtask",
          "[function_lifecycle]") {
  operator_harness h{unkeyed<int>(publisher{make_journal(), 1}), harness_mode::one_by_one};
  h.open_output<int>();
  h.checkpoint();
  CHECK(h.outcome().error_text() ==
        "operator \"operator under test\", subtask 1/1: the table is gone");
}

struct throwing_at_once {
  void open(non_partitioned_context&) { throw std::runtime_error{"no such table"}; }
  void process_record(const item&, collector<int>&) {}
};

TEST_CASE("a function that cannot open fails the attempt with operator and subtask",
          "[function_lifecycle]") {
  operator_harness h{keyed<int>(throwing_at_once{}), harness_mode::one_by_one};
  h.open_output<int>();
  h.push(item{});
  CHECK(h.outcome().error_text() == "operator \"operator under test\", subtask 1/1: no such table");
}

/// Emits four records at a time; what is left is in its state.
struct buffering {
  state::operator_list_state<int> kept{"kept"};
  auto uses_states() { return states(kept); }
  std::vector<int> buffer = {};

  void initialize_state(initialization_context& context) {
    if (!context.is_restored() && !kept.empty()) throw std::logic_error{"state from nowhere"};
    for (const int value : kept.get()) buffer.push_back(value);
  }
  void process_record(const item& in, collector<int>& out) {
    buffer.push_back(in.value);
    if (buffer.size() < 4) return;
    for (const int value : buffer) out.collect(value);
    buffer.clear();
  }
  void snapshot_state(function_snapshot_context&) { kept.update(buffer); }
  void end_input(collector<int>& out, non_partitioned_context&) {
    for (const int value : buffer) out.collect(value);
  }
};

TEST_CASE("what a function puts into its state at a barrier is restored, in every mode",
          "[function_lifecycle]") {
  const script lines = {push(item{1, 1}, at(1)),
                        push(item{2, 2}, at(2)),
                        checkpoint(),
                        push(item{3, 3}, at(3)),
                        aborted_checkpoint(),
                        push(item{1, 4}, at(4)),
                        expect(1, 2, 3, 4),
                        push(item{1, 5}, at(5)),
                        watermark(at(5)),
                        end_of_input(),
                        expect(timed{5, event_time::min()})};
  CHECK(check<int>(unkeyed<int>(buffering{}), lines).error_text() == "");
  CHECK(check<int>(keyed<int>(buffering{}), lines).error_text() == "");
}

/// Emits from `open`, and counts on in every instance.
struct opening {
  journal drawn;
  state::operator_list_state<int> opened{"opened"};
  auto uses_states() { return states(opened); }

  void open(non_partitioned_context& context) {
    opened.add(static_cast<int>(opened.size()));
    const auto job = context.job();
    if (job.name != "test" || job.mode != execution_mode::streaming) throw std::logic_error{"job"};
    const auto task = context.task();
    if (task.parallelism != 1 || task.max_parallelism != 128 || task.index != 0) {
      throw std::logic_error{"task"};
    }
    if (task.attempt != opened.size()) throw std::logic_error{"attempt"};
    context.metrics().add_counter("opened").increment();
    auto numbers = context.random();
    if (context.random().next() != numbers.next()) throw std::logic_error{"random"};
    drawn->push_back(std::to_string(numbers.next()));
    context.apply_to_all_partitions(
        [this](collector<int>& out, partitioned_context&) { out.collect(opened.get()[0]); });
  }
  void process_record(const item&, collector<int>&) {}
};

TEST_CASE("a function that opens knows its job and task, and may emit", "[function_lifecycle]") {
  const auto drawn = make_journal();
  operator_harness h{unkeyed<int>(opening{drawn}), harness_mode::one_by_one};
  auto& out = h.open_output<int>();
  h.push(item{});
  h.restore();
  h.deliver();
  CHECK(h.outcome().error_text() == "");
  CHECK(out.rows() == texts{"0", "0"});
  CHECK(h.metrics().add_counter("opened").value() == 2);
  REQUIRE(drawn->size() == 2);
  CHECK(drawn->front() != drawn->back());  // another attempt draws other numbers
  operator_harness again{unkeyed<int>(opening{drawn}), harness_mode::one_by_one};
  again.open_output<int>();
  again.push(item{});
  REQUIRE(drawn->size() == 3);
  CHECK(drawn->front() == drawn->back());
}

}  // namespace
}  // namespace weir::testing
