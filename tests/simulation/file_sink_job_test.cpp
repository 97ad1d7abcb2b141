// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/connectors/file_sink.hpp"
#include "weir/simulation/simulated_job_run.hpp"

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::job_run_options;
using simulation::trace_mode;

struct row_as_text {
  void operator()(std::string& out, const window_job::row& row) const {
    out += std::to_string(row.key) + ' ' + std::to_string(row.window.ms) + ' ' +
           std::to_string(row.sum);
  }
};

using sink = connectors::file_sink<window_job::row, row_as_text>;

/// The lines of all files that can be seen in `folder`, sorted.
std::vector<std::string> visible_lines(memory_file_system& disk, const std::string& folder) {
  std::vector<std::string> lines;
  const auto names = disk.list(folder);
  if (!names) return lines;
  for (const auto& name : *names) {
    if (name.front() == '.') continue;
    const auto file = disk.open(folder + "/" + name).value();
    const auto text = file->read(0, file->size().value()).value();
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> expected_lines(const window_job& job) {
  std::vector<std::string> lines;
  for (const auto& row : job.expected()) row_as_text{}(lines.emplace_back(), row);
  std::sort(lines.begin(), lines.end());
  return lines;
}

checked_run run_file_sink_job(job_run_options options) {
  const window_job job;
  connectors::file_sink_options files;
  files.folder = "/out";
  files.roll_bytes = 50;
  std::vector<std::string> lines;
  options.on_end = [&](memory_file_system& disk) { lines = visible_lines(disk, files.folder); };
  auto run = simulation::run_job(
      [&](environment& env) { job.describe_rows(env).sink_to(sink{files}); }, options);
  const bool equal = run.finished && lines == expected_lines(job);
  return {std::move(run), equal};
}

TEST_CASE("a file sink shows each row of a job once, whatever crashes", "[whole_jobs]") {
  run_shares shares;
  for (std::uint64_t seed = 0; seed < seeds_to_try(); ++seed) {
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::off;
    shares.add(seed, run_file_sink_job(options));
  }
  shares.print("file sink");
  INFO(shares.failures);
  CHECK(shares.equal == shares.seeds);
}

}  // namespace
}  // namespace weir::testing
