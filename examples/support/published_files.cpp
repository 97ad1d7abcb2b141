// SPDX-License-Identifier: Apache-2.0
#include "examples/support/published_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

namespace example {

std::vector<published_file> published_files(const std::string& folder) {
  std::vector<published_file> found;
  std::error_code ignored;  // a folder that is not there has no files
  for (std::filesystem::recursive_directory_iterator at{folder, ignored}, end; at != end;
       at.increment(ignored)) {
    struct stat entry{};
    const auto path = at->path().string();
    if (at->path().filename().string().starts_with('.')) continue;
    if (::stat(path.c_str(), &entry) != 0 || !S_ISREG(entry.st_mode)) continue;
    found.push_back({path, entry.st_ino,
                     std::int64_t{entry.st_mtim.tv_sec} * 1'000'000'000 + entry.st_mtim.tv_nsec,
                     static_cast<std::uint64_t>(entry.st_size)});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return found;
}

std::vector<std::string> published_rows(const std::string& folder) {
  std::vector<std::string> rows;
  for (const auto& file : published_files(folder)) {
    std::ifstream lines{file.path, std::ios::binary};
    for (std::string row; std::getline(lines, row);) rows.push_back(row);
  }
  return rows;
}

}  // namespace example
