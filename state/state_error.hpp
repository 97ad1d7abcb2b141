// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace weir::state {

/// Thrown by a state handle that is used where it has no value to work on: without a current key,
/// or without being listed in `uses_states()`. It leaves the user's function and is caught where
/// all exceptions of user functions are. No state was changed.
class state_error : public std::logic_error {
 public:
  explicit state_error(const std::string& message) : std::logic_error{message} {}
};

}  // namespace weir::state
