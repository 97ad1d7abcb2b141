// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/manifest.hpp"

#include <functional>
#include <string>

#include "weir/checkpoint/internal/envelope.hpp"
#include "weir/checkpoint/internal/log_record.hpp"
#include "weir/checkpoint/manifest.pb.h"

#include "checkpoint/sample_manifest.hpp"
#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

TEST_CASE("a manifest is read as it was written", "[manifest]") {
  const auto content = sample_manifest();
  const auto bytes = encode(content);
  const auto read = decode_manifest(bytes);
  REQUIRE(read.ok());
  CHECK(*read == content);
  CHECK(encode(*read) == bytes);
  CHECK(decode_manifest(encode({.id = {1}, .epoch = {1}}))->operators.empty());
}

TEST_CASE("a file that several operators name is counted once", "[manifest]") {
  CHECK(sample_manifest().total_bytes() == 1234 + (std::uint64_t{5} << 32));
}

TEST_CASE("a manifest with any bit flipped is found to be corrupt", "[manifest]") {
  const auto bytes = encode(sample_manifest());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto read = decode_manifest(damaged);
    CAPTURE(bit);
    REQUIRE_FALSE(read.ok());
    CHECK(read.failure().code() == errc::corrupt);
  }
}

TEST_CASE("a manifest cut short anywhere, or with a byte more, is found to be corrupt",
          "[manifest]") {
  const auto bytes = encode(sample_manifest());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    CHECK_FALSE(decode_manifest(bytes.substr(0, length)).ok());
  }
  CHECK_FALSE(decode_manifest(bytes + '\0').ok());
}

TEST_CASE("what is wrong with a damaged manifest is said", "[manifest]") {
  const auto bytes = encode(sample_manifest());
  CHECK(decode_manifest("").error_text() == "it is empty");
  CHECK(decode_manifest("WEIR").error_text() == "it is cut short: no whole header");
  CHECK(decode_manifest(std::string(100, 'x')).error_text() ==
        "it is not a record of a weir checkpoint folder");
  CHECK(decode_manifest(bytes.substr(0, bytes.size() - 1)).error_text() ==
        "it is not whole: " + std::to_string(bytes.size() - 22) + " bytes expected, " +
            std::to_string(bytes.size() - 23) + " found");
  auto newer = bytes;
  newer[8] = 2;
  CHECK(decode_manifest(newer).error_text() ==
        "it has format version 2, this program reads version 1");
  auto flipped = bytes;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  CHECK(decode_manifest(flipped).error_text() == "its checksum does not match");
  CHECK(decode_manifest(internal::encode(epoch_id{3})).error_text() ==
        "it is a record of kind 'epoch', not 'manifest'");
  CHECK(decode_manifest(internal::seal(static_cast<internal::record_kind>(9), "")).error_text() ==
        "it is of the unknown kind 9");
  CHECK(decode_manifest(internal::seal(internal::record_kind::manifest, "\xff\xff")).error_text() ==
        "it is not the message it should be");
}

TEST_CASE("what must not be written is not", "[manifest]") {
  struct row {
    const char* what;
    std::function<void(manifest&)> change;
    const char* message;
  };
  const auto [what, change, message] = GENERATE(
      row{"no id", [](manifest& m) { m.id = {}; }, "it has no checkpoint id"},
      row{"no epoch", [](manifest& m) { m.epoch = {}; }, "it has no epoch"},
      row{"no uid", [](manifest& m) { m.operators[0].uid = ""; }, "an operator has no uid"},
      row{"same uid", [](manifest& m) { m.operators[0].uid = "count"; },
          "operator 'count' is there twice"},
      row{"subtask missing", [](manifest& m) { m.operators[1].subtasks.pop_back(); },
          "operator 'count': 2 subtasks expected, 1 found"},
      row{"subtask twice", [](manifest& m) { m.operators[1].subtasks[1].subtask = {0}; },
          "operator 'count': subtask 1 is missing"},
      row{"two checksums", [](manifest& m) { m.operators[0].subtasks[0].files[0].checksum = 2; },
          "operator 'count': file 'chk-7/2-3-1-0.state' is named with two lengths or checksums"});
  auto content = sample_manifest();
  change(content);
  CAPTURE(what);
  const auto checked = check(content);
  CHECK(checked.error_text() == message);
  CHECK(decode_manifest(encode(content)).error_text() == message);
}

TEST_CASE("a parallelism out of range is not written", "[manifest]") {
  auto content = sample_manifest();
  content.operators[2].max_parallelism = GENERATE(0u, 32769u);
  CHECK_FALSE(check(content).ok());
  CHECK(decode_manifest(encode(content)).failure().code() == errc::corrupt);
}

TEST_CASE("a manifest cannot name a file outside its folder", "[manifest]") {
  auto content = sample_manifest();
  auto& path = content.operators[1].subtasks[0].files[1].path;
  path = GENERATE(as<std::string>{}, "", "x", "/etc/passwd", "chk-7/../../x", "../chk-7/x",
                  "chk-7/..", "chk-7/", "chk-7/a/b", "chk-07/x", "chk-/x", "chk-7",
                  "log/0000000001", "chk-7/.hidden", "chk-7/a\nb");
  CAPTURE(path);
  CHECK(check(content).error_text() ==
        "operator 'count': '" + path + "' is not the path of a state file");
  CHECK(decode_manifest(encode(content)).failure().code() == errc::corrupt);
}

TEST_CASE("a manifest whose number of bytes is not that of its files is corrupt", "[manifest]") {
  pb::Manifest message;
  message.set_checkpoint(1);
  message.set_epoch(1);
  message.set_total_bytes(8);
  const auto bytes = internal::seal(internal::record_kind::manifest, message.SerializeAsString());
  CHECK(decode_manifest(bytes).error_text() == "8 bytes of state expected, 0 named");
}

TEST_CASE("a file of a kind that is not known is refused", "[manifest]") {
  pb::Manifest message;
  message.set_checkpoint(1);
  message.set_epoch(1);
  auto& part = *message.add_operators();
  part.set_uid("a");
  part.set_parallelism(1);
  part.set_max_parallelism(1);
  auto& file = *part.add_subtasks()->add_files();
  file.set_path("chk-1/1-1-x");
  file.set_kind(static_cast<pb::StateFile::Kind>(7));
  const auto bytes = internal::seal(internal::record_kind::manifest, message.SerializeAsString());
  CHECK(decode_manifest(bytes).error_text() == "file 'chk-1/1-1-x' is of the unknown kind 7");
}

TEST_CASE("epochs and progress are read as they were written", "[manifest]") {
  CHECK(internal::decode_epoch(internal::encode(epoch_id{1})).value() == epoch_id{1});
  const internal::progress content{.epoch = {3}, .last_id = {1000}, .newest_record = 77};
  CHECK(internal::decode_progress(internal::encode(content)).value() == content);
  CHECK_FALSE(internal::decode_epoch(internal::encode(epoch_id{0})).ok());
  CHECK_FALSE(internal::decode_epoch(internal::encode(content)).ok());
  CHECK_FALSE(internal::decode_progress("").ok());
}

}  // namespace
}  // namespace weir::checkpoint
