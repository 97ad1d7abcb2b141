// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/checkpoint/checkpoint_store.hpp"
#include "weir/checkpoint/internal/record_log.hpp"

/// What a start reads of a checkpoint folder, and what it makes of it.
namespace weir::checkpoint::internal {

/// What the folder holds beside the state files.
struct folder_view {
  std::vector<log_entry> entries;         ///< ascending
  epoch_id newest_epoch{};                ///< the highest one met anywhere
  checkpoint_id last_id{};                ///< the highest one met anywhere
  std::uint64_t newest_record = 0;        ///< where a coordinator has seen a manifest; may be gone
  std::optional<error> damaged_progress;  ///< of a file that would tell the last id
};

/// From where a job starts.
struct start_choice {
  start_kind kind = start_kind::fresh;
  std::uint64_t number = 0;  ///< of the manifest's record; 0 if fresh
  std::optional<manifest> restored;
  std::vector<std::string> warnings;
};

/// Creates the folders, durably. Errors: those of the files.
status prepare_folders(file_system& files, const std::string& folder);

/// Errors: io_error. Damage is none.
result<folder_view> read_folder(file_system& files, const std::string& folder, record_log& log);

/// The highest id that a coordinator has recorded. Errors: io_error. Damage is none.
result<checkpoint_id> read_last_id(file_system& files, const std::string& folder);

/// Whether `entry` holds a manifest that counts: its epoch's record is in the log, or a record
/// that may be it is damaged. The record of a stale coordinator in a gap of the log does not.
bool counts(const folder_view& view, const log_entry& entry);

/// Whether it is known which files all checkpoints name: no manifest is missing, no record damaged.
bool all_readable(const folder_view& view);

/// Decides, having verified all files of the checkpoint it chooses.
/// Errors: corrupt, already_exists as of `checkpoint_store::open`; io_error.
result<start_choice> choose(file_system& files, const std::string& folder, const folder_view& view,
                            const store_options& options);

}  // namespace weir::checkpoint::internal
