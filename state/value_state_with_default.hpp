// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/state/state_handle.hpp"

namespace weir::state {

/// One value for each key, which is the default for a key that has not got one yet. Each key
/// changes a copy of its own. Declared, listed and used like a `value_state`.
/// Errors: every access throws `state_error` where there is no current key, and when the state is
/// not listed.
template <class T>
class value_state_with_default : public state_handle {
 public:
  using value_type = T;
  static constexpr std::string_view kind = "value with default";
  static constexpr redistribution mode = redistribution::none;

  value_state_with_default(std::string name, T initial)
      : state_handle{std::move(name)}, initial_{std::move(initial)} {}

  /// The value or the default, until the next access.
  const T& value() const {
    if (present()) [[likely]]
      return value_at_row<T>();
    require_row();
    return initial_;
  }

  /// Stores `value`.
  void update(T value) {
    if (present()) [[likely]]
      value_at_row<T>() = std::move(value);
    else
      create<T>(std::move(value));
  }

  /// Changes the value in place, or a copy of the default: returns `change(T&)`.
  template <class Change>
  decltype(auto) edit(Change&& change) {
    if (!present()) [[unlikely]]
      create<T>(initial_);
    return std::invoke(std::forward<Change>(change), value_at_row<T>());
  }

  /// Removes the value: it is the default again.
  void clear() { drop<T>(); }

 private:
  T initial_;
};

}  // namespace weir::state
