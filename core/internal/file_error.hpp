// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "weir/core/error.hpp"

namespace weir::internal {

/// The error of a file operation that failed with `code`, a value of `errno`:
/// "open /a/b: No such file or directory". Any thread.
error file_error(std::string_view operation, std::string_view path, int code);

/// The same for an operation on two paths: "link /a to /b: File exists".
error file_error(std::string_view operation, std::string_view from, std::string_view to, int code);

}  // namespace weir::internal
