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

/// One value for each key, or none. Declare it as a member of a function and list it in
/// `uses_states()`; while a record is processed it is the state of the record's key.
///
/// With a TTL a value that has expired is absent. If it may be returned, `value` returns it once,
/// and `edit` changes it.
/// Errors: every access throws `state_error` where there is no current key, and when the state is
/// not listed.
template <class T>
class value_state : public stamped_handle<T> {
 public:
  using value_type = T;
  static constexpr std::string_view kind = "value";
  static constexpr redistribution mode = redistribution::none;

  explicit value_state(std::string name, state_options options = {})
      : stamped_handle<T>{std::move(name), std::move(options)} {}

  /// The value, until the next access; null when there is none.
  const T* value() const {
    if (this->present()) [[likely]]
      return &this->template value_at_row<T>();
    return this->read_absent();
  }

  /// Stores `value`.
  void update(T value) {
    if (this->present()) [[likely]]
      this->template value_at_row<T>() = std::move(value);
    else
      this->write_absent(std::move(value));
  }

  /// Changes the value in place: returns `change(T&)`. A value that is absent begins as `T{}`.
  template <class Change>
  decltype(auto) edit(Change&& change) {
    if (!this->present()) [[unlikely]]
      this->change_absent();
    return std::invoke(std::forward<Change>(change), this->template value_at_row<T>());
  }

  /// Removes the value.
  void clear() { this->template drop<T>(); }

  // -- asynchronously: see `state_future` --------------------------------------------------------

  auto async_value() const {
    return this->later([this] { return value(); });
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
};

}  // namespace weir::state
