// SPDX-License-Identifier: Apache-2.0
// The bytes of version 1 of operator state. What a released version wrote must be read forever.
#include <string>
#include <vector>

#include "weir/checkpoint/state_file_reader.hpp"
#include "weir/checkpoint/state_file_writer.hpp"
#include "weir/core/file_system.hpp"

#include "state/operator_fleet.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using texts = std::vector<std::string>;

/// A state file with what two subtasks of "op" have stored.
std::string written(operator_fleet& fleet) {
  checkpoint::state_file_writer writer;
  for (const auto& chunk : fleet.snapshot()) writer.put("op", chunk);
  writer.finish();
  return writer.take();
}

TEST_CASE("operator state of version 1 is read, and written the same", "[formats]") {
  const auto path = std::string{WEIR_SOURCES} + "/tests/golden/checkpoint/operator_state_1.bin";
  const auto bytes = read_file(real_file_system(), path).value();

  operator_fleet fleet{1};
  fleet[0].list_state<std::string>("files/open").update({"a", "", std::string(300, 'b')});
  fleet[0].list_state<int>("none");
  fleet[0].union_list_state<double>("offsets").update({1.5, -2});
  fleet[0].broadcast_state<std::string, std::int64_t>("limits").put("eur", -7);
  fleet[0].broadcast_state<std::string, std::int64_t>("limits").put("usd", 1'000'000);
  CHECK(written(fleet) == bytes);

  std::vector<state::snapshot_chunk> chunks;
  checkpoint::state_file_reader reader{[&chunks](const checkpoint::state_chunk_view& chunk) {
    chunks.push_back({std::string{chunk.section}, chunk.group, std::string{chunk.bytes}, {}});
  }};
  REQUIRE(reader.feed(bytes).ok());
  REQUIRE(reader.finish().ok());
  operator_fleet restored{1};
  REQUIRE(restored.restore(chunks, 1).ok());
  CHECK(all_of(restored[0].list_state<std::string>("files/open")) ==
        texts{"a", "", std::string(300, 'b')});
  CHECK(restored[0].list_state<int>("none").empty());
  CHECK(all_of(restored[0].union_list_state<double>("offsets")) == std::vector{1.5, -2.0});
  const auto limits = restored[0].broadcast_state<std::string, std::int64_t>("limits");
  CHECK(limits.size() == 2);
  CHECK(*limits.get("eur") == -7);
}

}  // namespace
}  // namespace weir::testing
