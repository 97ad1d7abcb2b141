// SPDX-License-Identifier: Apache-2.0
#include "examples/support/run_summary.hpp"

#include <algorithm>

namespace example {

std::string grouped(std::uint64_t number) {
  auto text = std::to_string(number);
  for (auto at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string summary(const std::string& unit, const killed_run& run, const verdict& found) {
  std::string text;
  const auto line = [&text](std::string name, const std::string& value) {
    name.resize(22, ' ');
    text += name + value + '\n';
  };
  std::uint64_t rows = 0;
  std::string verified;
  for (const auto& each : found.comparisons) {
    rows += each.rows;
    verified += (verified.empty() ? "" : "; ") + grouped(each.rows) + " rows of " + each.name +
                " equal " + each.with;
  }
  const auto ms = std::max<std::uint64_t>(1, run.after.running_ms);
  line(unit, grouped(found.total));
  line("rows", grouped(rows));
  line("throughput", grouped(run.after.read * 1'000 / ms) + " " + unit + "/s, after the restart");
  line("checkpoints", grouped(run.before.checkpoints) + " seen before the kill, " +
                          grouped(run.after.checkpoints) + " after it");
  line("restored checkpoint", grouped(run.after.restored));
  line("first replayed", grouped(run.after.first_read));
  line("recovery time", grouped(static_cast<std::uint64_t>(run.recovery.count())) + " ms");
  line("published files", grouped(run.published.size()) + " before the kill, all as they were");
  return text + "verified: " + verified + '\n';
}

std::string progress_line(const std::string& unit, const job_progress& progress, bool restarted) {
  return (restarted ? "restarted: " : "running: ") + grouped(progress.read) + " " + unit + ", " +
         grouped(progress.checkpoints) + " checkpoints";
}

}  // namespace example
