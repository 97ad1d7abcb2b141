// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "windowing/drawn_trigger.hpp"
#include "windowing/window_model.hpp"

namespace weir::testing {

/// The assigner of a program.
enum class window_kind {
  tumbling,
  sliding,
  session,
  dynamic_session,
  clock_tumbling,
  clock_sliding,
  clock_session,
  clock_dynamic_session,
  global,
  count
};

/// What a program is about, to be found in every combination.
struct program_cell {
  window_kind windows;
  std::size_t trigger;  ///< 0: that of the windows themselves; else a `trigger_kind`, from 1
  model::eviction::kind evictor;
  bool lateness;
  std::size_t restore;  ///< 0: none; 1: with the same parallelism; 2: with another
};

/// All combinations that there can be with these windows.
std::vector<program_cell> cells_of(const std::vector<window_kind>& kinds);

/// How many programs there were of each combination.
class program_table {
 public:
  void add(const program_cell& cell) { ++at(cell); }
  int count(const program_cell& cell) const { return const_cast<program_table*>(this)->at(cell); }

  /// As a table: a line for each assigner and trigger.
  std::string shown(const std::vector<program_cell>& cells) const;

 private:
  static constexpr std::size_t kinds = 10;
  static constexpr std::size_t triggers = 1 + trigger_kinds;
  static constexpr std::size_t columns = 4 * 2 * 3;

  static std::size_t column(const program_cell& c) {
    return (static_cast<std::size_t>(c.evictor) * 2 + (c.lateness ? 1 : 0)) * 3 + c.restore;
  }
  int& at(const program_cell& c) {
    return counts_[static_cast<std::size_t>(c.windows)][c.trigger][column(c)];
  }

  std::array<std::array<std::array<int, columns>, triggers>, kinds> counts_{};
};

/// How often the things happened that programs are for.
struct program_tally {
  int results = 0;
  int late = 0;
  int restores = 0;
};

/// Runs the program of that seed in an engine and in the model. What differs, with all that
/// happened before; empty: nothing.
std::string run_window_program(std::uint64_t seed, const program_cell& cell, program_tally& tally);

}  // namespace weir::testing
