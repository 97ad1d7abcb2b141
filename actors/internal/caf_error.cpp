// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/caf_error.hpp"

namespace weir::actors::internal {
namespace {

constexpr caf::atom_value weir_category = caf::atom("weir");
constexpr caf::atom_value exit_category = caf::atom("exit");

status from_exit_reason(const caf::error& reason) {
  switch (static_cast<caf::exit_reason>(reason.code())) {
    case caf::exit_reason::normal: return {};
    case caf::exit_reason::user_shutdown:
    case caf::exit_reason::kill: return error{errc::cancelled, "the actor was told to end"};
    case caf::exit_reason::remote_link_unreachable:
    case caf::exit_reason::unreachable:
      return error{errc::io_error, "the actor's node cannot be reached"};
    case caf::exit_reason::unhandled_exception:
      return error{errc::user_function_failed, "the actor ended with an exception"};
    default: return error{errc::invalid_argument, "the actor ended: " + caf::to_string(reason)};
  }
}

}  // namespace

caf::error to_caf(const error& failure) {
  // CAF reads code 0 as success.
  const auto code = static_cast<std::uint8_t>(static_cast<int>(failure.code()) + 1);
  return caf::error{code, weir_category, caf::make_message(failure.message())};
}

status from_caf(const caf::error& reason) {
  if (!reason) return {};
  if (reason.category() == weir_category && reason.context().match_elements<std::string>()) {
    return error{static_cast<errc>(reason.code() - 1), reason.context().get_as<std::string>(0)};
  }
  if (reason.category() == exit_category) return from_exit_reason(reason);
  if (reason == caf::sec::runtime_error) {
    return error{errc::user_function_failed, "the actor ended with an exception"};
  }
  if (reason == caf::sec::request_receiver_down) {
    return error{errc::cancelled, "the actor has ended"};
  }
  return error{errc::invalid_argument, "actor system: " + caf::to_string(reason)};
}

error from_exception(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return error{errc::user_function_failed, std::string{"exception: "} + e.what()};
  } catch (...) {
    return error{errc::user_function_failed, "exception of a type not derived from std::exception"};
  }
}

}  // namespace weir::actors::internal
