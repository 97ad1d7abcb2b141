// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/file_sink_files.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace weir::connectors {
namespace {

constexpr std::string_view pending_suffix = ".inprogress";
constexpr std::size_t compare_bytes = std::size_t{1} << 20;

/// File names may have 255 bytes; the numbers in ours need up to 75.
constexpr std::size_t max_fixed_bytes = 160;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

std::string escaped(std::string_view name) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : name) {
    if (is_plain(c)) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', digits[byte >> 4], digits[byte & 15]});
    }
  }
  return out;
}

status refuse(std::string text) {
  return error{errc::invalid_argument, "file sink: " + std::move(text)};
}

std::string common_start(const file_sink_options& options) {
  return options.prefix + "." + escaped(options.job) + ".";
}

/// Takes a number off the front of `text`, and `end` behind it.
template <class Number>
bool take_number(std::string_view& text, std::string_view end, Number& number) {
  const auto taken = std::from_chars(text.data(), text.data() + text.size(), number);
  if (taken.ec != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(taken.ptr - text.data()));
  if (!text.starts_with(end)) return false;
  text.remove_prefix(end.size());
  return true;
}

std::string parent_of(const std::string& path) {
  const auto last = path.find_last_not_of('/');
  if (last == std::string::npos) return "/";
  const auto slash = path.rfind('/', last);
  if (slash == std::string::npos) return ".";
  const auto end = path.find_last_not_of('/', slash);
  return end == std::string::npos ? "/" : path.substr(0, end + 1);
}

result<bool> same_content(file_system& files, const std::string& a, const std::string& b) {
  const auto left = files.open(a);
  if (!left) return left.failure();
  const auto right = files.open(b);
  if (!right) return right.failure();
  for (std::uint64_t offset = 0;; offset += compare_bytes) {
    const auto l = (*left)->read(offset, compare_bytes);
    if (!l) return l.failure();
    const auto r = (*right)->read(offset, compare_bytes);
    if (!r) return r.failure();
    if (*l != *r) return false;
    if (l->size() < compare_bytes) return true;
  }
}

/// Decides what a refused move means, by the names that are there.
status settle_refused_move(file_system& files, const pending_file& file, error refusal) {
  const auto source = files.exists(file.pending_path);
  if (!source) return source.failure();
  const auto target = files.exists(file.final_path);
  if (!target) return target.failure();
  if (!*source && *target) return {};  // committed before
  if (!*source) {
    return error{errc::not_found,
                 "neither " + file.pending_path + " nor " + file.final_path +
                     " is there, but a completed checkpoint names them: put the file back, or "
                     "start without this state"};
  }
  if (!*target) return refusal;
  const auto same = same_content(files, file.pending_path, file.final_path);
  if (!same) return same.failure();
  // Both names of one file: a move by link and unlink that a crash cut in two.
  if (*same) return files.remove(file.pending_path);
  return error{errc::already_exists,
               file.final_path +
                   " is there with another content: move it away; it is not of this "
                   "run, or was changed"};
}

status commit_one(file_system& files, const pending_file& file) {
  auto moved = files.rename_new(file.pending_path, file.final_path);
  if (moved) return {};
  const auto code = moved.failure().code();
  if (code != errc::already_exists && code != errc::not_found) return moved;
  return settle_refused_move(files, file, std::move(moved).failure());
}

/// Creates the folder so that a crash does not take it away again. One folder at a time, each
/// synced before the next: so of those that are there, only the last may still have to be.
status create_durable_folder(file_system& files, const std::string& folder) {
  std::vector<std::string> missing;
  std::string there = folder;
  for (;;) {
    const auto exists = files.exists(there);
    if (!exists) return exists.failure();
    const auto parent = parent_of(there);
    if (*exists || parent == there) break;
    missing.push_back(there);
    there = parent;
  }
  if (const auto parent = parent_of(there); parent != there) {
    if (auto synced = files.sync_folder(parent); !synced) return synced;
  }
  for (; !missing.empty(); missing.pop_back()) {
    if (auto created = files.create_folders(missing.back()); !created) return created;
    if (auto synced = files.sync_folder(parent_of(missing.back())); !synced) return synced;
  }
  return {};
}

}  // namespace

status file_sink_options::validate() const {
  if (folder.empty()) return refuse("folder must be set");
  if (prefix.empty() || !std::all_of(prefix.begin(), prefix.end(), is_plain)) {
    return refuse("prefix \"" + prefix + "\" must be of letters, digits, '-' and '_'");
  }
  const auto allowed = [](char c) { return is_plain(c) || c == '.'; };
  if (!std::all_of(suffix.begin(), suffix.end(), allowed)) {
    return refuse("suffix \"" + suffix + "\" must be of letters, digits, '-', '_' and '.'");
  }
  if (job.empty()) return refuse("job must be set");
  if (common_start(*this).size() + suffix.size() > max_fixed_bytes) {
    return refuse("prefix, job and suffix are too long for a file name: shorten the prefix");
  }
  if (roll_bytes == 0) return refuse("roll_bytes must be above 0");
  return {};
}

pending_file paths_of(const file_sink_options& options, const file_sink_name& name) {
  const auto file = common_start(options) + std::to_string(name.attempt.epoch.value) + "-" +
                    std::to_string(name.attempt.attempt.value) + "-" +
                    std::to_string(name.subtask.value) + "-" + std::to_string(name.sequence) +
                    options.suffix;
  const auto in_folder = options.folder + "/";
  return {in_folder + "." + file + std::string{pending_suffix}, in_folder + file};
}

std::optional<file_sink_name> parse_pending_name(const file_sink_options& options,
                                                 std::string_view file) {
  const auto start = "." + common_start(options);
  if (!file.starts_with(start)) return std::nullopt;
  file.remove_prefix(start.size());
  const auto end = options.suffix + std::string{pending_suffix};
  file_sink_name name;
  if (!take_number(file, "-", name.attempt.epoch.value)) return std::nullopt;
  if (!take_number(file, "-", name.attempt.attempt.value)) return std::nullopt;
  if (!take_number(file, "-", name.subtask.value)) return std::nullopt;
  if (!take_number(file, end, name.sequence) || !file.empty()) return std::nullopt;
  return name;
}

status commit_pending_files(file_system& files, const std::vector<pending_file>& pending) {
  status outcome;
  std::set<std::string> folders;
  for (const auto& file : pending) {
    auto committed = commit_one(files, file);
    if (committed) {
      folders.insert(parent_of(file.final_path));
    } else if (outcome) {
      outcome = std::move(committed).failure().within("committing " + file.final_path);
    }
  }
  for (const auto& folder : folders) {
    auto synced = files.sync_folder(folder);
    if (!synced && outcome) outcome = std::move(synced).failure().within("committing files");
  }
  return outcome;
}

status prepare_file_sink_folder(file_system& files, const file_sink_options& options,
                                const dataflow::incarnation& current,
                                const std::vector<pending_file>& named) {
  if (auto created = create_durable_folder(files, options.folder); !created) return created;
  std::set<std::string> keep;
  for (const auto& file : named) keep.insert(file.pending_path);
  const auto entries = files.list(options.folder);
  if (!entries) return entries.failure();
  for (const auto& entry : *entries) {
    const auto name = parse_pending_name(options, entry);
    if (!name || name->attempt >= current) continue;
    const auto path = paths_of(options, *name).pending_path;
    if (keep.contains(path)) continue;
    if (auto removed = files.remove(path); !removed) {
      return std::move(removed).failure().within("removing what an earlier attempt left");
    }
  }
  return {};
}

}  // namespace weir::connectors
