// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEIR_TEST_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WEIR_TEST_ADDRESS_SANITIZER
#endif

namespace weir::testing {

/// Whether the tests are built with AddressSanitizer: what runs random programs runs fewer then,
/// since each takes about 20 times as long.
#ifdef WEIR_TEST_ADDRESS_SANITIZER
inline constexpr bool has_address_sanitizer = true;
#else
inline constexpr bool has_address_sanitizer = false;
#endif

}  // namespace weir::testing
