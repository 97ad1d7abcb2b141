// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/internal/store_opening.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "weir/checkpoint/internal/layout.hpp"
#include "weir/checkpoint/internal/log_record.hpp"
#include "weir/checkpoint/state_folder.hpp"

namespace weir::checkpoint::internal {

namespace {

/// A place where a checkpoint is or was: its manifest, or what is wrong with it.
struct candidate {
  std::uint64_t number = 0;
  std::variant<const manifest*, error> content;
};

status read_progress_files(file_system& files, const std::string& folder, folder_view& view) {
  const auto names = files.list(folder);
  if (!names) return names.failure();
  for (const auto& name : *names) {
    if (const auto id = parse_state_folder_name(name)) view.last_id = std::max(view.last_id, *id);
    const auto epoch = parse_progress_name(name);
    if (!epoch) continue;
    const auto path = join(folder, name);
    const auto bytes = read_file(files, path);
    if (!bytes && bytes.failure().code() == errc::not_found) continue;
    if (!bytes) return bytes.failure();
    const auto content = decode_progress(*bytes);
    if (!content) {
      view.damaged_progress = content.failure().within(path);
      continue;
    }
    view.newest_epoch = std::max(view.newest_epoch, content->epoch);
    view.last_id = std::max(view.last_id, content->last_id);
    view.newest_record = std::max(view.newest_record, content->newest_record);
  }
  return {};
}

/// Newest first.
std::vector<candidate> candidates_of(const folder_view& view, const std::string& log_folder) {
  std::vector<candidate> found;
  std::uint64_t newest = 0;
  for (const auto& entry : view.entries) {
    if (const auto* damage = std::get_if<error>(&entry.content)) {
      found.push_back({entry.number, *damage});
    } else if (counts(view, entry)) {
      found.push_back({entry.number, std::get_if<manifest>(&entry.content)});
    } else {
      continue;
    }
    newest = entry.number;
  }
  if (newest < view.newest_record) {
    const auto path = join(log_folder, log_name(view.newest_record));
    found.push_back({view.newest_record, error{errc::corrupt, path + ": it is missing"}});
  }
  std::reverse(found.begin(), found.end());
  return found;
}

status verify(file_system& files, const std::string& folder, const manifest& content) {
  std::set<std::string_view> verified;
  for (const auto& part : content.operators) {
    for (const auto& subtask : part.subtasks) {
      for (const auto& file : subtask.files) {
        if (!verified.insert(file.path).second) continue;
        auto read = read_state_file(files, folder, file, [](std::string_view) { return status{}; });
        if (!read) return read;
      }
    }
  }
  return {};
}

error refuse_fresh(const std::string& folder) {
  return {errc::already_exists, "checkpoint folder '" + folder +
                                    "' already holds a checkpoint: start from it, or give a fresh "
                                    "start another folder"};
}

error damaged(const error& first, bool tried_all) {
  return {errc::corrupt, "the newest checkpoint is damaged: " + first.message() +
                             (tried_all ? ", and there is no undamaged one before it"
                                        : ", restore the file or allow the previous checkpoint")};
}

status check_progress(const folder_view& view, on_damaged policy, start_choice& choice) {
  if (!view.damaged_progress) return {};
  auto what = view.damaged_progress->within("the last checkpoint id is not known");
  if (policy == on_damaged::stop) {
    return error{errc::corrupt, what.message() + ", restore the file or allow damage"};
  }
  choice.warnings.push_back(what.message() + ", ids of failed checkpoints may be used again");
  return {};
}

std::string fallback_warning(const error& first, const manifest& chosen) {
  return "the newest checkpoint is damaged: " + first.message() + ", starting from checkpoint " +
         std::to_string(chosen.id.value) +
         " instead: what sinks have committed since then may appear twice";
}

}  // namespace

status prepare_folders(file_system& files, const std::string& folder) {
  // A new folder is an entry of the one above it, and has to be made durable there.
  std::vector<std::string> parents{folder, parent_of(folder)};
  while (true) {
    const auto there = files.exists(parents.back());
    if (!there) return there.failure();
    if (*there) break;
    parents.push_back(parent_of(parents.back()));
  }
  if (auto made = files.create_folders(join(folder, "log")); !made) return made;
  for (const auto& parent : parents) {
    if (auto synced = files.sync_folder(parent); !synced) return synced;
  }
  return {};
}

result<folder_view> read_folder(file_system& files, const std::string& folder, record_log& log) {
  folder_view view;
  // Before the log: what it says about the log then holds for the log that is read.
  if (auto read = read_progress_files(files, folder, view); !read) return std::move(read).failure();
  auto entries = log.read(view.newest_record);
  if (!entries) return std::move(entries).failure();
  view.entries = *std::move(entries);
  for (const auto& entry : view.entries) {
    if (const auto* epoch = std::get_if<epoch_id>(&entry.content)) {
      view.newest_epoch = std::max(view.newest_epoch, *epoch);
    } else if (const auto* content = std::get_if<manifest>(&entry.content)) {
      view.newest_epoch = std::max(view.newest_epoch, content->epoch);
      view.last_id = std::max(view.last_id, content->id);
    }
  }
  return view;
}

result<checkpoint_id> read_last_id(file_system& files, const std::string& folder) {
  folder_view view;
  if (auto read = read_progress_files(files, folder, view); !read) return std::move(read).failure();
  return view.last_id;
}

bool counts(const folder_view& view, const log_entry& entry) {
  const auto* content = std::get_if<manifest>(&entry.content);
  if (content == nullptr) return false;
  return std::any_of(view.entries.begin(), view.entries.end(), [content](const log_entry& other) {
    const auto* epoch = std::get_if<epoch_id>(&other.content);
    return std::holds_alternative<error>(other.content) || (epoch && *epoch == content->epoch);
  });
}

bool all_readable(const folder_view& view) {
  std::uint64_t newest = 0;
  for (const auto& entry : view.entries) {
    if (std::holds_alternative<error>(entry.content)) return false;
    if (counts(view, entry)) newest = entry.number;
  }
  return newest >= view.newest_record;
}

result<start_choice> choose(file_system& files, const std::string& folder, const folder_view& view,
                            const store_options& options) {
  const auto candidates = candidates_of(view, join(folder, "log"));
  if (options.mode == start_mode::fresh && !candidates.empty()) return refuse_fresh(folder);
  start_choice choice;
  if (auto known = check_progress(view, options.damaged, choice); !known) {
    return std::move(known).failure();
  }
  std::optional<error> damage;
  for (const auto& [number, content] : candidates) {
    const auto* const* whole = std::get_if<const manifest*>(&content);
    const auto state = whole ? verify(files, folder, **whole) : status{std::get<error>(content)};
    if (state) {
      if (damage) choice.warnings.push_back(fallback_warning(*damage, **whole));
      choice.kind = (*whole)->finished ? start_kind::finished : start_kind::restored;
      choice.number = number;
      choice.restored = **whole;
      return choice;
    }
    if (state.failure().code() != errc::corrupt) return state.failure();
    if (!damage) damage = state.failure();
    if (options.damaged == on_damaged::stop) return damaged(*damage, false);
  }
  if (damage) return damaged(*damage, true);
  return choice;
}

}  // namespace weir::checkpoint::internal
