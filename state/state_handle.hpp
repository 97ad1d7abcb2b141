// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "weir/state/cell.hpp"
#include "weir/state/row_head.hpp"
#include "weir/state/state_future.hpp"
#include "weir/state/state_options.hpp"
#include "weir/state/ttl_rule.hpp"

namespace weir::state {

/// How a state is spread over the subtasks of its operator.
enum class redistribution {
  none,             ///< Per key: it goes where its key goes.
  redistributable,  ///< Elements that are dealt out anew when the parallelism changes.
  identical,        ///< The same in all subtasks.
};

/// "none", "redistributable", "identical".
std::string_view to_string(redistribution mode) noexcept;

/// A state that each key has one of; those are the ones that lie in rows.
template <class S>
concept keyed_state = (S::mode == redistribution::none);

/// What the handles of all keyed states have in common: a name, and a view of the row of the
/// current key. A member of a user's function. A copy declares the same state, but views no row.
/// Owned and used by the subtask of the function.
///
/// A state with TTL is attached as one that is absent: so only the paths for absent values ask for
/// `ttl()`, and where it is not null they go by `cell_present()` and the stamps.
class state_handle {
 public:
  state_handle(const state_handle& other) : name_{other.name_}, options_{other.options_} {}
  state_handle& operator=(const state_handle& other) {
    name_ = other.name_;
    options_ = other.options_;
    bound_ = false;
    rule_ = nullptr;
    port_ = nullptr;
    detach();
    return *this;
  }

  const std::string& name() const noexcept { return name_; }
  const state_options& options() const noexcept { return options_; }

  /// For the engine. Puts `prefix` before the name, so that parts of a function can have states of
  /// one name. @pre nothing has been declared yet
  void prefix_name(std::string_view prefix) { name_.insert(0, prefix); }

  /// For the engine. Says that the handle is listed in `uses_states()` of a running function, as
  /// cell `index` of its rows.
  void bind(std::uint32_t index) noexcept {
    bound_ = true;
    cell_ = index_ = cell_index{index};
  }

  /// For the engine. The state lives by `rule`, which must outlive the function; if its cell has a
  /// stamp in the row, it is `stamp_offset` bytes in. @pre bound, and no row of the function has
  /// a cell `never_present`
  void bind_ttl(ttl_rule& rule, std::uint32_t stamp_offset) noexcept {
    rule_ = &rule;
    stamp_offset_ = place{stamp_offset};
  }

  /// For the engine. Where asynchronous accesses lead; `port` must outlive the function.
  void bind_async(const async_port& port) noexcept { port_ = &port; }

  /// For the engine. From now on the handle is a view of cell `index` of `row`, `offset` bytes in.
  [[gnu::always_inline]] void attach(std::byte* row, std::uint32_t offset,
                                     std::uint32_t index) noexcept {
    if (rule_ != nullptr) __builtin_unreachable();
    row_ = row;
    offset_ = place{offset};
    index_ = cell_index{index};
  }

  /// For the engine. The same in rows where states may have a TTL.
  [[gnu::always_inline]] void attach_timed(std::byte* row, std::uint32_t offset,
                                           std::uint32_t index) noexcept {
    row_ = row;
    offset_ = place{offset};
    index_ = cell_index{rule_ == nullptr ? index : never_present};
  }

  /// For the engine. Where the state has its value in all rows of the function: the cell, and how
  /// many bytes in. @pre attached once
  std::uint32_t row_cell() const noexcept { return cell(); }
  std::uint32_t row_offset() const noexcept { return static_cast<std::uint32_t>(offset_); }

  /// For the engine. From now on there is no current key.
  void detach() noexcept { row_ = no_row(); }

  /// For the engine. The row that the handle is a view of; null: there is no current key.
  std::byte* attached_row() const noexcept { return row_ == no_row() ? nullptr : row_; }
  /// For the engine. Whether the current key has a value of it, expired ones included.
  bool has_cell() const noexcept { return cell_present(); }

 protected:
  ~state_handle() = default;
  explicit state_handle(std::string name, state_options options = {})
      : name_{std::move(name)}, options_{std::move(options)} {}

  bool present() const noexcept { return is_present(row_, static_cast<std::uint32_t>(index_)); }

  /// Whether the row has a value, of a state with TTL as well; it may have expired.
  bool cell_present() const noexcept { return is_present(row_, cell()); }

  /// The TTL that the state lives by; null: none. To be asked once for each access: what is cleaned
  /// up is in proportion to it. @pre !present()
  const ttl_rule* ttl() const noexcept {
    if (rule_ != nullptr) ++rule_->accesses;
    return rule_;
  }

  /// When the value of the current key was touched last. @pre ttl(), S::row_stamp, cell_present()
  /// or just created
  std::int64_t& stamp() const noexcept {
    return *reinterpret_cast<std::int64_t*>(row_ + static_cast<std::uint32_t>(stamp_offset_));
  }

  /// The value of the current key. @pre present() or cell_present()
  template <class T>
  T& value_at_row() const noexcept {
    return cell_of<T>::value(row_ + static_cast<std::uint32_t>(offset_));
  }

  /// Gives the current key a first value. @pre !cell_present()
  template <class T, class... Args>
  T& create(Args&&... args) const {
    require_row();
    T& value = cell_of<T>::construct(row_ + static_cast<std::uint32_t>(offset_),
                                     std::forward<Args>(args)...);
    set_present(row_, cell());
    return value;
  }

  template <class T>
  void drop() const {
    if (!cell_present()) return require_row();
    cell_of<T>::destroy(row_ + static_cast<std::uint32_t>(offset_));
    set_absent(row_, cell());
  }

  /// Has `access()` called, now or later, with the present key as the current one.
  template <class Access>
  auto later(Access access) const {
    require_row();
    return start_access(port_, cell(), std::move(access));
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
  template <class T>
  using cell_of = state::cell<T>;

  // The cell of the row where the value is, also while `index_` hides it.
  std::uint32_t cell() const noexcept {
    const auto index = static_cast<std::uint32_t>(index_);
    return index == never_present ? static_cast<std::uint32_t>(cell_) : index;
  }

  // Stands for "no row". Its values are all absent, and nobody writes to it.
  static std::byte* no_row() noexcept {
    alignas(row_head) static constinit std::byte row[sizeof(row_head)]{};
    return row;
  }

  [[gnu::cold, gnu::noinline, noreturn]] void fail_without_row() const;

  std::byte* row_ = no_row();
  place offset_{};
  cell_index index_{};
  ttl_rule* rule_ = nullptr;
  const async_port* port_ = nullptr;
  place stamp_offset_{};
  cell_index cell_{};
  bool bound_ = false;
  std::string name_;
  state_options options_;
};

}  // namespace weir::state
