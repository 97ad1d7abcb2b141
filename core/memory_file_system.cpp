// SPDX-License-Identifier: Apache-2.0
#include "weir/core/memory_file_system.hpp"

#include <algorithm>
#include <mutex>

#include "weir/core/internal/memory_disk.hpp"

namespace weir {

using internal::disk_file;
using operation_kind = file_operation_kind;

std::string_view to_string(operation_kind kind) noexcept {
  switch (kind) {
    case operation_kind::create: return "create";
    case operation_kind::open: return "open";
    case operation_kind::append: return "append";
    case operation_kind::sync: return "sync";
    case operation_kind::read: return "read";
    case operation_kind::size: return "size";
    case operation_kind::link: return "link";
    case operation_kind::rename: return "rename";
    case operation_kind::rename_new: return "rename new";
    case operation_kind::remove: return "remove";
    case operation_kind::remove_folder: return "remove folder";
    case operation_kind::create_folders: return "create folders";
    case operation_kind::list: return "list";
    case operation_kind::exists: return "exists";
    case operation_kind::is_folder: return "is folder";
    case operation_kind::sync_folder: return "sync folder";
  }
  return "unknown operation";
}

struct memory_file_system::disk {
  /// Numbers the operation and asks the plan, without the lock: the plan may call the disk.
  std::optional<file_fault> begin(file_operation operation) {
    fault_plan plan;
    {
      const std::lock_guard hold{mutex};
      operation.ordinal = ++operations;
      plan = faults;
    }
    return plan ? plan(operation) : std::nullopt;
  }

  mutable std::mutex mutex;
  // Guarded by mutex:
  internal::memory_disk tree;
  fault_plan faults;
  std::uint64_t operations = 0;
  /// How often the disk crashed. An open file of an earlier life is of no use.
  std::uint64_t crashes = 0;
};

/// What open files have in common. `disk_` is shared with the file system, `file_` with the names
/// it has on the disk.
class memory_file_system::open_file {
 public:
  open_file(std::shared_ptr<disk> disk, std::shared_ptr<disk_file> file, std::uint64_t life,
            std::string path)
      : disk_{std::move(disk)}, file_{std::move(file)}, life_{life}, path_{std::move(path)} {}

  /// Does `action`, unless the plan or an earlier crash is against it.
  template <class Outcome, class Action>
  Outcome run(operation_kind kind, std::size_t bytes, Action action) const {
    if (auto fault = begin(kind, bytes)) return std::move(fault->failure);
    const std::lock_guard hold{disk_->mutex};
    if (is_stale()) return stale(kind);
    return action(*file_);
  }

  std::optional<file_fault> begin(operation_kind kind, std::size_t bytes) const {
    return disk_->begin({.kind = kind, .path = path_, .bytes = bytes});
  }

  /// Adds bytes whatever the plan says. Errors: io_error after a crash.
  status append(std::string_view bytes) const {
    const std::lock_guard hold{disk_->mutex};
    if (is_stale()) return stale(operation_kind::append);
    file_->content.append(bytes);
    return {};
  }

 private:
  /// @pre the mutex is held
  bool is_stale() const { return life_ != disk_->crashes; }

  error stale(operation_kind kind) const {
    std::string message{to_string(kind)};
    message.append(" ").append(path_).append(": the disk crashed since the file was opened");
    return {errc::io_error, std::move(message)};
  }

  std::shared_ptr<disk> disk_;
  std::shared_ptr<disk_file> file_;
  std::uint64_t life_;
  std::string path_;
};

class memory_file_system::appending_file final : public writable_file {
 public:
  explicit appending_file(open_file file) : file_{std::move(file)} {}

  status append(std::string_view bytes) override {
    const auto fault = file_.begin(operation_kind::append, bytes.size());
    if (!fault) return file_.append(bytes);
    auto added = file_.append(bytes.substr(0, std::min(bytes.size(), fault->bytes_appended)));
    return added ? fault->failure : added;
  }

  status sync() override {
    // As on a real disk, where what could not be written may be gone: no second try.
    if (lost_) return *lost_;
    auto synced = file_.run<status>(operation_kind::sync, 0, [](disk_file& file) {
      file.sync();
      return status{};
    });
    if (!synced) lost_ = synced.failure();
    return synced;
  }

 private:
  open_file file_;
  std::optional<error> lost_;
};

class memory_file_system::reading_file final : public readable_file {
 public:
  explicit reading_file(open_file file) : file_{std::move(file)} {}

  result<std::string> read(std::uint64_t offset, std::size_t length) const override {
    return file_.run<result<std::string>>(operation_kind::read, length, [&](const disk_file& file) {
      return file.content.substr(std::min<std::uint64_t>(offset, file.content.size()), length);
    });
  }

  result<std::uint64_t> size() const override {
    return file_.run<result<std::uint64_t>>(operation_kind::size, 0, [](const disk_file& file) {
      return std::uint64_t{file.content.size()};
    });
  }

 private:
  open_file file_;
};

memory_file_system::memory_file_system() : disk_{std::make_shared<disk>()} {}

memory_file_system::~memory_file_system() = default;

template <class Outcome, class Action>
Outcome memory_file_system::run(file_operation operation, Action action) {
  if (auto fault = disk_->begin(operation)) return std::move(fault->failure);
  const std::lock_guard hold{disk_->mutex};
  return action(disk_->tree);
}

result<std::unique_ptr<writable_file>> memory_file_system::create(const std::string& path) {
  using outcome = result<std::unique_ptr<writable_file>>;
  return run<outcome>({.kind = operation_kind::create, .path = path}, [&](auto& tree) -> outcome {
    auto file = tree.create(path);
    if (!file) return std::move(file).failure();
    return outcome{
        std::make_unique<appending_file>(open_file{disk_, *std::move(file), disk_->crashes, path})};
  });
}

result<std::unique_ptr<readable_file>> memory_file_system::open(const std::string& path) {
  using outcome = result<std::unique_ptr<readable_file>>;
  return run<outcome>({.kind = operation_kind::open, .path = path}, [&](auto& tree) -> outcome {
    auto file = tree.open(path);
    if (!file) return std::move(file).failure();
    return outcome{
        std::make_unique<reading_file>(open_file{disk_, *std::move(file), disk_->crashes, path})};
  });
}

status memory_file_system::link(const std::string& from, const std::string& to) {
  return run<status>({.kind = operation_kind::link, .path = from, .target = to},
                     [&](auto& tree) { return tree.link(from, to); });
}

status memory_file_system::rename(const std::string& from, const std::string& to) {
  return run<status>({.kind = operation_kind::rename, .path = from, .target = to},
                     [&](auto& tree) { return tree.rename(from, to, true); });
}

status memory_file_system::rename_new(const std::string& from, const std::string& to) {
  return run<status>({.kind = operation_kind::rename_new, .path = from, .target = to},
                     [&](auto& tree) { return tree.rename(from, to, false); });
}

status memory_file_system::remove(const std::string& path) {
  return run<status>({.kind = operation_kind::remove, .path = path},
                     [&](auto& tree) { return tree.remove(path); });
}

status memory_file_system::remove_folder(const std::string& path) {
  return run<status>({.kind = operation_kind::remove_folder, .path = path},
                     [&](auto& tree) { return tree.remove_folder(path); });
}

status memory_file_system::create_folders(const std::string& path) {
  return run<status>({.kind = operation_kind::create_folders, .path = path},
                     [&](auto& tree) { return tree.create_folders(path); });
}

result<std::vector<std::string>> memory_file_system::list(const std::string& path) {
  return run<result<std::vector<std::string>>>({.kind = operation_kind::list, .path = path},
                                               [&](auto& tree) { return tree.list(path); });
}

result<bool> memory_file_system::exists(const std::string& path) {
  return run<result<bool>>({.kind = operation_kind::exists, .path = path},
                           [&](auto& tree) { return tree.exists(path); });
}

result<bool> memory_file_system::is_folder(const std::string& path) {
  return run<result<bool>>({.kind = operation_kind::is_folder, .path = path},
                           [&](auto& tree) { return tree.is_folder(path); });
}

status memory_file_system::sync_folder(const std::string& path) {
  return run<status>({.kind = operation_kind::sync_folder, .path = path},
                     [&](auto& tree) { return tree.sync_folder(path); });
}

void memory_file_system::crash(random_generator& random) {
  const std::lock_guard hold{disk_->mutex};
  ++disk_->crashes;
  disk_->tree.crash(random);
}

void memory_file_system::set_faults(fault_plan plan) {
  const std::lock_guard hold{disk_->mutex};
  disk_->faults = std::move(plan);
}

std::uint64_t memory_file_system::operations() const {
  const std::lock_guard hold{disk_->mutex};
  return disk_->operations;
}

result<std::uint64_t> memory_file_system::inode_of(const std::string& path) const {
  const std::lock_guard hold{disk_->mutex};
  return disk_->tree.inode_of(path);
}

}  // namespace weir
