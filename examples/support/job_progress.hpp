// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace example {

/// How a job stands, as its process tells the one that watches it: a line each time.
struct job_progress {
  bool running = false;
  bool finished = false;
  bool already_finished = false;  ///< before this process
  std::uint64_t read = 0;         ///< events or lines, by this process
  std::uint64_t first_read = 0;   ///< the lowest number of those; 0 too while none was read
  std::uint64_t checkpoints = 0;  ///< completed by this process
  std::uint64_t restored = 0;     ///< the checkpoint it started from; 0: none
  std::uint64_t running_ms = 0;   ///< since it runs

  friend bool operator==(const job_progress&, const job_progress&) = default;
};

std::string to_line(const job_progress& progress);

/// What `to_line` made `line` from; nothing for other lines.
std::optional<job_progress> parse_progress(std::string_view line);

}  // namespace example
