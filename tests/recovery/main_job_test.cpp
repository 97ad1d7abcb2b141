// SPDX-License-Identifier: Apache-2.0
// The examples' jobs as real processes that are killed: what they write is what it is without.
#include <algorithm>
#include <csignal>

#include "examples/support/auction_reference.hpp"
#include "examples/support/job_progress.hpp"
#include "examples/support/published_files.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

namespace weir::testing {
namespace {

using words = std::vector<std::string>;

/// A job's folder, and the process that works in it.
struct job_folder {
  std::uint64_t events = 3'000'000;
  temp_dir folder;
  std::string path = folder.path() + "/job";

  words arguments(words more = {}) const {
    words all{"--events", std::to_string(events), "--folder", path, "--checkpoint-interval", "20"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  /// Runs the job's process itself, without the one that watches and checks it.
  program_end run_job(const words& more = {}, const words& variables = {}) const {
    auto all = arguments(more);
    all.emplace_back("--job");
    return run_program("auction_monitor", all, variables);
  }

  void run_until_killed(const std::string& point) const {
    const auto end = run_job({}, {"EXAMPLE_KILL_AT=" + point});
    CAPTURE(point, end.errors);
    REQUIRE(end.signal == SIGKILL);
  }

  std::vector<std::string> rows(const std::string& sink) const {
    auto all = example::published_rows(path + "/output/" + sink);
    std::sort(all.begin(), all.end());
    return all;
  }

  void check_output() const {
    connectors::nexmark_config stream;
    stream.events = events;
    const auto expected = auction_monitor::make_auction_reference(stream);
    CHECK(rows("bids_per_auction") == expected.bids_per_auction);
    CHECK(rows("highest_bids") == expected.highest_bids);
  }
};

example::job_progress last_progress(const program_end& end) {
  const auto begin = end.output.rfind("progress");
  REQUIRE(begin != std::string::npos);
  const auto line = end.output.substr(begin, end.output.find('\n', begin) - begin);
  const auto progress = example::parse_progress(line);
  REQUIRE(progress.has_value());
  return *progress;
}

TEST_CASE("the main example is verified after a kill, also by what is known of its stream",
          "[recovery]") {
  const auto end =
      run_program("auction_monitor", {"--events", "1000000", "--checkpoint-interval", "20"});
  CAPTURE(end.output, end.errors);
  REQUIRE(end.exit_code == 0);
  CHECK(end.errors.empty());
  CHECK(end.output.find("verified: ") != std::string::npos);
  CHECK(end.output.find("10 rows of highest_bids equal an independent computation and the known "
                        "checksum") != std::string::npos);
}

TEST_CASE("rows are written once if the job dies between a checkpoint and its commits",
          "[recovery]") {
  const job_folder job;
  const auto end =
      run_program("auction_monitor", job.arguments({"--kill-at", "coordinator.published:3"}));
  CAPTURE(end.output, end.errors);
  REQUIRE(end.exit_code == 0);
  CHECK(end.output.find("verified: ") != std::string::npos);
  job.check_output();

  const auto again = run_program("auction_monitor", job.arguments());
  CHECK(again.exit_code == 0);
  CHECK(again.output.find("already finished") != std::string::npos);
  CHECK(again.output.find("verified") == std::string::npos);
}

TEST_CASE("rows are written once however often the job dies, wherever in a checkpoint",
          "[recovery]") {
  const job_folder job;
  for (const std::string point :
       {"coordinator.published:3", "subtask.acknowledged:8", "coordinator.publish:2",
        "coordinator.acknowledgement:9", "coordinator.published:2"}) {
    job.run_until_killed(point);
  }
  const auto end = job.run_job();
  CAPTURE(end.errors);
  REQUIRE(end.exit_code == 0);
  const auto progress = last_progress(end);
  CHECK(progress.finished);
  CHECK(progress.restored >= 5);
  CHECK(progress.first_read > 0);
  CHECK(progress.read < job.events);
  job.check_output();
}

TEST_CASE("words per block are verified after a kill", "[recovery]") {
  const temp_dir folder;
  std::string text;
  for (int line = 0; text.size() < (std::size_t{10} << 20); ++line) {
    text += "line " + std::to_string(line) + " of many: " + std::to_string(line % 97) + "\r\n\n";
  }
  const auto first = folder.path() + "/a text";
  const auto second = folder.path() + "/b";
  REQUIRE(write_file(real_file_system(), first, text).ok());
  REQUIRE(write_file(real_file_system(), second, "without an end").ok());
  const auto end = run_program("word_blocks",
                               {"--folder", folder.path() + "/job", "--checkpoint-interval", "20",
                                "--kill-at", "coordinator.published:2", "--input", first, second});
  CAPTURE(end.output, end.errors);
  REQUIRE(end.exit_code == 0);
  CHECK(end.output.find("rows of words equal an independent computation") != std::string::npos);
}

TEST_CASE("several runs are killed at several places", "[recovery]") {
  const temp_dir folder;
  const auto end = run_program(
      "auction_monitor", {"--checkpoint-interval", "20", "--runs", "3", "--folder", folder.path()});
  CAPTURE(end.output, end.errors);
  REQUIRE(end.exit_code == 0);
  CHECK(end.output.find("3 runs verified, 1 of them killed between the publication") !=
        std::string::npos);
}

}  // namespace
}  // namespace weir::testing
