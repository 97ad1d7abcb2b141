// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/checkpoint/manifest.hpp"
#include "weir/checkpoint/state_file_reader.hpp"
#include "weir/checkpoint/state_file_writer.hpp"
#include "weir/checkpoint/subtask_id.hpp"
#include "weir/core/file_system.hpp"

namespace weir::checkpoint {

/// A state file that is being written. Owned by one thread at a time. Blocks.
/// After a crash before `close` has succeeded there may be any part of the file, or none.
class state_file_output {
 public:
  /// Adds bytes. Errors: those of the file; it is of no use then.
  status append(std::string_view bytes);
  /// Seals the pieces and adds them, small ones together: each operation of the disk costs.
  /// Errors: as before.
  status append(std::vector<state_file_piece>& pieces);

  /// Makes the file and its name durable. Path, length and checksum are set in what it returns.
  /// Errors: those of the file.
  /// @pre called once
  result<state_file> close();

 private:
  friend class state_folder;
  state_file_output(file_system& files, std::string folder, std::string path,
                    std::unique_ptr<writable_file> file);
  status write(std::string_view bytes);

  file_system* files_;
  std::string folder_;
  state_file written_;
  std::unique_ptr<writable_file> file_;
};

/// Where the subtasks of one attempt write their state: `<folder>/chk-<id>/`. The names start with
/// epoch and attempt, so no two attempts ever write the same file. Any thread. Blocks.
class state_folder {
 public:
  /// @pre files outlives the folder
  state_folder(file_system& files, std::string folder, epoch_id epoch, attempt_id attempt)
      : files_{&files}, folder_{std::move(folder)}, epoch_{epoch}, attempt_{attempt} {}

  /// Starts a file for checkpoint `id`: `<epoch>-<attempt>-<name>` in its folder. A file may be
  /// named again for a later checkpoint, if the one for which it was written is complete.
  /// Errors: invalid_argument if `name` is not made of letters, digits and ".-_"; those of the
  /// file.
  result<std::unique_ptr<state_file_output>> create(checkpoint_id id, std::string_view name) const;

 private:
  file_system* files_;
  std::string folder_;
  epoch_id epoch_;
  attempt_id attempt_;
};

/// The name of the file into which all operators of a subtask write: "3-0.state".
std::string state_file_name(subtask_id subtask);

/// Hands the bytes of a state file to `take`, piece by piece. Blocks.
/// Errors: corrupt if it is missing, or its length or checksum is not as named; io_error if it
/// cannot be read; those of `take`. All name the file.
status read_state_file(file_system& files, const std::string& folder, const state_file& named,
                       const std::function<status(std::string_view)>& take);

/// Shows the chunks of a state file, in the order in which they were put. What was shown counts
/// only if it succeeds. Blocks.
/// Errors: as `read_state_file`, and those of `state_file_reader`.
status read_state_chunks(file_system& files, const std::string& folder, const state_file& named,
                         state_file_reader::visitor visit);

}  // namespace weir::checkpoint
