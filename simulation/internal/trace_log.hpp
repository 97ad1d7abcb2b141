// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weir/simulation/kernel.hpp"

namespace weir::simulation::internal {

/// The trace of a run: lines of text, hashed, and kept if wanted.
class trace_log {
 public:
  explicit trace_log(trace_mode mode) : mode_{mode} {}

  /// Whether building a line is worth it.
  bool on() const { return mode_ != trace_mode::off; }

  /// Starts a line of step `step`, `since_start_ns` after the start of the run. Add the rest to
  /// what it returns.
  std::string& begin(std::uint64_t step, std::int64_t since_start_ns);

  /// Ends the line. Line ends inside it become spaces.
  void end();

  std::uint64_t hash() const { return on() ? hash_ : 0; }
  const std::string& text() const { return text_; }

 private:
  trace_mode mode_;
  std::string line_;
  std::string text_;
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Appends a number in decimal.
void append_number(std::string& text, std::int64_t number);
void append_number(std::string& text, std::uint64_t number);

}  // namespace weir::simulation::internal
