// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/graph.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/memory_file_system.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/keyed_stream.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

const auto same = [](const int& x) { return x; };

std::string line_of(int line) { return std::string{__FILE__} + ":" + std::to_string(line); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (at <= text.size() && !text.empty()) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> uids_of(environment& env) {
  REQUIRE(env.job().build(1).error_text() == "");
  std::vector<std::string> uids;
  for (const auto& node : env.job().nodes()) uids.push_back(node.uid);
  return uids;
}

TEST_CASE("operators have the job's parallelism unless they have their own", "[graph]") {
  environment env{"job"};
  const auto numbers = env.from_collection<int>({1, 2});
  const auto mapped = numbers.map(same);
  const auto own = mapped.map(same).parallelism(3).max_parallelism(7);
  REQUIRE(env.job().build(4).ok());
  CHECK(env.job().at(numbers.origin().node).parallelism == 1);
  CHECK(env.job().at(mapped.origin().node).parallelism == 4);
  CHECK(env.job().at(mapped.origin().node).max_parallelism == default_max_parallelism(4));
  CHECK(env.job().at(own.origin().node).parallelism == 3);
  CHECK(env.job().at(own.origin().node).max_parallelism == 7);
}

TEST_CASE("a graph may be built again with another parallelism", "[graph]") {
  environment env{"job"};
  const auto mapped = env.from_collection<int>({1, 2}).map(same);
  REQUIRE(env.explain().ok());
  REQUIRE(env.job().build(300).ok());
  CHECK(env.job().at(mapped.origin().node).parallelism == 300);
  CHECK(env.job().at(mapped.origin().node).max_parallelism == default_max_parallelism(300));
}

TEST_CASE("two operators of one uid are an error that names both and their places", "[graph]") {
  environment env{"job"};
  const auto numbers = env.from_collection<int>({1});
  const int first = __LINE__ + 1;
  numbers.map(same).name("first").uid("twin");
  const int second = __LINE__ + 1;
  numbers.map(same).name("second").uid("twin");
  const auto text = env.job().build(1).error_text();
  CHECK(text == line_of(second) +
                    ": operator \"second\": uid \"twin\" is taken by operator \"first\" (" +
                    line_of(first) + "); give each operator a uid of its own");
}

TEST_CASE("a uid that is empty or kept for the engine is an error", "[graph]") {
  environment env{"job"};
  const auto numbers = env.from_collection<int>({1});
  numbers.map(same).uid("~job");
  numbers.map(same).uid("");
  numbers.map(same).uid("not~reserved");
  const auto lines = lines_of(env.job().build(1).error_text());
  REQUIRE(lines.size() == 2);
  CHECK(contains(lines[0], "uid \"~job\" begins with '~'"));
  CHECK(contains(lines[1], "its uid is empty"));
}

void add_pipeline(environment& env, bool with_extra) {
  const auto numbers = env.from_collection<int>({1});
  if (with_extra) numbers.map(same).name("something else");
  numbers.map(same).name("a").filter([](const int&) { return true; });
  numbers.map(same).name("b");
}

TEST_CASE("derived uids are the same for the same program", "[graph]") {
  environment one{"job"};
  environment two{"job"};
  add_pipeline(one, false);
  add_pipeline(two, false);
  const auto uids = uids_of(one);
  CHECK(uids == uids_of(two));
  CHECK(uids == uids_of(one));  // also when built again
  CHECK(std::set<std::string>(uids.begin(), uids.end()).size() == uids.size());
}

TEST_CASE("a derived uid does not change with operators on other paths", "[graph]") {
  environment one{"job"};
  environment two{"job"};
  add_pipeline(one, false);
  add_pipeline(two, true);
  auto with_extra = uids_of(two);
  with_extra.erase(with_extra.begin() + 1);
  CHECK(with_extra == uids_of(one));
}

TEST_CASE("equal operators in one place have different derived uids", "[graph]") {
  environment env{"job"};
  const auto numbers = env.from_collection<int>({1});
  for (int i = 0; i < 5; ++i) numbers.map(same);
  const auto uids = uids_of(env);
  CHECK(std::set<std::string>(uids.begin(), uids.end()).size() == 6);
}

TEST_CASE("a given uid of an operator decides on the uids behind it, its name does not",
          "[graph]") {
  const auto last_uid = [](const char* uid, const char* name) {
    environment env{"job"};
    env.from_collection<int>({1}).name(name).uid(uid).map(same);
    return uids_of(env).back();
  };
  CHECK(last_uid("numbers", "a") == last_uid("numbers", "b"));
  CHECK(last_uid("numbers", "a") != last_uid("others", "a"));
}

TEST_CASE("parallelism 0 and a parallelism above the key groups are errors", "[graph]") {
  environment env{"job"};
  const auto numbers = env.from_collection<int>({1});
  const int line = __LINE__ + 1;
  numbers.map(same).name("none").parallelism(0);
  numbers.map(same).name("no groups").max_parallelism(0);
  numbers.map(same).name("too many").parallelism(9).max_parallelism(8);
  const auto lines = lines_of(env.job().build(1).error_text());
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == line_of(line) + ": operator \"none\": parallelism 0, needs 1 or more");
  CHECK(lines[1] ==
        line_of(line + 1) + ": operator \"no groups\": max parallelism 0, needs 1 or more");
  CHECK(contains(lines[2], line_of(line + 2) + ": operator \"too many\": "));
}

TEST_CASE("a job needs subtasks and operators", "[graph]") {
  environment env{"job"};
  CHECK(contains(env.job().build(1).error_text(), "start with a source"));
  env.from_collection<int>({1}).map(same);
  CHECK(contains(env.job().build(0).error_text(), "parallelism 0"));
}

state::state_declaration declared(std::string name, std::string kind, std::string type) {
  state::state_declaration declaration;
  declaration.name = std::move(name);
  declaration.kind = std::move(kind);
  declaration.type = std::move(type);
  return declaration;
}

TEST_CASE("a state declared twice is an error that tells both declarations", "[graph]") {
  graph job;
  graph_node node;
  node.name = "sums";
  node.where = {"job.cpp", 12};
  node.states = {declared("total", "value", "i64"), declared("other", "value", "i64"),
                 declared("total", "reducing", "f64")};
  job.add(std::move(node));
  CHECK(job.build(1).error_text() ==
        "job.cpp:12: operator \"sums\": state \"total\" is listed twice in uses_states(), as value "
        "of "
        "i64 and as reducing of f64: give each state a name of its own");
}

TEST_CASE("a side output read with two types is an error", "[graph]") {
  environment env{"job"};
  const auto mapped = env.from_collection<int>({1}).map(same).name("split");
  mapped.side_output(output_tag<int>{"late"});
  mapped.side_output(output_tag<int>{"late"});
  CHECK(env.job().build(1).ok());
  mapped.side_output(output_tag<double>{"late"});
  const auto done = env.job().build(1);
  REQUIRE_FALSE(done.ok());
  CHECK(done.failure().code() == errc::invalid_argument);
  CHECK(contains(done.error_text(),
                 "side output \"late\" of operator \"split\" is read with two record types"));
}

TEST_CASE("a side output is one output, however often it is read", "[graph]") {
  environment env{"job"};
  const auto mapped = env.from_collection<int>({1}).map(same);
  const auto first = mapped.side_output(output_tag<int>{"a"});
  const auto second = mapped.side_output(output_tag<int>{"b"});
  const auto again = mapped.side_output(output_tag<int>{"a"});
  CHECK(first.origin().output == 1);
  CHECK(second.origin().output == 2);
  CHECK(again.origin().output == 1);
  CHECK(env.job().at(mapped.origin().node).side_outputs.size() == 2);
}

TEST_CASE("errors of all operators are told at once", "[graph]") {
  environment env{"job"};
  const auto numbers = env.from_collection<int>({1});
  numbers.assign_timestamps_and_watermarks(bounded_out_of_orderness(duration{-1}));
  numbers.map(same).uid("~");
  numbers.map(same).parallelism(0);
  numbers.map(same).parallelism(9).max_parallelism(8);
  const auto done = env.job().build(1);
  REQUIRE_FALSE(done.ok());
  const auto lines = lines_of(done.error_text());
  CHECK(lines.size() == 4);
  for (const auto& line : lines) CHECK(contains(line, "graph_test.cpp:"));
}

TEST_CASE("a source's splits are known to the graph, as bytes", "[graph]") {
  environment env{"job"};
  const auto numbers = env.from_collection(std::vector<int>(1'500, 1));
  const auto& node = env.job().at(numbers.origin().node);
  REQUIRE(node.splits);
  memory_file_system files;
  const auto splits = node.splits(files);
  REQUIRE(splits.ok());
  CHECK(*splits == std::vector<std::string>{encode(std::uint64_t{0}), encode(std::uint64_t{1024})});
}

}  // namespace
}  // namespace weir::dataflow
