// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/state/cell_format.hpp"
#include "weir/state/stamped_handle.hpp"

namespace weir::state {

/// One value for each key into which others are reduced. `Reduce` is called as
/// `T reduce(const T& so_far, const T& next)`. Declared, listed and used like a `value_state`.
///
/// With a TTL the reducing starts afresh when the value has expired. If it may be returned, `get`
/// returns it once, and `add` goes on with it.
/// Errors: every access throws `state_error` where there is no current key, and when the state is
/// not listed.
template <class T, class Reduce>
class reducing_state : public stamped_handle<T> {
  static_assert(
      std::is_invocable_r_v<T, Reduce&, const T&, const T&>,
      "reducing_state<T, Reduce>: Reduce must be callable as T reduce(const T&, const T&)");

 public:
  using value_type = T;
  static constexpr std::string_view kind = "reducing";
  static constexpr redistribution mode = redistribution::none;

  explicit reducing_state(std::string name, state_options options = {})
      : reducing_state{std::move(name), Reduce{}, std::move(options)} {}
  reducing_state(std::string name, Reduce reduce, state_options options = {})
      : stamped_handle<T>{std::move(name), std::move(options)}, reduce_{std::move(reduce)} {}

  /// The value so far, until the next access; null when nothing was added.
  const T* get() const {
    if (this->present()) [[likely]]
      return &this->template value_at_row<T>();
    return this->read_absent();
  }

  /// Reduces `value` into the value so far. The first one is stored as it is.
  void add(T value) {
    // Where there is a value already, `value` is not moved from.
    if (!this->present() && this->change_absent(std::move(value))) [[unlikely]]
      return;
    reduce_into(this->template value_at_row<T>(), value);
  }

  /// Removes the value.
  void clear() { this->template drop<T>(); }

  // -- asynchronously: see `state_future` --------------------------------------------------------

  auto async_get() const {
    return this->later([this] { return get(); });
  }
  auto async_add(T value) {
    return this->later(
        [this, value = std::move(value)]() mutable { return add(std::move(value)); });
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

  /// Reduces `from` into `into`, with the function of `state`.
  static void merge_cell(T& into, T&& from, reducing_state& state) {
    state.reduce_into(into, from);
  }

 private:
  void reduce_into(T& so_far, const T& next) {
    so_far = std::invoke(reduce_, std::as_const(so_far), next);
  }

  [[no_unique_address]] Reduce reduce_;
};

}  // namespace weir::state
