// SPDX-License-Identifier: Apache-2.0
#include "weir/core/internal/file_error.hpp"

#include <cerrno>
#include <system_error>

namespace weir::internal {
namespace {

errc class_of(int code) {
  switch (code) {
    case ENOENT: return errc::not_found;
    case EEXIST: return errc::already_exists;
    default: return errc::io_error;
  }
}

}  // namespace

error file_error(std::string_view operation, std::string_view path, int code) {
  std::string message{operation};
  message.append(" ").append(path).append(": ").append(std::generic_category().message(code));
  return {class_of(code), std::move(message)};
}

error file_error(std::string_view operation, std::string_view from, std::string_view to, int code) {
  std::string both{from};
  both.append(" to ").append(to);
  return file_error(operation, both, code);
}

}  // namespace weir::internal
