// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/copy_digests.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using texts = std::vector<std::string>;

TEST_CASE("copies of a broadcast state that differ in one checkpoint are told of, once",
          "[copy_digests]") {
  dataflow::graph job;
  dataflow::graph_node node;
  node.name = "fraud detector";
  node.uid = "fraud";
  job.add(std::move(node));
  copy_digests copies;
  for (std::uint32_t subtask = 0; subtask < 3; ++subtask) {
    copies.add({1}, {subtask}, {{"fraud", "rules", subtask}});  // never complete
    copies.add({2}, {subtask}, {{"fraud", "rules", 7}, {"fraud", "names", subtask / 2}});
    copies.add({3}, {subtask}, {{"fraud", "rules", 7}});
  }
  CHECK(copies.take_warnings({2}, job) ==
        texts{"checkpoint 2: operator \"fraud detector\": broadcast state \"names\" differs "
              "between subtasks 1, 2 and subtask 3: its updates must not depend on the order in "
              "which they come"});
  CHECK(copies.take_warnings({1}, job).empty());
  CHECK(copies.take_warnings({2}, job).empty());
  CHECK(copies.take_warnings({3}, job).empty());
}

}  // namespace
}  // namespace weir::actors::internal
