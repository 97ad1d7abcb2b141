// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/core/file_system.hpp"
#include "weir/core/random.hpp"

namespace weir {

/// What is done to a file, a folder or an open file.
enum class file_operation_kind {
  create,
  open,
  append,
  sync,
  read,
  size,
  link,
  rename,
  rename_new,
  remove,
  remove_folder,
  create_folders,
  list,
  exists,
  is_folder,
  sync_folder,
};

/// The name of `kind`: "rename new".
std::string_view to_string(file_operation_kind kind) noexcept;

/// An operation about to be done. Its views live as long as the call that gets it.
struct file_operation {
  file_operation_kind kind;
  /// As the caller gave it; for an open file, as it was given when it was opened.
  std::string_view path;
  /// The second path of link, rename and rename_new; empty for others.
  std::string_view target = {};
  /// How many bytes to append or to read; 0 for others.
  std::size_t bytes = 0;
  /// Numbers all operations of the file system, from 1.
  std::uint64_t ordinal = 0;
};

/// How an operation shall fail. Made from an error alone, it fails and does nothing.
struct file_fault {
  file_fault(error what, std::size_t appended = 0)
      : failure{std::move(what)}, bytes_appended{appended} {}

  error failure;
  /// So many bytes, from the first on, an append still adds before it fails, as on a full disk.
  std::size_t bytes_appended;
};

/// Asked before every operation, on the thread that does it; may call the file system, also
/// `crash`. Nothing: the operation is done.
using fault_plan = std::function<std::optional<file_fault>(const file_operation&)>;

/// A disk in memory for tests and simulations: it can fail on order and lose what was not synced.
/// Follows POSIX; `..` is taken lexically, relative paths start at the root "/", which exists, and
/// there are no symbolic links. Any thread.
class memory_file_system final : public file_system {
 public:
  memory_file_system();
  ~memory_file_system() override;

  result<std::unique_ptr<writable_file>> create(const std::string& path) override;
  result<std::unique_ptr<readable_file>> open(const std::string& path) override;
  status link(const std::string& from, const std::string& to) override;
  status rename(const std::string& from, const std::string& to) override;
  status rename_new(const std::string& from, const std::string& to) override;
  status remove(const std::string& path) override;
  status remove_folder(const std::string& path) override;
  status create_folders(const std::string& path) override;
  result<std::vector<std::string>> list(const std::string& path) override;
  result<bool> exists(const std::string& path) override;
  result<bool> is_folder(const std::string& path) override;
  status sync_folder(const std::string& path) override;

  /// Does what a crash of the machine does; `random` decides what it leaves:
  /// - of a file, the synced bytes and any number of those appended since, from the first on; if it
  ///   was emptied since the last sync, that or what was synced before;
  /// - of a folder, the entries when it was last synced, changed by any number of the operations
  ///   since, from the first on. A rename is atomic, also between folders. A new folder is an
  ///   entry of the one above it, and lost with all it holds as long as that is not synced.
  /// Files that were open fail with io_error for good.
  void crash(random_generator& random);

  /// Replaces the fault plan; an empty one lets all operations be done.
  void set_faults(fault_plan plan);

  /// How many operations were begun: the ordinal of the last one.
  std::uint64_t operations() const;

  /// Which file or folder has that name now; never used again for another. Two names of one file
  /// have the same. Not an operation: cannot be made to fail. Errors: not_found.
  result<std::uint64_t> inode_of(const std::string& path) const;

 private:
  struct disk;
  class open_file;
  class appending_file;
  class reading_file;

  template <class Outcome, class Action>
  Outcome run(file_operation operation, Action action);

  /// Shared by the file system and its open files, which may outlive it.
  std::shared_ptr<disk> disk_;
};

}  // namespace weir
