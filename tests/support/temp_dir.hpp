// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace weir::testing {

/// A new, empty folder of the machine, removed at the end with all that is in it. In memory where
/// that is possible: what a killed process has written stays, and no test waits for a disk.
class temp_dir {
 public:
  temp_dir() : path_{(root() / "weir_test_XXXXXX").string()} {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
  }
  temp_dir(const temp_dir&) = delete;
  temp_dir& operator=(const temp_dir&) = delete;
  ~temp_dir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  /// Without a slash at the end.
  const std::string& path() const noexcept { return path_; }

 private:
  static std::filesystem::path root() {
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = std::getenv("TMPDIR") == nullptr && ::access(memory.c_str(), W_OK) == 0;
    return usable ? memory : std::filesystem::temp_directory_path();
  }

  std::string path_;
};

}  // namespace weir::testing
