// SPDX-License-Identifier: Apache-2.0
// What the main example does with a checkpoint folder that is not as it was left.
#include <algorithm>
#include <csignal>
#include <filesystem>

#include "examples/support/published_files.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

namespace weir::testing {
namespace {

using words = std::vector<std::string>;

/// A job that was killed when it had completed three checkpoints.
struct killed_job {
  temp_dir folder;
  std::string path = folder.path() + "/job";

  killed_job() {
    const auto end = run({}, {"EXAMPLE_KILL_AT=coordinator.published:3"});
    CAPTURE(end.errors);
    REQUIRE(end.signal == SIGKILL);
  }

  program_end run(const words& more, const words& variables = {}) const {
    words all{"--job", "--events", "2000000", "--folder", path, "--checkpoint-interval", "20"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("auction_monitor", all, variables);
  }

  /// A file of the newest checkpoint.
  std::string newest_file() const {
    unsigned long newest = 0;
    for (const auto& entry : std::filesystem::directory_iterator{path + "/checkpoints"}) {
      const auto name = entry.path().filename().string();
      if (name.starts_with("chk-")) newest = std::max(newest, std::stoul(name.substr(4)));
    }
    const auto files =
        example::published_files(path + "/checkpoints/chk-" + std::to_string(newest));
    REQUIRE(!files.empty());
    return files.front().path;
  }
};

std::string contents_of(const std::string& file) {
  return read_file(real_file_system(), file).value();
}

void damage(const std::string& file, const std::string& how) {
  auto bytes = contents_of(file);
  if (how == "missing") {
    REQUIRE(real_file_system().remove(file).ok());
    return;
  }
  if (how == "empty") bytes.clear();
  if (how == "one byte short") bytes.pop_back();
  if (how == "one bit") bytes[bytes.size() / 2] ^= 4;
  REQUIRE(write_file(real_file_system(), file, bytes).ok());
}

TEST_CASE("a damaged newest checkpoint stops the start, in a line that names the file",
          "[recovery]") {
  const killed_job job;
  const auto file = job.newest_file();
  const auto undamaged = contents_of(file);
  for (const std::string how : {"one bit", "one byte short", "empty", "missing"}) {
    CAPTURE(how);
    REQUIRE(write_file(real_file_system(), file, undamaged).ok());
    damage(file, how);
    const auto end = job.run({});
    CAPTURE(end.errors);
    CHECK(end.exit_code == 1);
    CHECK(end.errors.find('\n') == end.errors.size() - 1);
    CHECK(end.errors.find(file.substr(file.rfind('/') + 1)) != std::string::npos);
  }
  // Nothing was changed by the starts that failed.
  REQUIRE(write_file(real_file_system(), file, undamaged).ok());
  CHECK(job.run({}).exit_code == 0);
}

TEST_CASE("by request the checkpoint before a damaged one is taken, with a warning", "[recovery]") {
  const killed_job job;
  damage(job.newest_file(), "one bit");
  const auto end = job.run({"--on-damaged-checkpoint=previous"});
  CAPTURE(end.errors);
  CHECK(end.exit_code == 0);
  CHECK(end.errors.find("warning: ") != std::string::npos);
}

TEST_CASE("a fresh start is refused where a checkpoint is", "[recovery]") {
  const killed_job job;
  const auto end = job.run({"--fresh"});
  CAPTURE(end.errors);
  CHECK(end.exit_code == 1);
  CHECK(end.errors.find("already holds a checkpoint") != std::string::npos);
  CHECK(end.errors.find('\n') == end.errors.size() - 1);
}

}  // namespace
}  // namespace weir::testing
