// SPDX-License-Identifier: Apache-2.0
#include "weir/core/error.hpp"

namespace weir {

std::string_view to_string(errc code) noexcept {
  switch (code) {
    case errc::invalid_argument: return "invalid argument";
    case errc::not_found: return "not found";
    case errc::already_exists: return "already exists";
    case errc::corrupt: return "corrupt";
    case errc::io_error: return "I/O error";
    case errc::user_function_failed: return "user function failed";
    case errc::fenced: return "fenced";
    case errc::cancelled: return "cancelled";
  }
  return "unknown error";
}

}  // namespace weir
