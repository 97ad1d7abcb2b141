// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/state/list_cell.hpp"
#include "weir/state/state_handle.hpp"

namespace weir::state {

/// A list for each key, in the order in which its elements were added. Declared, listed and used
/// like a `value_state`. A list without elements takes no memory.
///
/// With a TTL each element expires by itself. What has expired stays in the list, unseen, until all
/// has expired and is read, a clean-up comes, or the list is read with `on_read_and_write`.
/// Errors: every access throws `state_error` where there is no current key, and when the state is
/// not listed; `std::length_error` beyond 2^30 elements.
template <class T>
class list_state : public state_handle {
 public:
  using value_type = T;
  static constexpr std::string_view kind = "list";
  static constexpr redistribution mode = redistribution::none;

  explicit list_state(std::string name, state_options options = {})
      : state_handle{std::move(name), std::move(options)} {}

  /// The elements as they are now, whatever happens to the list later: it may be changed while one
  /// iterates over them. Empty when there are none.
  list_view<T> get() const {
    if (present()) [[likely]]
      return list_view<T>{here().elements()};
    const auto* rule = absent_rule();
    return rule == nullptr ? list_view<T>{} : get_timed(*rule);
  }

  /// How many elements `get()` would show. Does not count as a read for the TTL.
  std::size_t size() const {
    if (present()) [[likely]]
      return here().size();
    const auto* rule = absent_rule();
    if (rule == nullptr || !cell_present()) return 0;
    return rule->shows_expired() ? here().size() : here().live(*rule);
  }

  /// Whether `get()` would show no element. Does not count as a read for the TTL.
  bool empty() const {
    if (present()) [[likely]]
      return false;
    const auto* rule = absent_rule();
    if (rule == nullptr || !cell_present()) return true;
    return !rule->shows_expired() && !here().any_live(*rule);
  }

  /// Adds an element at the end.
  void add(T value) {
    if (present()) [[likely]]
      here().add(std::move(value));
    else
      add_absent(std::move(value));
  }

  /// Adds the elements of a range at the end, in its order: all or, if the range throws, none. The
  /// range may show elements of this list through a view of it.
  template <class Range>
  void add_all(Range&& range) {
    const auto* rule = present() ? nullptr : absent_rule();
    if (cell_present())
      here().add_all(std::forward<Range>(range), rule);
    else
      put(cell_type::made_of(std::forward<Range>(range), rule));
  }

  void add_all(std::initializer_list<T> values) {
    add_all<const std::initializer_list<T>&>(values);
  }

  /// Replaces the elements by those of a range, which may be `get()`. An empty range clears.
  template <class Range>
  void update(Range&& range) {
    const auto* rule = present() ? nullptr : absent_rule();
    auto made = cell_type::made_of(std::forward<Range>(range), rule);
    clear();
    put(std::move(made));
  }

  void update(std::initializer_list<T> values) { update<const std::initializer_list<T>&>(values); }

  /// Removes all elements.
  void clear() { drop<cell_type>(); }

  // -- asynchronously: see `state_future` --------------------------------------------------------

  auto async_get() const {
    return this->later([this] { return get(); });
  }
  auto async_size() const {
    return this->later([this] { return size(); });
  }
  auto async_empty() const {
    return this->later([this] { return empty(); });
  }
  auto async_add(T value) {
    return this->later(
        [this, value = std::move(value)]() mutable { return add(std::move(value)); });
  }
  template <class Range>
  auto async_add_all(Range range) {
    return this->later(
        [this, range = std::move(range)]() mutable { return add_all(std::move(range)); });
  }
  template <class Range>
  auto async_update(Range range) {
    return this->later(
        [this, range = std::move(range)]() mutable { return update(std::move(range)); });
  }
  auto async_clear() {
    return this->later([this] { return clear(); });
  }

  // -- for the engine ----------------------------------------------------------------------------

  using cell_type = list_cell<T>;
  static constexpr bool row_stamp = false;
  static std::string type() { return codec_identity<T>(); }
  static void write_cell(byte_writer& out, const cell_type& cell, const cell_format& format) {
    cell.write(out, format);
  }
  static cell_type read_cell(byte_reader& in, const cell_format& format) {
    return cell_type::read(in, format);
  }
  static bool remove_expired(cell_type& cell, const ttl_rule& rule) {
    return cell.remove_expired(rule);
  }

  /// Adds the elements of `from` behind those of `into`; they keep their stamps.
  static void merge_cell(cell_type& into, cell_type&& from, list_state&) {
    into.append(std::move(from));
  }

 private:
  cell_type& here() const noexcept { return value_at_row<cell_type>(); }

  /// The TTL, or null. @pre !present()
  const ttl_rule* absent_rule() const {
    require_row();
    return ttl();
  }

  [[gnu::noinline]] list_view<T> get_timed(const ttl_rule& rule) const;

  [[gnu::noinline]] void add_absent(T value) {
    const auto* rule = absent_rule();
    auto& cell = cell_present() ? here() : create<cell_type>();
    cell.add(std::move(value), rule);
  }

  void put(cell_type cell) {
    if (!cell.empty()) create<cell_type>(std::move(cell));
  }
};

template <class T>
list_view<T> list_state<T>::get_timed(const ttl_rule& rule) const {
  if (!cell_present()) return {};
  cell_type& cell = here();
  const auto live = cell.live(rule);
  if (live == cell.size()) {
    if (rule.refreshes_on_read()) cell.refresh(rule);
    return list_view<T>{cell.elements()};
  }
  auto shown = rule.shows_expired() ? list_view<T>{cell.elements()} : list_view<T>{};
  if (live == 0) {
    drop<cell_type>();
  } else if (rule.refreshes_on_read()) {
    cell.remove_expired(rule);
    cell.refresh(rule);
    if (!rule.shows_expired()) shown = list_view<T>{cell.elements()};
  } else if (!rule.shows_expired()) {
    shown = cell.live_view(rule);
  }
  return shown;
}

}  // namespace weir::state
