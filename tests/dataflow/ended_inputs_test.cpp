// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/ended_inputs.hpp"

#include <string>
#include <vector>

#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

state::snapshot_chunk told(std::uint32_t subtask, char inputs) {
  return {ended_inputs::section, std::nullopt, std::string(1, inputs), {subtask}};
}

TEST_CASE("each input ends for the first time once", "[ended_inputs]") {
  ended_inputs ended;
  CHECK(ended.end(1));
  CHECK_FALSE(ended.end(1));
  CHECK(ended.end(0));
  CHECK_FALSE(ended.end(0));
}

TEST_CASE("an input has ended after a restore if it had ended in all former subtasks",
          "[ended_inputs]") {
  ended_inputs ended;
  REQUIRE(ended.restore({told(0, 3), told(1, 2)}));
  CHECK(ended.end(0));
  CHECK_FALSE(ended.end(1));
}

TEST_CASE("a former subtask that tells of no ended input had none", "[ended_inputs]") {
  ended_inputs ended;
  REQUIRE(ended.restore({told(1, 3)}));
  CHECK(ended.end(0));
}

TEST_CASE("nothing is stored before an input has ended", "[ended_inputs]") {
  testing::collected_chunks out;
  ended_inputs ended;
  ended.write(out);
  CHECK(out.chunks.empty());
  ended.end(1);
  ended.write(out);
  REQUIRE(out.chunks.size() == 1);
  ended_inputs restored;
  REQUIRE(restored.restore(state::restored_chunks{out.chunks}));
  CHECK(restored.end(0));
  CHECK_FALSE(restored.end(1));
  CHECK_FALSE(ended_inputs{}.restore({{ended_inputs::section, std::nullopt, "12", {}}}));
}

}  // namespace
}  // namespace weir::dataflow
