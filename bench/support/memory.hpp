// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <fstream>

#include <malloc.h>
#include <unistd.h>

namespace weir::bench {

/// Bytes of memory that the process takes from the system, after the allocator has given back what
/// it does not need.
inline std::size_t resident_bytes() {
  malloc_trim(0);
  std::ifstream statm{"/proc/self/statm"};
  std::size_t pages = 0, resident = 0;
  statm >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace weir::bench
