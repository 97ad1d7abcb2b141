// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/system.hpp"

#include <mutex>
#include <thread>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace weir::actors::internal {

std::unique_ptr<caf::actor_system_config> make_system_config(std::size_t threads) {
  // CAF's own default is at least four threads, which is slower than one for each core.
  const std::size_t cores = std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
  auto config = std::make_unique<caf::actor_system_config>();
  config->set("scheduler.policy", caf::atom("stealing"));
  config->set("scheduler.max-threads", threads > 0 ? threads : cores);
  // Without a bound, an actor that feeds itself starves all others on its thread.
  config->set("scheduler.max-throughput", std::size_t{32});
  config->set("logger.verbosity", caf::atom("quiet"));
  config->set("logger.console", caf::atom("none"));
  return config;
}

void keep_freed_memory() {
#if defined(__GLIBC__)
  static std::once_flag once;
  std::call_once(once, [] {
    constexpr int mebibyte = 1 << 20;
    mallopt(M_TRIM_THRESHOLD, 256 * mebibyte);
    // 32 MiB is the largest threshold glibc takes.
    mallopt(M_MMAP_THRESHOLD, 32 * mebibyte);
    mallopt(M_TOP_PAD, 16 * mebibyte);
  });
#endif
}

}  // namespace weir::actors::internal
