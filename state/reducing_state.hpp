// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/state/state_handle.hpp"

namespace weir::state {

/// One value for each key into which others are reduced. `Reduce` is called as
/// `T reduce(const T& so_far, const T& next)`. Declared, listed and used like a `value_state`.
/// Errors: every access throws `state_error` where there is no current key, and when the state is
/// not listed.
template <class T, class Reduce>
class reducing_state : public state_handle {
  static_assert(
      std::is_invocable_r_v<T, Reduce&, const T&, const T&>,
      "reducing_state<T, Reduce>: Reduce must be callable as T reduce(const T&, const T&)");

 public:
  using value_type = T;
  static constexpr std::string_view kind = "reducing";
  static constexpr redistribution mode = redistribution::none;

  explicit reducing_state(std::string name, Reduce reduce = Reduce{})
      : state_handle{std::move(name)}, reduce_{std::move(reduce)} {}

  /// The value so far, until the next access; null when nothing was added.
  const T* get() const {
    if (present()) [[likely]]
      return &value_at_row<T>();
    require_row();
    return nullptr;
  }

  /// Reduces `value` into the value so far. The first one is stored as it is.
  void add(T value) {
    if (present()) [[likely]] {
      T& so_far = value_at_row<T>();
      so_far = std::invoke(reduce_, std::as_const(so_far), std::as_const(value));
    } else {
      create<T>(std::move(value));
    }
  }

  /// Removes the value.
  void clear() { drop<T>(); }

 private:
  [[no_unique_address]] Reduce reduce_;
};

}  // namespace weir::state
