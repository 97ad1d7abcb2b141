// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/core/result.hpp"

namespace weir::internal {

/// A file of a simulated disk: its bytes now, and which of them are on the medium.
struct disk_file {
  std::uint64_t inode = 0;
  std::string content;
  /// [0, synced) of `content` survives a crash, unless `replaced` says otherwise.
  std::size_t synced = 0;
  /// What is on the medium, if the file was emptied and not synced since.
  std::optional<std::string> replaced;

  void clear();
  void sync();
  /// Decides which of the unsynced bytes survive.
  void crash(random_generator& random);
};

struct disk_folder;

/// What a name stands for: a file, a folder or nothing. Folders are owned by the disk. A file is
/// shared by the names it has now, those it has on the medium, and the handles that are open.
struct disk_entry {
  std::shared_ptr<disk_file> file = nullptr;
  disk_folder* folder = nullptr;

  bool is_there() const noexcept { return file != nullptr || folder != nullptr; }
  friend bool operator==(const disk_entry&, const disk_entry&) = default;
};

/// A folder of a simulated disk: its entries now, and those on the medium.
struct disk_folder {
  std::uint64_t inode = 0;
  std::map<std::string, disk_entry> now;
  std::map<std::string, disk_entry> synced;
  /// How many operations in the journal touch this folder.
  std::size_t pending = 0;
  /// Scratch of `memory_disk::crash`: how many of them may still survive, and whether the folder
  /// did.
  std::size_t survivors = 0;
  bool is_reached = false;
};

/// A tree of files in memory that knows what a crash of the machine would leave. Follows POSIX;
/// errors are those of a real disk. Paths are taken from the root; `..` is taken lexically; there
/// are no symbolic links. Owned by one thread at a time.
///
/// Operations on folders are kept in a journal until a folder they touch is synced. A crash keeps,
/// of each folder, the first few operations in their order; one operation is atomic, also
/// where it touches two folders.
class memory_disk {
 public:
  memory_disk();

  result<std::shared_ptr<disk_file>> create(const std::string& path);
  result<std::shared_ptr<disk_file>> open(const std::string& path) const;
  status link(const std::string& from, const std::string& to);
  status rename(const std::string& from, const std::string& to, bool may_replace);
  status remove(const std::string& path);
  status remove_folder(const std::string& path);
  status create_folders(const std::string& path);
  result<std::vector<std::string>> list(const std::string& path) const;
  bool exists(const std::string& path) const;
  bool is_folder(const std::string& path) const;
  status sync_folder(const std::string& path);
  result<std::uint64_t> inode_of(const std::string& path) const;

  void crash(random_generator& random);

 private:
  /// Where a path leads.
  struct place {
    /// `errno` of a walk that did not reach the last folder; all else is empty then.
    int code = 0;
    /// The folder that has, or would have, the entry; null for the root.
    disk_folder* folder = nullptr;
    std::string name = {};
    disk_entry entry = {};
    /// The folders from the root to `folder`.
    std::vector<disk_folder*> above = {};
  };

  /// Sets the entry of that name; nothing removes it.
  struct change {
    disk_folder* folder = nullptr;
    std::string name = {};
    disk_entry entry = {};
  };

  /// Changes that become durable together or not at all.
  struct operation {
    std::vector<change> changes;
    std::vector<disk_folder*> folders;
  };

  place find(const std::string& path) const;
  disk_folder* new_folder();
  /// Does `changes` now, and puts them into the journal. `moved` is the folder that they move.
  void apply(std::vector<change> changes, disk_folder* moved = nullptr);
  /// The first reason, in the order in which a real disk looks, why not to rename; 0 if none.
  static int rename_obstacle(const place& from, const place& to, bool may_replace);
  static void make_durable(const operation& done);
  void settle(disk_folder& folder, random_generator& random);

  std::uint64_t last_inode_ = 0;
  /// The root first; then in order of creation. Removed ones stay until the next crash: the
  /// medium may still have them.
  std::vector<std::unique_ptr<disk_folder>> folders_;
  std::vector<operation> journal_;
};

}  // namespace weir::internal
