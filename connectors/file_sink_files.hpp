// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/file_system.hpp"
#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/operator_environment.hpp"

namespace weir::connectors {

/// Where a file sink writes, and what its files are called:
///   file    = prefix "." job "." epoch "-" attempt "-" subtask "-" sequence suffix
///   pending = "." file ".inprogress"
/// as in "part.orders.1-3-0-7.txt". Characters of the job's name other than letters, digits, '-'
/// and '_' are written as '%' and two hexadecimal digits. Two sinks of a job that write into one
/// folder need different prefixes.
struct file_sink_options {
  std::string folder;
  std::string prefix = "part";
  std::string suffix = ".txt";
  std::string job;

  /// A file that has grown to so many bytes is followed by another.
  std::uint64_t roll_bytes = std::uint64_t{128} << 20;

  /// Errors: invalid_argument, naming the option.
  status validate() const;
};

/// A file that is written and synced, but whose rows may not be seen before the checkpoint that
/// names it is complete. Part of the sink's state; the sink commits it by moving it.
struct pending_file {
  std::string pending_path;
  std::string final_path;

  friend bool operator==(const pending_file&, const pending_file&) = default;
};

/// Which file of a sink's job a name belongs to.
struct file_sink_name {
  dataflow::incarnation attempt;
  subtask_index subtask;
  std::uint64_t sequence = 0;  ///< Counts the files of a subtask in an attempt, from 0.

  friend bool operator==(const file_sink_name&, const file_sink_name&) = default;
};

/// The two paths of one file of the sink.
pending_file paths_of(const file_sink_options& options, const file_sink_name& name);

/// What `file` (a name, not a path) says if it is a pending file of this sink, of any attempt;
/// nothing otherwise.
std::optional<file_sink_name> parse_pending_name(const file_sink_options& options,
                                                 std::string_view file);

/// Makes the files of a completed checkpoint visible, for good once this returns success. Never
/// replaces a file. A file that was committed before counts as success, so this may be repeated
/// after a failure or a crash. All files are tried; the first error is returned.
/// Errors: already_exists if the target is there with another content, not_found if neither the
/// pending file nor the target is there; those of the file system.
/// After a crash: each file has one of its two names, or, on file systems that cannot move a file
/// without replacing, both; repeat the commit.
status commit_pending_files(file_system& files, const std::vector<pending_file>& pending);

/// Makes the folder ready for `current`: creates it, and removes the pending files of the job's
/// earlier attempts, unless `named` lists them: what a restored checkpoint names is still to be
/// committed, and the rows of all others are going to be written again.
/// Call once, before any subtask of `current` starts.
/// Errors: those of the file system.
status prepare_file_sink_folder(file_system& files, const file_sink_options& options,
                                const dataflow::incarnation& current,
                                const std::vector<pending_file>& named);

}  // namespace weir::connectors
