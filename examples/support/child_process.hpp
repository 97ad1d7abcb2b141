// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/result.hpp"

namespace example {

/// How a process ended.
struct process_end {
  int exit_code = 0;  ///< if it was not killed
  int signal = 0;     ///< that killed it; 0: none
};

/// A process that this one has started: its standard output is read here, line by line. It dies
/// with this process. Owned by one thread.
class child_process {
 public:
  /// Starts `command` (the program's path first), with further environment variables "NAME=value".
  /// Errors: io_error.
  static weir::result<child_process> start(const std::vector<std::string>& command,
                                           const std::vector<std::string>& variables = {});

  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&&) = delete;
  /// Kills the process if it still runs.
  ~child_process();

  /// What is read next from the process.
  enum class read_outcome { line, nothing_yet, end };

  /// Waits for a line, for `most` at the longest.
  read_outcome read_line(std::string& line, std::chrono::milliseconds most);

  /// Sends SIGKILL.
  void kill() const;

  /// Waits for the end of the process.
  process_end wait();

 private:
  child_process(int pid, int output) : pid_{pid}, output_{output} {}

  int pid_;     // −1: ended and waited for
  int output_;  // −1: closed
  std::string buffer_;
};

}  // namespace example
