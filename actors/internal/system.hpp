// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "weir/actors/internal/caf.hpp"

namespace weir::actors::internal {

/// The configuration of an actor system that runs jobs on `threads` threads; 0 means one for each
/// core. Work stealing, at most 32 messages of an actor in a row, nothing logged or printed.
/// Add message types and modules before the system is built from it.
std::unique_ptr<caf::actor_system_config> make_system_config(std::size_t threads);

/// Tells the allocator, once in the life of the process, to keep the memory of freed batches
/// instead of handing it back to the machine: with glibc's defaults, batches of 16 to 128 KiB
/// cost a page fault for every page of every batch (5 times the time of the whole pipeline). Up
/// to 256 MiB of freed memory then stay with the process. No effect with other C libraries.
void keep_freed_memory();

}  // namespace weir::actors::internal
