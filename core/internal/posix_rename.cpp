// SPDX-License-Identifier: Apache-2.0
#include "weir/core/internal/posix_rename.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace weir::internal {

int rename_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  const int code = errno;
  // EINVAL is also what a folder gets that shall move into itself; `link` then says EPERM.
  return code == EINVAL || code == ENOSYS ? rename_new_by_link(from, to) : code;
}

int rename_new_by_link(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  return ::unlink(from.c_str()) == 0 ? 0 : errno;
}

}  // namespace weir::internal
