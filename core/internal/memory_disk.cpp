// SPDX-License-Identifier: Apache-2.0
#include "weir/core/internal/memory_disk.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "weir/core/internal/file_error.hpp"

namespace weir::internal {
namespace {

std::vector<std::string> names_of(std::string_view path) {
  std::vector<std::string> names;
  while (!path.empty()) {
    const auto length = std::min(path.find('/'), path.size());
    const auto name = path.substr(0, length);
    path.remove_prefix(std::min(length + 1, path.size()));
    if (name.empty() || name == ".") continue;
    if (name != "..") {
      names.emplace_back(name);
    } else if (!names.empty()) {
      names.pop_back();
    }
  }
  return names;
}

void add_once(std::vector<disk_folder*>& folders, disk_folder* folder) {
  if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
}

void set_entry(std::map<std::string, disk_entry>& entries, const std::string& name,
               const disk_entry& entry) {
  if (entry.is_there()) {
    entries.insert_or_assign(name, entry);
  } else {
    entries.erase(name);
  }
}

/// How many of `count` things in a row survive. None and all are the cases that programs forget,
/// and a uniform draw would hardly ever give them.
std::size_t draw_survivors(std::size_t count, random_generator& random) {
  switch (random.below(4)) {
    case 0: return 0;
    case 1: return count;
    default: return random.below(count + 1);
  }
}

}  // namespace

void disk_file::clear() {
  if (!replaced) replaced = content.substr(0, synced);
  content.clear();
  synced = 0;
}

void disk_file::sync() {
  synced = content.size();
  replaced.reset();
}

void disk_file::crash(random_generator& random) {
  if (replaced && random.chance(1, 2)) {
    content = std::move(*replaced);
  } else if (content.size() > synced) {
    content.resize(synced + draw_survivors(content.size() - synced, random));
  }
  sync();
}

memory_disk::memory_disk() { new_folder(); }

disk_folder* memory_disk::new_folder() {
  folders_.push_back(std::make_unique<disk_folder>());
  folders_.back()->inode = ++last_inode_;
  return folders_.back().get();
}

memory_disk::place memory_disk::find(const std::string& path) const {
  // As POSIX has it: the empty path names nothing.
  if (path.empty()) return place{.code = ENOENT};
  place at{.entry = {.folder = folders_.front().get()}};
  for (auto& name : names_of(path)) {
    if (!at.entry.is_there()) return place{.code = ENOENT};
    if (at.entry.folder == nullptr) return place{.code = ENOTDIR};
    at.folder = at.entry.folder;
    at.above.push_back(at.folder);
    const auto found = at.folder->now.find(name);
    at.entry = found == at.folder->now.end() ? disk_entry{} : found->second;
    at.name = std::move(name);
  }
  return at;
}

void memory_disk::apply(std::vector<change> changes, disk_folder* moved) {
  operation done;
  for (const auto& one : changes) {
    set_entry(one.folder->now, one.name, one.entry);
    add_once(done.folders, one.folder);
  }
  // A folder knows the one above it: without this, a crash could put two folders into each other.
  if (moved != nullptr) add_once(done.folders, moved);
  for (auto* folder : done.folders) ++folder->pending;
  done.changes = std::move(changes);
  journal_.push_back(std::move(done));
}

result<std::shared_ptr<disk_file>> memory_disk::create(const std::string& path) {
  const auto at = find(path);
  if (at.code != 0) return file_error("create", path, at.code);
  if (at.entry.folder != nullptr) return file_error("create", path, EISDIR);
  if (at.entry.file != nullptr) {
    at.entry.file->clear();
    return at.entry.file;
  }
  auto file = std::make_shared<disk_file>();
  file->inode = ++last_inode_;
  apply({{at.folder, at.name, {.file = file}}});
  return file;
}

result<std::shared_ptr<disk_file>> memory_disk::open(const std::string& path) const {
  const auto at = find(path);
  if (at.code != 0) return file_error("open", path, at.code);
  if (!at.entry.is_there()) return file_error("open", path, ENOENT);
  if (at.entry.file == nullptr) return file_error("open", path, EISDIR);
  return at.entry.file;
}

status memory_disk::link(const std::string& from, const std::string& to) {
  const auto source = find(from);
  const auto target = find(to);
  const auto refuse = [&](int code) { return file_error("link", from, to, code); };
  if (source.code != 0) return refuse(source.code);
  if (!source.entry.is_there()) return refuse(ENOENT);
  if (target.code != 0) return refuse(target.code);
  if (target.entry.is_there()) return refuse(EEXIST);
  if (source.entry.folder != nullptr) return refuse(EPERM);
  apply({{target.folder, target.name, source.entry}});
  return {};
}

int memory_disk::rename_obstacle(const place& from, const place& to, bool may_replace) {
  if (from.code != 0) return from.code;
  if (to.code != 0) return to.code;
  if (from.folder == nullptr) return EBUSY;
  if (!from.entry.is_there()) return ENOENT;
  if (to.entry.is_there() && !may_replace) return EEXIST;
  if (to.folder == nullptr) return EBUSY;
  const auto* moved = from.entry.folder;
  if (std::find(to.above.begin(), to.above.end(), moved) != to.above.end()) return EINVAL;
  if (!to.entry.is_there() || to.entry == from.entry) return 0;
  const auto* victim = to.entry.folder;
  if (moved == nullptr) return victim == nullptr ? 0 : EISDIR;
  if (victim == nullptr) return ENOTDIR;
  return victim->now.empty() ? 0 : ENOTEMPTY;
}

status memory_disk::rename(const std::string& from, const std::string& to, bool may_replace) {
  const auto source = find(from);
  const auto target = find(to);
  const int code = rename_obstacle(source, target, may_replace);
  if (code != 0) return file_error("rename", from, to, code);
  // Two names of one file: POSIX says that nothing is done, not even the removal of `from`.
  if (target.entry == source.entry) return {};
  apply({{source.folder, source.name}, {target.folder, target.name, source.entry}},
        source.entry.folder);
  return {};
}

status memory_disk::remove(const std::string& path) {
  const auto at = find(path);
  if (at.code != 0) return file_error("remove", path, at.code);
  if (!at.entry.is_there()) return file_error("remove", path, ENOENT);
  if (at.entry.file == nullptr) return file_error("remove", path, EISDIR);
  apply({{at.folder, at.name}});
  return {};
}

status memory_disk::remove_folder(const std::string& path) {
  const auto at = find(path);
  const auto refuse = [&](int code) { return file_error("remove folder", path, code); };
  if (at.code != 0) return refuse(at.code);
  if (!at.entry.is_there()) return refuse(ENOENT);
  if (at.folder == nullptr) return refuse(EBUSY);
  auto* folder = at.entry.folder;
  if (folder == nullptr) return refuse(ENOTDIR);
  if (!folder->now.empty()) return refuse(ENOTEMPTY);
  apply({{at.folder, at.name}}, folder);
  return {};
}

status memory_disk::create_folders(const std::string& path) {
  if (path.empty()) return file_error("create folder", path, ENOENT);
  auto* folder = folders_.front().get();
  for (const auto& name : names_of(path)) {
    const auto found = folder->now.find(name);
    auto* below = found == folder->now.end() ? new_folder() : found->second.folder;
    if (below == nullptr) return file_error("create folder", path, ENOTDIR);
    if (found == folder->now.end()) apply({{folder, name, {.folder = below}}});
    folder = below;
  }
  return {};
}

result<std::vector<std::string>> memory_disk::list(const std::string& path) const {
  const auto at = find(path);
  if (at.code != 0) return file_error("list", path, at.code);
  if (!at.entry.is_there()) return file_error("list", path, ENOENT);
  const auto* folder = at.entry.folder;
  if (folder == nullptr) return file_error("list", path, ENOTDIR);
  std::vector<std::string> names;
  for (const auto& [name, entry] : folder->now) names.push_back(name);
  return names;
}

bool memory_disk::exists(const std::string& path) const { return find(path).entry.is_there(); }

bool memory_disk::is_folder(const std::string& path) const {
  return find(path).entry.folder != nullptr;
}

result<std::uint64_t> memory_disk::inode_of(const std::string& path) const {
  const auto at = find(path);
  if (!at.entry.is_there()) return file_error("look up", path, at.code != 0 ? at.code : ENOENT);
  const auto* folder = at.entry.folder;
  return folder != nullptr ? folder->inode : at.entry.file->inode;
}

void memory_disk::make_durable(const operation& done) {
  for (const auto& one : done.changes) {
    set_entry(one.folder->synced, one.name, one.entry);
  }
}

status memory_disk::sync_folder(const std::string& path) {
  const auto at = find(path);
  if (at.code != 0) return file_error("sync folder", path, at.code);
  if (!at.entry.is_there()) return file_error("sync folder", path, ENOENT);
  auto* synced = at.entry.folder;
  if (synced == nullptr) return file_error("sync folder", path, ENOTDIR);

  // What a durable operation touches elsewhere takes along what came before it there.
  std::vector<disk_folder*> folders{synced};
  std::vector<bool> is_durable(journal_.size());
  for (std::size_t i = journal_.size(); i-- > 0;) {
    const auto& touched = journal_[i].folders;
    is_durable[i] = std::find_first_of(touched.begin(), touched.end(), folders.begin(),
                                       folders.end()) != touched.end();
    if (!is_durable[i]) continue;
    for (auto* folder : touched) add_once(folders, folder);
  }

  std::vector<operation> rest;
  for (std::size_t i = 0; i < journal_.size(); ++i) {
    if (!is_durable[i]) {
      rest.push_back(std::move(journal_[i]));
      continue;
    }
    make_durable(journal_[i]);
    for (auto* folder : journal_[i].folders) --folder->pending;
  }
  journal_ = std::move(rest);
  return {};
}

void memory_disk::crash(random_generator& random) {
  for (const auto& folder : folders_) {
    if (folder->pending > 0) folder->survivors = draw_survivors(folder->pending, random);
  }
  for (const auto& done : journal_) {
    const bool survives = std::all_of(done.folders.begin(), done.folders.end(),
                                      [](const auto* folder) { return folder->survivors > 0; });
    if (survives) make_durable(done);
    // Where one operation is lost, all later ones are.
    for (auto* folder : done.folders) folder->survivors = survives ? folder->survivors - 1 : 0;
  }
  journal_.clear();

  for (const auto& folder : folders_) {
    folder->now = folder->synced;
    folder->pending = 0;
    folder->survivors = 0;
    folder->is_reached = false;
  }
  settle(*folders_.front(), random);
  std::erase_if(folders_, [](const auto& folder) { return !folder->is_reached; });
}

void memory_disk::settle(disk_folder& folder, random_generator& random) {
  folder.is_reached = true;
  for (const auto& [name, entry] : folder.now) {
    if (entry.folder != nullptr) {
      settle(*entry.folder, random);
    } else {
      entry.file->crash(random);
    }
  }
}

}  // namespace weir::internal
