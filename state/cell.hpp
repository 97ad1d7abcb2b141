// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace weir::state {

/// True when a `T` is kept in the row itself: it is small and moving it cannot fail.
template <class T>
inline constexpr bool fits_in_row = sizeof(T) <= 64 && std::is_nothrow_move_constructible_v<T>;

/// The place of a `T` in a row: the value itself, or a pointer to it when it does not fit.
template <class T>
struct cell {
  using stored = std::conditional_t<fits_in_row<T>, T, std::unique_ptr<T>>;

  static constexpr std::size_t size = sizeof(stored);
  static constexpr std::size_t alignment = alignof(stored);
  static constexpr bool trivial = std::is_trivially_copyable_v<stored>;

  /// @pre the cell at `place` holds a value
  static T& value(std::byte* place) noexcept {
    auto* held = std::launder(reinterpret_cast<stored*>(place));
    if constexpr (fits_in_row<T>)
      return *held;
    else
      return **held;
  }
  static const T& value(const std::byte* place) noexcept {
    return value(const_cast<std::byte*>(place));
  }

  /// @pre the cell at `place` holds no value
  template <class... Args>
  static T& construct(std::byte* place, Args&&... args) {
    if constexpr (fits_in_row<T>)
      return *::new (place) stored(std::forward<Args>(args)...);
    else
      return **::new (place) stored(std::make_unique<T>(std::forward<Args>(args)...));
  }

  static void destroy(std::byte* place) noexcept {
    std::destroy_at(std::launder(reinterpret_cast<stored*>(place)));
  }

  /// Moves the value at `from` into the empty cell at `to` and leaves `from` empty.
  static void relocate(std::byte* from, std::byte* to) noexcept {
    auto* held = std::launder(reinterpret_cast<stored*>(from));
    ::new (to) stored(std::move(*held));
    std::destroy_at(held);
  }
};

}  // namespace weir::state
