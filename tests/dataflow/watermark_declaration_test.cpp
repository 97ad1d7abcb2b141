// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_declaration.hpp"

#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/graph.hpp"
#include "weir/dataflow/plan.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

/// A graph of operators that declare watermarks, and nothing else.
graph declaring(const std::vector<std::vector<watermark_declaration>>& functions) {
  graph job;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    graph_node node;
    node.kind = "process";
    node.name = "op" + std::to_string(i + 1);
    node.where = {"job.cpp", static_cast<int>(i + 1)};
    node.watermarks = functions[i];
    job.add(std::move(node));
  }
  return job;
}

std::string errors_of(const std::vector<std::vector<watermark_declaration>>& functions) {
  return declaring(functions).build(1).error_text();
}

struct declares {
  long_watermark level{"level"};
  auto declare_watermarks() { return watermarks(level, bool_watermark{"closed"}); }
};
struct declares_nothing {};

TEST_CASE("what a function declares is found, and by default the least and all count",
          "[watermark_declaration]") {
  declares f;
  const auto declared = declared_watermarks(f);
  REQUIRE(declared.size() == 2);
  CHECK(declared[0].identifier == "level");
  CHECK(to_string(declared[0]) == "long, min, forwarded");
  CHECK(to_string(declared[1]) == "bool, all of, forwarded");
  declares_nothing none;
  CHECK(declared_watermarks(none).empty());
}

TEST_CASE("all operators of a job share the watermarks of its functions",
          "[watermark_declaration]") {
  auto job = declaring({watermarks(long_watermark{"b"}), watermarks(bool_watermark{"a"}), {}});
  REQUIRE(job.build(1));
  REQUIRE(job.watermarks()->size() == 2);
  CHECK(job.watermarks()->find("a") == 0u);
}

TEST_CASE("two functions may declare a watermark alike, and capitals make another one",
          "[watermark_declaration]") {
  CHECK(errors_of({watermarks(long_watermark{"a"}), watermarks(long_watermark{"a"})}) == "");
  CHECK(errors_of({watermarks(long_watermark{"a"}), watermarks(bool_watermark{"A"})}) == "");
}

TEST_CASE("one identifier with two declarations is an error that names both operators",
          "[watermark_declaration]") {
  CHECK(errors_of({watermarks(long_watermark{"a"}), watermarks(bool_watermark{"a"})}) ==
        "job.cpp:2: operator \"op2\": watermark \"a\" is declared as bool, all of, forwarded, and "
        "by operator \"op1\" (job.cpp:1) as long, min, forwarded; give it another identifier, or "
        "declare it alike");
  CHECK(errors_of({watermarks(long_watermark{"a"}),
                   watermarks(long_watermark{"a", combine_long::max})}) != "");
  CHECK(errors_of({watermarks(bool_watermark{"a"}),
                   watermarks(bool_watermark{"a", combine_bool::all_of, true})}) != "");
  CHECK(errors_of({watermarks(long_watermark{"a"}),
                   watermarks(long_watermark{.identifier = "a",
                                             .handling = watermark_handling::ignore})}) != "");
}

TEST_CASE("a watermark that blocks a channel is refused, with the reason",
          "[watermark_declaration]") {
  const auto text = errors_of(
      {watermarks(long_watermark{.identifier = "a", .wait_for_all = true, .aligned = true})});
  CHECK(text ==
        "job.cpp:1: operator \"op1\": watermark \"a\" is aligned: it would block a channel until "
        "the others have sent theirs, and the barriers of checkpoints behind it with the channel; "
        "use wait_for_all without it");
}

TEST_CASE("a watermark needs an identifier", "[watermark_declaration]") {
  CHECK(errors_of({watermarks(long_watermark{})}) ==
        "job.cpp:1: operator \"op1\": watermark \"\" has an empty identifier");
}

TEST_CASE("a plan for people shows what watermarks an operator declares",
          "[watermark_declaration]") {
  auto job = declaring({watermarks(long_watermark{"level", combine_long::max, true})});
  REQUIRE(job.build(1));
  CHECK(to_text(job, make_plan(job))
            .find("    watermark \"level\": long, max, waits for all, forwarded\n") !=
        std::string::npos);
}

}  // namespace
}  // namespace weir::dataflow
