// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/state/cell_format.hpp"
#include "weir/state/state_handle.hpp"

namespace weir::windowing {

/// A row of its own, without key and table. Owned; moves safely.
template <class Layout>
class single_row {
 public:
  /// An empty one.
  single_row()
      : row_{static_cast<std::byte*>(
            ::operator new(Layout::size, std::align_val_t{Layout::alignment}))} {
    std::memset(row_, 0, Layout::size);
  }
  single_row(single_row&& other) noexcept : row_{std::exchange(other.row_, nullptr)} {}
  single_row& operator=(single_row&& other) noexcept {
    std::swap(row_, other.row_);
    return *this;
  }
  ~single_row() {
    if (row_ == nullptr) return;
    Layout::destroy(row_);
    ::operator delete(row_, std::align_val_t{Layout::alignment});
  }

  std::byte* get() const noexcept { return row_; }

 private:
  std::byte* row_;
};

/// The sessions of a key beside the first one, each in a row as `Layout`, in no order.
template <class Layout>
class session_list {
 public:
  using rows = std::vector<single_row<Layout>>;

  session_list() : rows_{std::make_unique<rows>()} {}

  rows& all() { return *rows_; }
  const rows& all() const { return *rows_; }

  /// For rows of states of which others have a TTL: sessions do not expire.
  template <class Rule>
  static bool any_live(const Rule&) {
    return true;
  }

 private:
  std::unique_ptr<rows> rows_;
};

/// A keyed state of the engine: the sessions of a key for which its row has no room. `Layout` is
/// that of the row without this state, which comes last in it.
///
/// Stored: `count:varint row*`, see state::state_layout
template <class Layout>
class further_sessions : public state::state_handle {
 public:
  using cell_type = session_list<Layout>;
  static constexpr std::string_view kind = "further sessions";
  static constexpr state::redistribution mode = state::redistribution::none;
  static constexpr bool row_stamp = false;

  explicit further_sessions(std::string name) : state_handle{std::move(name)} {}

  /// Null: there are none.
  typename cell_type::rows* get() const {
    return present() ? &value_at_row<cell_type>().all() : nullptr;
  }

  /// Adds a row without a session.
  std::byte* add() {
    auto& rows = present() ? value_at_row<cell_type>().all() : create<cell_type>().all();
    return rows.emplace_back().get();
  }

  /// Removes a row. @pre it is one of them
  void remove(const std::byte* row) {
    auto& rows = value_at_row<cell_type>().all();
    std::erase_if(rows, [&](const auto& r) { return r.get() == row; });
    if (rows.empty()) drop<cell_type>();
  }

  static std::string type() { return "sessions"; }
  static void write_cell(byte_writer& out, const cell_type& cell, const state::cell_format&) {
    out.varint(cell.all().size());
    for (const auto& row : cell.all()) Layout::write(row.get(), out, {});
  }
  /// Cells are found by the order in which the whole row was stored.
  template <class Order>
  static cell_type read_ordered_cell(byte_reader& in, const Order& order) {
    cell_type cell;
    const auto count = in.varint();
    if (count == 0) in.fail();
    for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
      auto& row = cell.all().emplace_back();
      Layout::read(in, row.get(), {order});
      if (state::nothing_present(row.get())) in.fail();
    }
    return cell;
  }
  static bool remove_expired(cell_type&, const state::ttl_rule&) { return false; }
};

}  // namespace weir::windowing
