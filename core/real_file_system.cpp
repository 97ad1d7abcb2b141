// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weir/core/file_system.hpp"
#include "weir/core/internal/file_error.hpp"
#include "weir/core/internal/posix_rename.hpp"

namespace weir {
namespace {

using internal::file_error;

/// Repeats `call` as long as a signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  auto outcome = call();
  while (outcome == -1 && errno == EINTR) outcome = call();
  return outcome;
}

/// Owns a file descriptor; -1 is none.
class descriptor {
 public:
  explicit descriptor(int number) : number_{number} {}
  descriptor(descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}
  descriptor& operator=(descriptor&&) = delete;
  ~descriptor() {
    // What matters was synced: an error of close has nobody to hear it.
    if (number_ >= 0) ::close(number_);
  }

  int number() const noexcept { return number_; }

 private:
  int number_;
};

result<descriptor> open_descriptor(std::string_view operation, const std::string& path, int flags) {
  const int number =
      uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode_t{0666}); });
  if (number < 0) return file_error(operation, path, errno);
  return descriptor{number};
}

class posix_writable_file final : public writable_file {
 public:
  posix_writable_file(descriptor file, std::string path)
      : file_{std::move(file)}, path_{std::move(path)} {}

  status append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const auto written =
          uninterrupted([&] { return ::write(file_.number(), bytes.data(), bytes.size()); });
      if (written < 0) return file_error("append", path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  status sync() override {
    if (lost_) return *lost_;
    if (uninterrupted([&] { return ::fdatasync(file_.number()); }) == 0) return {};
    // The kernel may have dropped the pages it could not write, and would then report success.
    lost_ = file_error("sync", path_, errno);
    return *lost_;
  }

 private:
  descriptor file_;
  std::string path_;
  std::optional<error> lost_;
};

class posix_readable_file final : public readable_file {
 public:
  posix_readable_file(descriptor file, std::string path)
      : file_{std::move(file)}, path_{std::move(path)} {}

  result<std::string> read(std::uint64_t offset, std::size_t length) const override {
    constexpr std::uint64_t last_offset = std::numeric_limits<off_t>::max();
    if (length > trusted_length) {
      // A length out of a damaged file must not decide how much memory is taken.
      const auto end = size();
      if (!end) return end.failure();
      length = std::min<std::uint64_t>(length, *end > offset ? *end - offset : 0);
    }
    std::string bytes(length, '\0');
    std::size_t done = 0;
    while (done < length && offset + done <= last_offset) {
      const auto got = uninterrupted([&] {
        return ::pread(file_.number(), bytes.data() + done, length - done,
                       static_cast<off_t>(offset + done));
      });
      if (got < 0) return file_error("read", path_, errno);
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
  }

  result<std::uint64_t> size() const override {
    struct stat about{};
    if (::fstat(file_.number(), &about) != 0) return file_error("size", path_, errno);
    return static_cast<std::uint64_t>(about.st_size);
  }

 private:
  static constexpr std::size_t trusted_length = std::size_t{64} << 10;

  descriptor file_;
  std::string path_;
};

/// The mode bits of `path`, or nothing if there is no such file. Errors: all others.
result<std::optional<mode_t>> mode_of(std::string_view operation, const std::string& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) == 0) return std::optional{about.st_mode};
  if (errno == ENOENT || errno == ENOTDIR) return std::optional<mode_t>{};
  return file_error(operation, path, errno);
}

/// `path` without its last name and the slashes around it; empty if nothing is above it.
std::string parent_of(std::string path) {
  const auto last = path.find_last_not_of('/');
  if (last == std::string::npos) return {};
  const auto slash = path.find_last_of('/', last);
  if (slash == std::string::npos) return {};
  path.resize(slash);
  return path;
}

class posix_file_system final : public file_system {
 public:
  result<std::unique_ptr<writable_file>> create(const std::string& path) override {
    auto file = open_descriptor("create", path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
    if (!file) return std::move(file).failure();
    return std::unique_ptr<writable_file>{new posix_writable_file{*std::move(file), path}};
  }

  result<std::unique_ptr<readable_file>> open(const std::string& path) override {
    auto file = open_descriptor("open", path, O_RDONLY);
    if (!file) return std::move(file).failure();
    struct stat about{};
    if (::fstat(file->number(), &about) != 0) return file_error("open", path, errno);
    if (S_ISDIR(about.st_mode)) return file_error("open", path, EISDIR);
    return std::unique_ptr<readable_file>{new posix_readable_file{*std::move(file), path}};
  }

  status link(const std::string& from, const std::string& to) override {
    if (::link(from.c_str(), to.c_str()) == 0) return {};
    return file_error("link", from, to, errno);
  }

  status rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) == 0) return {};
    return file_error("rename", from, to, errno);
  }

  status rename_new(const std::string& from, const std::string& to) override {
    const int code = internal::rename_new(from, to);
    if (code == 0) return {};
    return file_error("rename", from, to, code);
  }

  status remove(const std::string& path) override {
    if (::unlink(path.c_str()) == 0) return {};
    return file_error("remove", path, errno);
  }

  status remove_folder(const std::string& path) override {
    if (::rmdir(path.c_str()) == 0) return {};
    return file_error("remove folder", path, errno);
  }

  status create_folders(const std::string& path) override {
    if (::mkdir(path.c_str(), 0777) == 0) return {};
    int code = errno;
    if (code == ENOENT) {
      const auto above = parent_of(path);
      if (above.empty()) return file_error("create folder", path, code);
      if (auto created = create_folders(above); !created) return created;
      if (::mkdir(path.c_str(), 0777) == 0) return {};
      code = errno;  // EEXIST: somebody else was faster
    }
    if (code != EEXIST) return file_error("create folder", path, code);
    const auto folder = is_folder(path);
    if (!folder) return folder.failure();
    return *folder ? status{} : file_error("create folder", path, ENOTDIR);
  }

  result<std::vector<std::string>> list(const std::string& path) override {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder{::opendir(path.c_str()), &::closedir};
    if (!folder) return file_error("list", path, errno);
    std::vector<std::string> names;
    for (errno = 0; const auto* entry = ::readdir(folder.get()); errno = 0) {
      const std::string_view name{entry->d_name};
      if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) return file_error("list", path, errno);
    std::sort(names.begin(), names.end());
    return names;
  }

  result<bool> exists(const std::string& path) override {
    const auto mode = mode_of("look up", path);
    if (!mode) return mode.failure();
    return mode->has_value();
  }

  result<bool> is_folder(const std::string& path) override {
    const auto mode = mode_of("look up", path);
    if (!mode) return mode.failure();
    return mode->has_value() && S_ISDIR(**mode);
  }

  status sync_folder(const std::string& path) override {
    const auto folder = open_descriptor("sync folder", path, O_RDONLY | O_DIRECTORY);
    if (!folder) return folder.failure();
    if (uninterrupted([&] { return ::fsync(folder->number()); }) == 0) return {};
    return file_error("sync folder", path, errno);
  }
};

}  // namespace

file_system& real_file_system() {
  static posix_file_system files;
  return files;
}

}  // namespace weir
