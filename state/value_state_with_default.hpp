// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/state/cell_format.hpp"
#include "weir/state/stamped_handle.hpp"

namespace weir::state {

/// One value for each key, which is the default for a key that has not got one yet. Each key
/// changes a copy of its own. Declared, listed and used like a `value_state`.
///
/// With a TTL a value that has expired is the default again. If it may be returned, `value` returns
/// it once, and `edit` changes it.
/// Errors: every access throws `state_error` where there is no current key, and when the state is
/// not listed.
template <class T>
class value_state_with_default : public stamped_handle<T> {
 public:
  using value_type = T;
  static constexpr std::string_view kind = "value with default";
  static constexpr redistribution mode = redistribution::none;

  value_state_with_default(std::string name, T initial, state_options options = {})
      : stamped_handle<T>{std::move(name), std::move(options)}, initial_{std::move(initial)} {}

  /// The value or the default, until the next access.
  const T& value() const {
    if (this->present()) [[likely]]
      return this->template value_at_row<T>();
    const T* held = this->read_absent();
    return held != nullptr ? *held : initial_;
  }

  /// Stores `value`.
  void update(T value) {
    if (this->present()) [[likely]]
      this->template value_at_row<T>() = std::move(value);
    else
      this->write_absent(std::move(value));
  }

  /// Changes the value in place, or a copy of the default: returns `change(T&)`.
  template <class Change>
  decltype(auto) edit(Change&& change) {
    if (!this->present()) [[unlikely]]
      this->change_absent(initial_);
    return std::invoke(std::forward<Change>(change), this->template value_at_row<T>());
  }

  /// Removes the value: it is the default again.
  void clear() { this->template drop<T>(); }

  // -- asynchronously: see `state_future` --------------------------------------------------------

  auto async_value() const {
    return this->later([this]() -> const T& { return value(); });
  }
  auto async_update(T value) {
    return this->later(
        [this, value = std::move(value)]() mutable { return update(std::move(value)); });
  }
  template <class Change>
  auto async_edit(Change change) {
    return this->later([this, change = std::move(change)]() mutable { return edit(change); });
  }
  auto async_clear() {
    return this->later([this] { return clear(); });
  }

  // -- for the engine ----------------------------------------------------------------------------

  using cell_type = T;
  static constexpr bool row_stamp = true;
  static std::string type() { return codec_identity<T>(); }
  static void write_cell(byte_writer& out, const T& value, const cell_format&) {
    codec<T>::write(out, value);
  }
  static T read_cell(byte_reader& in, const cell_format&) { return codec<T>::read(in); }

 private:
  T initial_;
};

}  // namespace weir::state
