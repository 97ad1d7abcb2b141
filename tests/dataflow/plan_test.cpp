// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/plan.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/chain_builder.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/global_stream.hpp"
#include "weir/dataflow/keyed_stream.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

const auto same = [](const int& x) { return x; };
const auto by_value = [](const int& x) { return x; };

plan plan_of(environment& env, std::uint32_t parallelism) {
  REQUIRE(env.job().build(parallelism).error_text() == "");
  return make_plan(env.job());
}

/// "collection map | filter": the operators of each task by name.
std::string tasks_of(environment& env, const plan& p) {
  std::string text;
  for (const auto& task : p.tasks) {
    if (!text.empty()) text += " |";
    for (const auto index : task.nodes) {
      if (!text.empty()) text += ' ';
      text += env.job().at(index).name;
    }
  }
  return text;
}

/// Adds a keyed operator that passes records on.
data_stream<int> keyed(const data_stream<int>& records) {
  graph_node node;
  node.kind = node.name = "keyed";
  node.make = [] { return std::make_unique<map_operator<int, int, decltype(same)>>(same); };
  return records.key_by(by_value).add<int>(std::move(node));
}

data_stream<int> numbers(environment& env) { return env.from_collection<int>({1, 2, 3}); }

TEST_CASE("operators of one parallelism chain in one task", "[plan]") {
  environment env{"job"};
  numbers(env).map(same).filter([](const int&) { return true; }).sink_to(collect_sink<int>{"rows"});
  const auto p = plan_of(env, 1);
  CHECK(tasks_of(env, p) == "collection map filter sink");
  CHECK(p.tasks[0].parallelism == 1);
  CHECK(p.channels.empty());
}

TEST_CASE("operators of different parallelism do not chain, and rebalance", "[plan]") {
  environment env{"job"};
  numbers(env).map(same).parallelism(3).map(same).name("next").parallelism(2);
  const auto p = plan_of(env, 1);
  CHECK(tasks_of(env, p) == "collection | map | next");
  REQUIRE(p.channels.size() == 2);
  CHECK(p.channels[0].how == partitioning::rebalance);
  CHECK(p.channels[0].why_not_chained == "the parallelisms differ");
  CHECK(p.channels[1].from_task == 1);
  CHECK(p.channels[1].to_task == 2);
  CHECK(p.tasks[1].parallelism == 3);
  CHECK(p.tasks[2].parallelism == 2);
}

TEST_CASE("a hash edge is a channel, unless both sides have one subtask", "[plan]") {
  environment parallel{"job"};
  keyed(numbers(parallel).map(same).parallelism(2)).parallelism(2);
  const auto many = plan_of(parallel, 1);
  CHECK(tasks_of(parallel, many) == "collection | map | keyed");
  CHECK(many.channels[1].how == partitioning::hash);
  CHECK(many.channels[1].why_not_chained == "partitioned by hash");

  environment single{"job"};
  keyed(numbers(single).map(same));
  CHECK(tasks_of(single, plan_of(single, 1)) == "collection map keyed");

  environment narrowing{"job"};
  keyed(numbers(narrowing).map(same).parallelism(2)).parallelism(1);
  const auto p = plan_of(narrowing, 1);
  CHECK(tasks_of(narrowing, p) == "collection | map | keyed");
  CHECK(p.channels[1].how == partitioning::hash);
}

TEST_CASE("a partitioning that is asked for is a channel, and forward is not", "[plan]") {
  environment env{"job"};
  const auto head = numbers(env).map(same).name("head");
  head.rebalance().map(same).name("a");
  head.replicate().map(same).name("b");
  head.global().sink_to(collect_sink<int>{"c"}).name("c");
  head.map(same).name("d");
  const auto p = plan_of(env, 2);
  CHECK(tasks_of(env, p) == "collection | head d | a | b | c");
  REQUIRE(p.channels.size() == 4);
  CHECK(p.channels[1].how == partitioning::rebalance);
  CHECK(p.channels[2].how == partitioning::broadcast);
  CHECK(p.channels[3].how == partitioning::global);
  CHECK(p.channels[3].why_not_chained == "the parallelisms differ");
}

TEST_CASE("an operator that starts a new chain has a channel before it", "[plan]") {
  environment env{"job"};
  numbers(env).map(same).start_new_chain().map(same).name("next");
  const auto p = plan_of(env, 1);
  CHECK(tasks_of(env, p) == "collection | map next");
  CHECK(p.channels[0].how == partitioning::forward);
  CHECK(p.channels[0].why_not_chained == "chaining is switched off");
}

TEST_CASE("a union has a channel for each of its streams, in the way of each", "[plan]") {
  environment env{"job"};
  const auto a = numbers(env).name("a");
  const auto b = numbers(env).name("b");
  const auto c = numbers(env).name("c");
  a.union_with(b.replicate(), c.rebalance().union_with(a)).map(same).parallelism(1);
  const auto p = plan_of(env, 1);
  CHECK(tasks_of(env, p) == "a | b | c | map");
  REQUIRE(p.channels.size() == 4);
  CHECK(p.channels[0].how == partitioning::forward);
  CHECK(p.channels[1].how == partitioning::broadcast);
  CHECK(p.channels[2].how == partitioning::rebalance);
  CHECK(p.channels[3].how == partitioning::forward);
  CHECK(p.channels[3].from_task == 0);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(p.channels[i].input == i);
    CHECK(p.channels[i].to_task == 3);
    CHECK(p.channels[i].why_not_chained == "the receiver has several inputs");
  }
}

TEST_CASE("a stream may be united with itself", "[plan]") {
  environment env{"job"};
  auto a = numbers(env).name("a");
  a = a.union_with(a);
  a.union_with(a).map(same);
  CHECK(plan_of(env, 1).channels.size() == 4);
}

TEST_CASE("a union that is repartitioned is so as a whole", "[plan]") {
  environment env{"job"};
  const auto a = numbers(env);
  keyed(a.rebalance().union_with(numbers(env)));
  a.union_with(numbers(env)).rebalance().map(same);
  const auto p = plan_of(env, 1);
  REQUIRE(p.channels.size() == 4);
  CHECK(p.channels[0].how == partitioning::hash);
  CHECK(p.channels[1].how == partitioning::hash);
  CHECK(p.channels[2].how == partitioning::rebalance);
  CHECK(p.channels[3].how == partitioning::rebalance);
}

TEST_CASE("a side output is an output of its own", "[plan]") {
  environment env{"job"};
  const auto mapped = numbers(env).map(same);
  mapped.side_output(output_tag<int>{"late"}).rebalance().map(same).name("late").parallelism(2);
  const auto p = plan_of(env, 1);
  CHECK(tasks_of(env, p) == "collection map | late");
  REQUIRE(p.channels.size() == 1);
  CHECK(p.channels[0].output == 1);
}

TEST_CASE("the plan as text tells tasks, uids, channels and why operators do not chain", "[plan]") {
  environment env{"job"};
  graph_node node;
  node.kind = "process";
  node.name = "sums";
  state::state_declaration declaration;
  declaration.name = "total";
  declaration.kind = "value";
  declaration.type = "i64";
  node.states = {declaration};
  node.make = [] { return std::make_unique<map_operator<int, int, decltype(same)>>(same); };
  numbers(env)
      .uid("numbers")
      .key_by(by_value)
      .add<int>(std::move(node))
      .uid("sums-uid")
      .parallelism(2);
  CHECK(env.explain().value() ==
        "task 1 (parallelism 1)\n"
        "  source \"collection\"  uid numbers\n"
        "task 2 (parallelism 2)\n"
        "  from task 1 by hash: the parallelisms differ\n"
        "  process \"sums\"  uid sums-uid\n"
        "    state \"total\": value of i64, none, no TTL\n");
}

TEST_CASE("the plan as text says which uids are derived", "[plan]") {
  environment env{"job"};
  numbers(env).uid("numbers").map(same);
  const auto text = env.explain().value();
  CHECK(text.find("uid numbers\n") != std::string::npos);
  CHECK(text.find(env.job().nodes()[1].uid + " (derived)\n") != std::string::npos);
}

TEST_CASE("the plan for Graphviz has a cluster per task and an edge per edge", "[plan]") {
  environment env{"job"};
  numbers(env).map(same).name("say \"a\\b\"").parallelism(2);
  CHECK(env.explain_dot().value() ==
        "digraph job {\n"
        "  node [shape=box];\n"
        "  subgraph cluster_0 {\n"
        "    label=\"task 1 x1\";\n"
        "    n0 [label=\"collection\"];\n"
        "  }\n"
        "  subgraph cluster_1 {\n"
        "    label=\"task 2 x2\";\n"
        "    n1 [label=\"say \\\"a\\\\b\\\"\"];\n"
        "  }\n"
        "  n0 -> n1 [label=\"rebalance\"];\n"
        "}\n");
}

TEST_CASE("a graph with errors has no plan to explain", "[plan]") {
  environment env{"job"};
  CHECK_FALSE(env.explain().ok());
  CHECK_FALSE(env.explain_dot().ok());
}

TEST_CASE("the fingerprint is the same for the same program only", "[plan]") {
  const auto fingerprint = [](int variant, std::uint32_t parallelism) {
    environment env{"job"};
    auto stream = numbers(env);
    if (variant == 1) stream = stream.rebalance();
    auto mapped = stream.map(same);
    if (variant == 2) mapped.uid("own");
    if (variant == 3) mapped.max_parallelism(64);
    if (variant == 4) mapped.map(same);
    return plan_of(env, parallelism).fingerprint;
  };
  CHECK(fingerprint(0, 1) == fingerprint(0, 1));
  CHECK(fingerprint(0, 1) == fingerprint(0, 2));  // a job may be rescaled
  for (int variant = 1; variant <= 4; ++variant) {
    CAPTURE(variant);
    CHECK(fingerprint(variant, 1) != fingerprint(0, 1));
  }
}

TEST_CASE("a chain is built of the operators of its task and the ends of its channels",
          "[chain_builder]") {
  environment env{"job"};
  const auto mapped = numbers(env).map(same);
  mapped.side_output(output_tag<int>{"late"}).map(same).name("late");
  mapped.map(same).name("far").parallelism(2);
  keyed(mapped).parallelism(2);
  const auto p = plan_of(env, 1);
  REQUIRE(tasks_of(env, p) == "collection map late | far | keyed");
  const auto built = build_chain(env.job(), p, 0);
  REQUIRE(built.ok());
  CHECK(built->nodes == p.tasks[0].nodes);
  REQUIRE(built->exits.size() == 2);
  CHECK(built->operators->size() == 5);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(built->exits[i].channel == i);
    CHECK(built->exits[i].place == 3 + i);
    CHECK(built->operators->at(3 + i).as_channel() != nullptr);
  }
  CHECK(built->operators->head().as_source() != nullptr);
  CHECK(built->operators->at(1).outputs()[0]->targets() == 2);
  CHECK(built->operators->at(1).outputs()[1]->targets() == 1);

  const auto far = build_chain(env.job(), p, 1);
  REQUIRE(far.ok());
  CHECK(far->operators->size() == 1);
  CHECK(far->exits.empty());
}

TEST_CASE("the operators of every subtask are its own", "[chain_builder]") {
  environment env{"job"};
  numbers(env).map(same);
  const auto p = plan_of(env, 1);
  const auto one = build_chain(env.job(), p, 0);
  const auto two = build_chain(env.job(), p, 0);
  CHECK(&one->operators->head() != &two->operators->head());
}

}  // namespace
}  // namespace weir::dataflow
