// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/dataflow/environment.hpp"

namespace example {

/// What an example that survives a kill is told on its command line.
struct job_arguments {
  std::uint64_t events = 3'000'000;
  bool events_given = false;       ///< not: there may be more
  std::vector<std::string> input;  ///< files
  std::string folder;              ///< empty: a new one, removed at the end
  std::int64_t checkpoint_interval_ms = 100;
  std::uint32_t parallelism = 2;
  bool fresh = false;
  bool previous_if_damaged = false;
  bool explain = false;
  bool help = false;
  std::uint64_t runs = 1;
  std::uint64_t seed = 1;  ///< of where the runs are killed

  /// For tests: at which passage of which point of the engine the job kills itself,
  /// "coordinator.published:3"; empty: the job is killed from outside.
  std::string kill_at;

  /// The process is the job itself, not the one that starts, kills and checks it.
  bool as_job = false;

  std::string checkpoint_folder() const { return folder + "/checkpoints"; }
  /// The files of a sink are in a folder of their own.
  std::string output_folder(const std::string& sink) const { return output_root() + "/" + sink; }
  std::string output_root() const { return folder + "/output"; }

  /// Sets what the arguments say about how the job runs.
  void apply_to(weir::environment& described) const;

  /// The command line of the job's process.
  std::vector<std::string> command_line(const std::string& program) const;
};

/// What an example reads: what it makes itself, or files.
enum class input_kind { events, files };

/// Reads a command line, without the program's name.
/// Errors: invalid_argument, a line for a person.
weir::result<job_arguments> parse_arguments(const std::vector<std::string>& words, input_kind kind);

/// What `--help` says.
std::string usage(const std::string& program, input_kind kind);

}  // namespace example
