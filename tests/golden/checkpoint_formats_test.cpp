// SPDX-License-Identifier: Apache-2.0
// The bytes of version 1 of each format of a checkpoint folder. What a released version wrote must
// be read forever: a change of these files is a change of a format, and needs a new version.
#include <string>
#include <tuple>
#include <vector>

#include "weir/checkpoint/internal/log_record.hpp"
#include "weir/checkpoint/state_file_reader.hpp"
#include "weir/checkpoint/state_file_writer.hpp"
#include "weir/core/file_system.hpp"

#include "checkpoint/sample_manifest.hpp"
#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

std::string golden(const std::string& name) {
  const auto path = std::string{WEIR_SOURCES} + "/tests/golden/checkpoint/" + name;
  return read_file(real_file_system(), path).value();
}

TEST_CASE("a manifest of version 1 is read, and written the same", "[formats]") {
  const auto bytes = golden("manifest_1.bin");
  CHECK(encode(sample_manifest()) == bytes);
  CHECK(decode_manifest(bytes).value() == sample_manifest());
}

TEST_CASE("an epoch record of version 1 is read, and written the same", "[formats]") {
  const auto bytes = golden("epoch_1.bin");
  CHECK(internal::encode(epoch_id{300}) == bytes);
  CHECK(internal::decode_epoch(bytes).value() == epoch_id{300});
}

TEST_CASE("a last id of version 1 is read, and written the same", "[formats]") {
  const auto bytes = golden("last_id_1.bin");
  const internal::progress content{.epoch = {3}, .last_id = {1000}, .newest_record = 77};
  CHECK(internal::encode(content) == bytes);
  CHECK(internal::decode_progress(bytes).value() == content);
}

TEST_CASE("a state file of version 1 is read, and written the same", "[formats]") {
  const auto bytes = golden("state_1.bin");
  state_file_writer writer;
  writer.put("count", {.section = "rows", .group = key_group{0}, .bytes = "first"});
  writer.put("count",
             {.section = "rows", .group = key_group{32767}, .bytes = std::string(200, '\xff')});
  writer.put("sink", {.section = "pending", .group = {}, .bytes = ""});
  writer.finish();
  CHECK(writer.take() == bytes);

  std::vector<std::tuple<std::string, std::string, std::optional<key_group>, std::string>> seen;
  state_file_reader reader{[&seen](const state_chunk_view& chunk) {
    seen.emplace_back(chunk.uid, chunk.section, chunk.group, chunk.bytes);
  }};
  REQUIRE(reader.feed(bytes).ok());
  REQUIRE(reader.finish().ok());
  const decltype(seen) expected{{"count", "rows", key_group{0}, "first"},
                                {"count", "rows", key_group{32767}, std::string(200, '\xff')},
                                {"sink", "pending", std::nullopt, ""}};
  CHECK(seen == expected);
}

}  // namespace
}  // namespace weir::checkpoint
