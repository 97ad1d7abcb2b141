// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include "weir/actors/internal/caf.hpp"
#include "weir/core/error.hpp"
#include "weir/core/result.hpp"

namespace weir::actors::internal {

/// `failure` as the reason for which an actor ends. `from_caf` gives it back unchanged, so the
/// actor's monitors learn the cause.
caf::error to_caf(const error& failure);

/// Why an actor ended, or why CAF refused something: ok() for a normal end, the weir::error that
/// `to_caf` packed, cancelled for an actor that was told to end, io_error for a lost node, and
/// user_function_failed for an escaped exception. Anything else is a fault in the program that
/// sent the message: invalid_argument, with CAF's text.
status from_caf(const caf::error& reason);

/// An exception that reached an actor's edge: user_function_failed with its text.
/// @pre `thrown` holds an exception
error from_exception(const std::exception_ptr& thrown);

}  // namespace weir::actors::internal
