// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "weir/state/cell.hpp"
#include "weir/state/row_head.hpp"

namespace weir::state {

/// How a state is spread over the subtasks of its operator.
enum class redistribution {
  none,             ///< Per key: it goes where its key goes.
  redistributable,  ///< Elements that are dealt out anew when the parallelism changes.
  identical,        ///< The same in all subtasks.
};

/// "none", "redistributable", "identical".
std::string_view to_string(redistribution mode) noexcept;

/// What the handles of all keyed states have in common: a name, and a view of the row of the
/// current key. A member of a user's function. A copy declares the same state, but views no row.
/// Owned and used by the subtask of the function.
class state_handle {
 public:
  state_handle(const state_handle& other) : name_{other.name_} {}
  state_handle& operator=(const state_handle& other) {
    name_ = other.name_;
    bound_ = false;
    detach();
    return *this;
  }

  const std::string& name() const noexcept { return name_; }

  /// For the engine. Says that the handle is listed in `uses_states()` of a running function.
  void bind() noexcept { bound_ = true; }

  /// For the engine. From now on the handle is a view of cell `index` of `row`, `offset` bytes in.
  [[gnu::always_inline]] void attach(std::byte* row, std::uint32_t offset,
                                     std::uint32_t index) noexcept {
    row_ = row;
    offset_ = place{offset};
    index_ = cell_index{index};
  }

  /// For the engine. From now on there is no current key.
  void detach() noexcept { row_ = no_row(); }

 protected:
  ~state_handle() = default;
  explicit state_handle(std::string name) : name_{std::move(name)} {}

  bool present() const noexcept { return is_present(row_, static_cast<std::uint32_t>(index_)); }

  /// The value of the current key. @pre present()
  template <class T>
  T& value_at_row() const noexcept {
    return cell<T>::value(row_ + static_cast<std::uint32_t>(offset_));
  }

  /// Gives the current key a first value. @pre !present()
  template <class T, class... Args>
  T& create(Args&&... args) {
    require_row();
    T& value =
        cell<T>::construct(row_ + static_cast<std::uint32_t>(offset_), std::forward<Args>(args)...);
    set_present(row_, static_cast<std::uint32_t>(index_));
    return value;
  }

  template <class T>
  void drop() {
    if (!present()) return require_row();
    cell<T>::destroy(row_ + static_cast<std::uint32_t>(offset_));
    set_absent(row_, static_cast<std::uint32_t>(index_));
  }

  /// Throws `state_error` if there is no current key. Nothing is present then, so only the paths
  /// for absent values ask.
  void require_row() const {
    if (row_ == no_row()) [[unlikely]]
      fail_without_row();
  }

 private:
  enum class place : std::uint32_t {};
  enum class cell_index : std::uint32_t {};

  // Stands for "no row". Its values are all absent, and nobody writes to it.
  static std::byte* no_row() noexcept {
    alignas(row_head) static constinit std::byte row[sizeof(row_head)]{};
    return row;
  }

  [[gnu::cold, gnu::noinline, noreturn]] void fail_without_row() const;

  std::byte* row_ = no_row();
  place offset_{};
  cell_index index_{};
  bool bound_ = false;
  std::string name_;
};

}  // namespace weir::state
