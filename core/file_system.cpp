// SPDX-License-Identifier: Apache-2.0
#include "weir/core/file_system.hpp"

#include <utility>

namespace weir {

result<std::string> read_file(file_system& files, const std::string& path) {
  auto file = files.open(path);
  if (!file) return std::move(file).failure();
  const auto size = (*file)->size();
  if (!size) return size.failure();
  return (*file)->read(0, *size);
}

status write_file(file_system& files, const std::string& path, std::string_view bytes) {
  auto file = files.create(path);
  if (!file) return std::move(file).failure();
  if (auto appended = (*file)->append(bytes); !appended) return appended;
  return (*file)->sync();
}

}  // namespace weir
