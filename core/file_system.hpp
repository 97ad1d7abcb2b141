// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/result.hpp"

namespace weir {

/// A file open for appending. Owned by one thread at a time. Closed by the destructor; what was
/// not synced may be gone after a crash.
class writable_file {
 public:
  virtual ~writable_file() = default;

  /// Adds `bytes` at the end. After an error the file's end is unknown.
  virtual status append(std::string_view bytes) = 0;

  /// After a crash: all that was appended before is there, once the file's name is
  /// (`file_system::sync_folder`). A sync that failed fails for good: what it should have written
  /// may be lost, so write another file.
  virtual status sync() = 0;
};

/// A file open for reading at any place. Any thread.
class readable_file {
 public:
  virtual ~readable_file() = default;

  /// Up to `length` bytes from `offset` on; fewer only at the end of the file.
  virtual result<std::string> read(std::uint64_t offset, std::size_t length) const = 0;

  virtual result<std::uint64_t> size() const = 0;
};

/// The files of a machine, or of a simulated one. The only way to a file. Any thread.
/// Paths are absolute or relative to the process; errors name the path.
class file_system {
 public:
  virtual ~file_system() = default;

  /// Creates `path`, or empties it.
  virtual result<std::unique_ptr<writable_file>> create(const std::string& path) = 0;

  /// Errors: not_found if there is no such file.
  virtual result<std::unique_ptr<readable_file>> open(const std::string& path) = 0;

  /// Gives `from` the further name `to`. Errors: already_exists if there is a `to`.
  virtual status link(const std::string& from, const std::string& to) = 0;

  /// Moves `from` to `to`, in place of what was there.
  virtual status rename(const std::string& from, const std::string& to) = 0;

  /// Moves `from` to `to`. Errors: already_exists if there is a `to`, which stays as it was.
  /// After a crash: on a disk that cannot do it at once, a file may have both names.
  virtual status rename_new(const std::string& from, const std::string& to) = 0;

  /// Removes a file. Errors: not_found.
  virtual status remove(const std::string& path) = 0;

  /// Removes an empty folder. Errors: not_found.
  virtual status remove_folder(const std::string& path) = 0;

  /// Creates the folder and those above it; success if it is there already.
  /// After a crash: a new folder is there, with what it holds, once the one above it was synced.
  virtual status create_folders(const std::string& path) = 0;

  /// Names (not paths) of the entries of a folder, sorted. Errors: not_found.
  virtual result<std::vector<std::string>> list(const std::string& path) = 0;

  /// Whether a file or folder of that name exists.
  virtual result<bool> exists(const std::string& path) = 0;

  /// Whether `path` is a folder.
  virtual result<bool> is_folder(const std::string& path) = 0;

  /// After a crash: the entries of the folder are those of now.
  virtual status sync_folder(const std::string& path) = 0;
};

/// Reads a whole file. Errors: those of `open` and `read`.
result<std::string> read_file(file_system& files, const std::string& path);

/// Writes a whole file and syncs it; the folder is not synced.
status write_file(file_system& files, const std::string& path, std::string_view bytes);

/// The machine's files. Lives until the process ends.
file_system& real_file_system();

}  // namespace weir
