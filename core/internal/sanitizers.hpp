// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEIR_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WEIR_ADDRESS_SANITIZER
#endif

#ifdef WEIR_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace weir::internal {

/// From now on AddressSanitizer, if it is there, reports each use of these bytes.
inline void forbid_use([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef WEIR_ADDRESS_SANITIZER
  ASAN_POISON_MEMORY_REGION(begin, bytes);
#endif
}

/// From now on these bytes may be used again.
inline void allow_use([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef WEIR_ADDRESS_SANITIZER
  ASAN_UNPOISON_MEMORY_REGION(begin, bytes);
#endif
}

}  // namespace weir::internal
