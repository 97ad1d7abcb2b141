// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "weir/state/state_options.hpp"

namespace weir::state {

/// What the handles of all states that are not kept by key have in common: the declaration. A
/// member of a user's function. A copy declares the same state, and is bound to none.
class operator_state_handle {
 public:
  const std::string& name() const noexcept { return name_; }
  const state_options& options() const noexcept { return options_; }

 protected:
  ~operator_state_handle() = default;
  operator_state_handle(std::string name, state_options options)
      : name_{std::move(name)}, options_{std::move(options)} {}

  /// Throws `state_error`: the state is used outside a running function, or is not listed.
  [[gnu::cold, gnu::noinline, noreturn]] void fail_unbound() const;

 private:
  std::string name_;
  state_options options_;
};

}  // namespace weir::state
