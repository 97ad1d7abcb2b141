// SPDX-License-Identifier: Apache-2.0
#include "weir/core/process_name.hpp"

#include <atomic>
#include <cstdint>

#include <unistd.h>

#include "weir/core/clock.hpp"

namespace weir {

std::string unique_process_name() {
  static std::atomic<std::uint64_t> names{0};
  char host[65] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  std::string name;
  for (const char* c = host; *c != '\0'; ++c) {
    const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                       (*c >= '0' && *c <= '9') || *c == '.' || *c == '-';
    name += plain ? *c : '_';
  }
  return name + "-" + std::to_string(::getpid()) + "-" + std::to_string(system_clock().now().ms) +
         "-" + std::to_string(names.fetch_add(1));
}

}  // namespace weir
