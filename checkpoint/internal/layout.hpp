// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/core/ids.hpp"

/// How the entries of a checkpoint folder are called.
namespace weir::checkpoint::internal {

/// `folder` + "/" + `name`.
std::string join(std::string_view folder, std::string_view name);

/// The folder that holds `path`: "/" for "/a", "." for "a".
std::string parent_of(const std::string& path);

/// "0000000007". Zeros in front keep a listing in order; larger numbers get longer.
std::string log_name(std::uint64_t number);

/// The number of a log record; nothing if `name` is not one.
std::optional<std::uint64_t> parse_log_name(std::string_view name);

/// "tmp-7-host-12-34": a record of `owner`'s before it gets its number.
std::string temporary_log_name(std::uint64_t number, std::string_view owner);
std::optional<std::uint64_t> parse_temporary_log_name(std::string_view name);

/// "chk-7".
std::string state_folder_name(checkpoint_id id);
std::optional<checkpoint_id> parse_state_folder_name(std::string_view name);

/// "last-id-3": each epoch writes a file of its own, so that a stale coordinator cannot set the
/// newest one's numbers back.
std::string progress_name(epoch_id epoch);
std::optional<epoch_id> parse_progress_name(std::string_view name);

/// "tmp-3-last-id": that file while it is being written.
std::string temporary_progress_name(epoch_id epoch);
std::optional<epoch_id> parse_temporary_progress_name(std::string_view name);

/// "3-1-0-2.state", of an epoch, an attempt and the name that the subtask has chosen.
std::string state_name(epoch_id epoch, attempt_id attempt, std::string_view name);

/// Who wrote the state file with this name; nothing if it is not a state file's.
std::optional<epoch_id> epoch_of_state_name(std::string_view name);

/// Whether `name` is one to [A-Za-z0-9._-]+, and not one of those that start with a dot.
bool is_plain_name(std::string_view name);

/// Whether `path` is "chk-<id>/<plain name>", and so lies in the checkpoint folder.
bool is_state_path(std::string_view path);

/// The part before the slash. @pre is_state_path(path)
std::string_view folder_of(std::string_view path);

}  // namespace weir::checkpoint::internal
