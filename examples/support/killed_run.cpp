// SPDX-License-Identifier: Apache-2.0
#include "examples/support/killed_run.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>

#include "examples/support/child_process.hpp"
#include "examples/support/kill_point.hpp"

namespace example {
namespace {

using steady = std::chrono::steady_clock;
using read_outcome = child_process::read_outcome;

constexpr std::chrono::milliseconds glance{2};  // how long to wait for a line at a time

weir::error failed(std::string text) { return {weir::errc::io_error, std::move(text)}; }

/// The text is on standard error already.
weir::error failed_and_said() { return failed({}); }

class run {
 public:
  run(const job_arguments& arguments, const kill_plan& plan, const progress_listener& listener)
      : arguments_{arguments}, plan_{plan}, listener_{listener} {}

  weir::result<killed_run> carry_out() {
    if (auto killed = run_until_killed(); !killed) return std::move(killed).failure();
    if (outcome_.outcome != run_outcome::finished) return outcome_;
    outcome_.published = published_files(arguments_.output_root());
    if (outcome_.published.empty()) return failed("the job was killed before it published a file");
    if (auto finished = run_to_the_end(); !finished) return std::move(finished).failure();
    if (auto kept = check_published(); !kept) return std::move(kept).failure();
    if (outcome_.after.read == 0) outcome_.outcome = run_outcome::too_soon;
    return outcome_;
  }

 private:
  weir::result<child_process> start(const job_arguments& arguments,
                                    const std::vector<std::string>& variables) const {
    const auto program = std::filesystem::read_symlink("/proc/self/exe").string();
    return child_process::start(arguments.command_line(program), variables);
  }

  weir::status run_until_killed() {
    std::vector<std::string> variables;
    if (!plan_.point.empty()) variables.push_back(kill_point_variable + ("=" + plan_.point));
    auto child = start(arguments_, variables);
    if (!child) return std::move(child).failure();
    bool killed = false;
    std::optional<steady::time_point> kill_at;
    std::string line;
    for (;;) {
      const auto outcome = child->read_line(line, glance);
      if (outcome == read_outcome::end) break;
      if (outcome == read_outcome::line) take(line, outcome_.before, false);
      if (killed || !plan_.point.empty()) continue;
      if (!kill_at && is_time(outcome_.before)) kill_at = steady::now() + plan_.delay;
      if (!kill_at || steady::now() < *kill_at) continue;
      child->kill();
      killed = true;
    }
    const auto end = child->wait();
    if (end.signal == SIGKILL) return {};
    if (end.signal != 0) return failed("the job died of signal " + std::to_string(end.signal));
    if (end.exit_code != 0) return failed_and_said();
    outcome_.outcome =
        outcome_.before.already_finished ? run_outcome::already_finished : run_outcome::too_soon;
    return {};
  }

  bool is_time(const job_progress& progress) const {
    return progress.checkpoints >= plan_.after_checkpoints && !progress.finished &&
           !published_files(arguments_.output_root()).empty();
  }

  weir::status run_to_the_end() {
    auto arguments = arguments_;
    arguments.fresh = false;
    const auto begin = steady::now();
    auto child = start(arguments, {});
    if (!child) return std::move(child).failure();
    std::string line;
    bool recovered = false;
    for (;;) {
      const auto outcome = child->read_line(line, glance);
      if (outcome == read_outcome::end) break;
      if (outcome != read_outcome::line) continue;
      take(line, outcome_.after, true);
      if (recovered || outcome_.after.read == 0) continue;
      recovered = true;
      outcome_.recovery =
          std::chrono::duration_cast<std::chrono::milliseconds>(steady::now() - begin);
    }
    const auto end = child->wait();
    if (end.signal != 0) return failed("the job died of signal " + std::to_string(end.signal));
    if (end.exit_code != 0) return failed_and_said();
    return outcome_.after.finished ? weir::status{} : failed("the job ended without a result");
  }

  void take(const std::string& line, job_progress& progress, bool restarted) const {
    const auto next = parse_progress(line);
    if (!next) return;
    progress = *next;
    listener_(progress, restarted);
  }

  weir::status check_published() const {
    const auto now = published_files(arguments_.output_root());
    for (const auto& file : outcome_.published) {
      if (std::find(now.begin(), now.end(), file) != now.end()) continue;
      return weir::error{weir::errc::already_exists,
                         file.path + " was published before the kill and has changed since"};
    }
    return {};
  }

  const job_arguments& arguments_;
  const kill_plan& plan_;
  const progress_listener& listener_;
  killed_run outcome_;
};

}  // namespace

weir::result<killed_run> run_killed(const job_arguments& arguments, const kill_plan& plan,
                                    const progress_listener& listener) {
  return run{arguments, plan, listener}.carry_out();
}

}  // namespace example
