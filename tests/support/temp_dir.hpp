// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace weir::testing {

/// A new, empty folder of the machine, removed at the end with all that is in it.
class temp_dir {
 public:
  temp_dir() : path_{(std::filesystem::temp_directory_path() / "weir_test_XXXXXX").string()} {
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
  std::string path_;
};

}  // namespace weir::testing
