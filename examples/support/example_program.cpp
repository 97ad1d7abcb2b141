// SPDX-License-Identifier: Apache-2.0
#include "examples/support/example_program.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <unistd.h>

#include "weir/core/random.hpp"

#include "examples/support/killed_run.hpp"
#include "examples/support/reported_job.hpp"
#include "examples/support/run_summary.hpp"

namespace example {
namespace {

/// How often a job is started that is over before it can be killed.
constexpr int most_tries = 5;

/// A folder for one run: the one that was asked for, or a new one that is removed if all went well.
class run_folder {
 public:
  explicit run_folder(const std::string& wanted) : path_{wanted} {
    if (!wanted.empty()) return;
    path_ = (std::filesystem::temp_directory_path() / "weir_example_XXXXXX").string();
    temporary_ = ::mkdtemp(path_.data()) != nullptr;
  }
  const std::string& path() const { return path_; }
  /// False: it is not ours.
  bool remove() const {
    std::error_code ignored;
    if (temporary_) std::filesystem::remove_all(path_, ignored);
    return temporary_;
  }

 private:
  std::string path_;
  bool temporary_ = false;
};

/// Runs, kills, restarts and checks the job, as often as asked for.
class supervisor {
 public:
  supervisor(const example_program& program, job_arguments arguments)
      : program_{program}, arguments_{std::move(arguments)}, random_{arguments_.seed} {}

  int run() {
    std::uint64_t at_commit = 0;
    for (std::uint64_t i = 0; i < arguments_.runs; ++i) {
      const auto plan = plan_of(i);
      at_commit += plan.point.starts_with("coordinator.published") ? 1 : 0;
      if (arguments_.runs > 1) std::cout << "run " << i + 1 << ", killed " << text_of(plan) << '\n';
      if (const int failed = run_once(i, plan); failed != 0) return failed;
    }
    if (arguments_.runs > 1) {
      std::cout << arguments_.runs << " runs verified, " << at_commit
                << " of them killed between the publication of a checkpoint and its commits\n";
    }
    return 0;
  }

 private:
  kill_plan plan_of(std::uint64_t run) {
    kill_plan plan;
    plan.point = arguments_.kill_at;
    if (arguments_.runs == 1 || !plan.point.empty()) return plan;
    const auto checkpoints = 2 + random_.below(4);
    if (run % 3 == 2) {
      plan.point = "coordinator.published:" + std::to_string(checkpoints);
      return plan;
    }
    plan.after_checkpoints = checkpoints;
    const auto interval = static_cast<std::uint64_t>(arguments_.checkpoint_interval_ms);
    plan.delay = std::chrono::milliseconds{random_.below(interval)};
    return plan;
  }

  static std::string text_of(const kill_plan& plan) {
    if (!plan.point.empty()) return "at " + plan.point;
    return std::to_string(plan.delay.count()) + " ms after checkpoint " +
           std::to_string(plan.after_checkpoints);
  }

  int run_once(std::uint64_t number, const kill_plan& plan) {
    auto arguments = arguments_;
    if (!arguments_.folder.empty() && arguments_.runs > 1) {
      arguments.folder += "/run-" + std::to_string(number + 1);
    }
    for (int tries = 0; tries < most_tries; ++tries) {
      const run_folder folder{arguments.folder};
      auto here = arguments;
      here.folder = folder.path();
      const auto ended = run_and_show(here, plan);
      if (!ended) return complain(ended.failure(), folder);
      if (ended->outcome == run_outcome::finished) return check(here, *ended, folder);
      if (ended->outcome == run_outcome::already_finished) {
        std::cout << "already finished: " << folder.path() << '\n';
        return 0;
      }
      if (!folder.remove()) break;  // what is there is finished now
      if (!arguments.events_given) arguments.events *= 2;
    }
    return complain("the job was over before it could be killed: give it more to do");
  }

  weir::result<killed_run> run_and_show(const job_arguments& arguments,
                                        const kill_plan& plan) const {
    const bool show = ::isatty(STDOUT_FILENO) == 1;
    auto ended = run_killed(arguments, plan, [&](const job_progress& p, bool restarted) {
      if (show) std::cout << "\r\033[K" << progress_line(program_.unit, p, restarted) << std::flush;
    });
    if (show) std::cout << "\r\033[K" << std::flush;
    return ended;
  }

  int check(const job_arguments& arguments, const killed_run& run, const run_folder& folder) const {
    const auto equal = program_.verify(arguments);
    if (!equal) return complain(equal.failure(), folder);
    if (run.after.restored == 0) {
      return complain({weir::errc::io_error, "the job began again from the start"}, folder);
    }
    std::cout << summary(program_.unit, run, *equal);
    folder.remove();
    return 0;
  }

  int complain(const weir::error& failure, const run_folder& folder) const {
    // Without a message, the job's process has told.
    if (!failure.message().empty())
      return complain(failure.message() + " (in " + folder.path() + ")");
    folder.remove();
    return 1;
  }
  int complain(const std::string& text) const {
    std::cerr << program_.name << ": " << text << '\n';
    return 1;
  }

  const example_program& program_;
  job_arguments arguments_;
  weir::random_generator random_;
};

int explain(weir::environment& described) {
  const auto text = described.explain();
  if (text) {
    std::cout << *text;
    return 0;
  }
  std::cerr << described.name() << ": " << text.error_text() << '\n';
  return 1;
}

}  // namespace

int run_example(const example_program& program, int argc, char** argv) {
  const auto arguments = parse_arguments({argv + 1, argv + argc}, program.input);
  if (!arguments) {
    std::cerr << program.name << ": " << arguments.error_text() << '\n';
    return 2;
  }
  if (arguments->help) {
    std::cout << usage(argv[0], program.input);
    return 0;
  }
  if (!arguments->as_job && !arguments->explain) return supervisor{program, *arguments}.run();
  weir::environment described{program.name};
  arguments->apply_to(described);
  const auto log = std::make_shared<read_log>();
  program.describe(described, *arguments, log);
  if (arguments->explain) return explain(described);
  return run_reported(described, *log, arguments->output_root());
}

weir::status compare_rows(const std::string& name, std::vector<std::string> found,
                          std::vector<std::string> expected) {
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  const auto [f, e] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  if (f == found.end() && e == expected.end()) return {};
  const bool missing = f == found.end() || (e != expected.end() && *e < *f);
  return weir::error{weir::errc::corrupt, name + " has " + std::to_string(found.size()) +
                                              " rows, expected " + std::to_string(expected.size()) +
                                              "; " +
                                              (missing ? "missing: " + *e : "too many: " + *f)};
}

}  // namespace example
