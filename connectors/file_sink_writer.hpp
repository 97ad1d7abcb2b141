// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/connectors/file_sink_files.hpp"

namespace weir::connectors {

/// The files that a writer has ended at a barrier, not yet safe: their last bytes may be in memory.
/// Handed to one thread at a time; moves only.
class file_sink_cut {
 public:
  /// What goes into the checkpoint, in the order written. Empty if no row was written.
  const std::vector<pending_file>& pending() const noexcept { return pending_; }

  /// Writes and syncs what is missing, and closes the files. Blocks for the disk: work for the
  /// `io_executor`. No checkpoint from this one on may be acknowledged before it has succeeded,
  /// also if this one is aborted meanwhile: later ones name the same files. Call once.
  /// Errors: those of the file system, naming the file; the attempt must then fail.
  /// After a crash: all files of `pending()` are there, with all their rows.
  status sync(file_system& files);

 private:
  friend class file_sink_writer;

  struct ended_file {
    std::unique_ptr<writable_file> file;
    std::string rest;  ///< What is still to be appended.
  };

  std::vector<pending_file> pending_;
  std::vector<ended_file> ended_;
  std::string folder_;
};

/// Writes the rows of one subtask of a two-phase file sink, a line each, into files that become
/// visible by `commit_pending_files` only. Owned and used by one subtask in one attempt.
class file_sink_writer {
 public:
  /// Creates no file; the folder is there (`prepare_file_sink_folder`). `files` outlives this.
  /// @pre options.validate().ok()
  file_sink_writer(file_system& files, file_sink_options options,
                   const dataflow::incarnation& attempt, subtask_index subtask);

  /// Adds `row` and '\n'. Opens a file if none is open.
  /// Errors: already_exists if another run of the job has left the file this would become; those
  /// of the file system. After an error the writer can do nothing more, and repeats it.
  status write(std::string_view row);

  /// Ends the current file: rows from here on go to the next. Touches no disk.
  /// Errors: that of an earlier `write`.
  result<file_sink_cut> cut();

  /// `cut` and `sync` in one, for callers that may block.
  result<std::vector<pending_file>> prepare_commit();

 private:
  status open_next();
  status flush();
  void end_current();
  status fail(error reason);

  file_system* files_;
  file_sink_options options_;
  file_sink_name next_;
  std::optional<error> failure_;

  std::unique_ptr<writable_file> current_;
  std::string buffer_;
  std::uint64_t current_bytes_ = 0;
  file_sink_cut ended_;
};

}  // namespace weir::connectors
