// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/state/state_handle.hpp"

namespace weir::state {

/// One value for each key, or none. Declare it as a member of a function and list it in
/// `uses_states()`; while a record is processed it is the state of the record's key.
/// Errors: every access throws `state_error` where there is no current key, and when the state is
/// not listed.
template <class T>
class value_state : public state_handle {
 public:
  using value_type = T;
  static constexpr std::string_view kind = "value";
  static constexpr redistribution mode = redistribution::none;

  explicit value_state(std::string name) : state_handle{std::move(name)} {}

  /// The value, until the next access; null when there is none.
  const T* value() const {
    if (present()) [[likely]]
      return &value_at_row<T>();
    require_row();
    return nullptr;
  }

  /// Stores `value`.
  void update(T value) {
    if (present()) [[likely]]
      value_at_row<T>() = std::move(value);
    else
      create<T>(std::move(value));
  }

  /// Changes the value in place: returns `change(T&)`. A value that is absent begins as `T{}`.
  template <class Change>
  decltype(auto) edit(Change&& change) {
    if (!present()) [[unlikely]]
      create<T>();
    return std::invoke(std::forward<Change>(change), value_at_row<T>());
  }

  /// Removes the value.
  void clear() { drop<T>(); }
};

}  // namespace weir::state
