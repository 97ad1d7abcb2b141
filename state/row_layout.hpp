// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/core/bytes.hpp"
#include "weir/core/codec.hpp"
#include "weir/state/cell.hpp"
#include "weir/state/row_head.hpp"

namespace weir::state {

/// For each cell of a stored row, in stored order, the cell of the present layout it belongs to.
using cell_order = std::array<std::uint8_t, max_cells>;

/// The order of a row that was stored with the layout it is read with.
inline constexpr cell_order same_order = [] {
  cell_order order{};
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint8_t>(i);
  return order;
}();

/// A row of one cell for each of `Values`: where they lie, and how such a row is moved, destroyed,
/// written and read. Everything but the user's types is known when compiling.
///
/// Stored row: `presence:varint` then, for each bit set, from the lowest, the value by its codec.
template <class... Values>
struct row_layout {
  static_assert(sizeof...(Values) <= max_cells,
                "row_layout: a row has at most 32 cells; a function lists at most 32 keyed states");

  static constexpr std::size_t count = sizeof...(Values);
  static constexpr std::size_t alignment =
      std::max({alignof(row_head), cell<Values>::alignment...});
  static constexpr bool trivial = (cell<Values>::trivial && ...);

  template <std::size_t I>
  using value_at = std::tuple_element_t<I, std::tuple<Values...>>;

  /// How a row is written: there is nothing to choose.
  struct write_options {};

  /// How a stored row is read.
  struct read_options {
    cell_order order = same_order;
  };

 private:
  static constexpr std::array<std::uint32_t, count + 1> places = [] {
    std::array<std::uint32_t, count + 1> at{};
    std::size_t end = sizeof(row_head), i = 0;
    const auto place = [&](std::size_t size, std::size_t align) {
      end = (end + align - 1) / align * align;
      at[i++] = static_cast<std::uint32_t>(end);
      end += size;
    };
    (place(cell<Values>::size, cell<Values>::alignment), ...);
    place(0, alignment);
    return at;
  }();

 public:
  /// Bytes of a row, a multiple of `alignment`.
  static constexpr std::size_t size = places[count];

  /// Bytes from the head of the row to cell `i`.
  static constexpr std::uint32_t offset(std::size_t i) { return places[i]; }

  /// @pre cell `I` is present
  template <std::size_t I>
  static auto& value(std::byte* row) noexcept {
    return cell<value_at<I>>::value(row + places[I]);
  }
  template <std::size_t I>
  static const auto& value(const std::byte* row) noexcept {
    return cell<value_at<I>>::value(row + places[I]);
  }

  /// Gives cell `I` a value made of `args`. @pre cell `I` is absent
  template <std::size_t I, class... Args>
  static auto& create(std::byte* row, Args&&... args) {
    auto& made = cell<value_at<I>>::construct(row + places[I], std::forward<Args>(args)...);
    set_present(row, I);
    return made;
  }

  /// Moves the row at `from` to the raw memory at `to` and leaves raw memory at `from`.
  static void relocate(std::byte* from, std::byte* to) noexcept {
    if constexpr (trivial) {
      std::memcpy(to, from, size);
    } else {
      std::memcpy(to, from, sizeof(row_head));
      each_present(from, [&]<std::size_t I>(index<I>) {
        cell<value_at<I>>::relocate(from + places[I], to + places[I]);
      });
    }
  }

  /// Destroys the values of `row` and leaves its presence bits as they are.
  static void destroy([[maybe_unused]] std::byte* row) noexcept {
    if constexpr (!trivial)
      each_present(row,
                   [&]<std::size_t I>(index<I>) { cell<value_at<I>>::destroy(row + places[I]); });
  }

  /// True: the row belongs into a snapshot. Other layouts may say false: there is nothing to write.
  static bool write(const std::byte* row, byte_writer& out, const write_options&) {
    out.varint(static_cast<std::uint32_t>(head_of(row).present));
    each_present(row,
                 [&]<std::size_t I>(index<I>) { codec<value_at<I>>::write(out, value<I>(row)); });
    return true;
  }

  /// Reads stored cells into a row without values. Cells that were read stay when the input is
  /// damaged; `in.failed()` tells.
  static void read(byte_reader& in, std::byte* row, const read_options& options) {
    const auto stored = in.varint();
    for (std::size_t i = 0; i < max_cells && !in.failed(); ++i)
      if (stored >> i & 1) read_cell(in, row, options.order[i], std::make_index_sequence<count>{});
    if (stored >> max_cells) in.fail();
  }

 private:
  template <std::size_t I>
  using index = std::integral_constant<std::size_t, I>;

  template <class Row, class Use>
  static void each_present(Row* row, Use&& use) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void(is_present(row, I) && (use(index<I>{}), true)), ...);
    }(std::make_index_sequence<count>{});
  }

  template <std::size_t... I>
  static void read_cell(byte_reader& in, std::byte* row, std::size_t wanted,
                        std::index_sequence<I...>) {
    const auto read_one = [&]<std::size_t J>(index<J>) {
      if (is_present(row, J)) return in.fail();
      auto read = codec<value_at<J>>::read(in);
      if (!in.failed()) create<J>(row, std::move(read));
    };
    if (!((wanted == I && (read_one(index<I>{}), true)) || ...)) in.fail();
  }
};

}  // namespace weir::state
