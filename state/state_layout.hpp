// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "weir/core/bytes.hpp"
#include "weir/state/cell_format.hpp"
#include "weir/state/row_layout.hpp"
#include "weir/state/state_handle.hpp"

namespace weir::state {

/// Rows of states that have no TTL.
struct untimed {};
/// Rows of states of which one at least has a TTL.
struct timed {};

/// The row of the keyed states of a function: a cell for each, and in timed rows, behind them, a
/// stamp for each that expires as a whole: in milliseconds, when it was touched last.
///
/// Stored row: `presence:varint` then, for each bit set, from the lowest, `[stamp:i64] cell`, with
/// the stamp if the state expires as a whole and was stored with a TTL. What is in the cell is
/// up to the state.
template <class Timing, keyed_state... State>
struct state_layout : row_layout<typename State::cell_type...> {
  using base = row_layout<typename State::cell_type...>;
  using base::count;

  static constexpr bool is_timed = std::is_same_v<Timing, timed>;
  static_assert(!is_timed || count <= never_present,
                "state_layout: a function lists at most 31 keyed states if one has a TTL");

  /// Untimed rows leave nothing to choose.
  struct write_options {
    std::array<cell_format, is_timed ? count : 0> formats{};
  };

  struct read_options {
    cell_order order = same_order;
    cell_formats formats{};  ///< by the present order
  };

 private:
  template <std::size_t I>
  using index = std::integral_constant<std::size_t, I>;
  template <std::size_t I>
  using state_at = std::tuple_element_t<I, std::tuple<State...>>;

  static constexpr std::size_t stamp_size = sizeof(std::int64_t);
  static constexpr std::size_t stamps_begin =
      (base::size + stamp_size - 1) / stamp_size * stamp_size;
  static constexpr std::array<std::uint32_t, count + 1> stamp_places = [] {
    constexpr std::array<bool, count + 1> stamped{State::row_stamp...};
    std::array<std::uint32_t, count + 1> at{};
    std::size_t end = stamps_begin;
    for (std::size_t i = 0; i <= count; ++i) {
      at[i] = static_cast<std::uint32_t>(end);
      end += stamped[i] ? stamp_size : 0;
    }
    return at;
  }();

 public:
  static constexpr std::size_t alignment =
      is_timed ? std::max(base::alignment, stamp_size) : base::alignment;
  static constexpr std::size_t size =
      is_timed ? (stamp_places[count] + alignment - 1) / alignment * alignment : base::size;

  /// Whether cell `I` expires as a whole, if it expires.
  template <std::size_t I>
  static constexpr bool has_stamp = state_at<I>::row_stamp;

  /// Bytes from the head of a timed row to the stamp of cell `i`. @pre the cell has one
  static constexpr std::uint32_t stamp_offset(std::size_t i) { return stamp_places[i]; }

  template <std::size_t I>
  static std::int64_t& stamp(std::byte* row) noexcept {
    return *reinterpret_cast<std::int64_t*>(row + stamp_places[I]);
  }
  template <std::size_t I>
  static std::int64_t stamp(const std::byte* row) noexcept {
    return *reinterpret_cast<const std::int64_t*>(row + stamp_places[I]);
  }

  /// As that of `row_layout`.
  static void relocate(std::byte* from, std::byte* to) noexcept {
    if constexpr (base::trivial) {
      std::memcpy(to, from, size);
    } else {
      base::relocate(from, to);
      if constexpr (is_timed)
        std::memcpy(to + stamps_begin, from + stamps_begin, size - stamps_begin);
    }
  }

  /// Removes the value of cell `I`. @pre it is present
  template <std::size_t I>
  static void drop(std::byte* row) noexcept {
    cell<typename state_at<I>::cell_type>::destroy(row + base::offset(I));
    set_absent(row, I);
  }

  /// False: nothing is left of the row but what the options leave out.
  static bool write(const std::byte* row, byte_writer& out, const write_options& options) {
    const auto kept = kept_cells(row, options);
    if (kept == 0) return false;
    out.varint(kept);
    each(kept, [&]<std::size_t I>(index<I>) {
      const auto& format = format_of<I>(options);
      if constexpr (is_timed && state_at<I>::row_stamp) format.write_stamp(out, stamp<I>(row));
      state_at<I>::write_cell(out, base::template value<I>(row), format);
    });
    return true;
  }

  /// As that of `row_layout`.
  static void read(byte_reader& in, std::byte* row, const read_options& options) {
    const auto stored = in.varint();
    for (std::size_t i = 0; i < max_cells && !in.failed(); ++i) {
      if ((stored >> i & 1) == 0) continue;
      const std::size_t wanted = options.order[i];
      if (wanted >= count) return in.fail();
      each(1u << wanted, [&]<std::size_t I>(index<I>) { read_cell<I>(in, row, options); });
    }
    if (stored >> max_cells) in.fail();
  }

  /// Removes what has expired by `rules.of(i)` for each cell `i`; null: it has no TTL.
  template <class Rules>
  static void remove_expired(std::byte* row, const Rules& rules) {
    each(present_cells(row), [&]<std::size_t I>(index<I>) {
      const ttl_rule* const rule = rules.of(I);
      if (rule == nullptr) return;
      if constexpr (state_at<I>::row_stamp) {
        if (rule->expired(stamp<I>(row))) drop<I>(row);
      } else {
        if (state_at<I>::remove_expired(base::template value<I>(row), *rule)) drop<I>(row);
      }
    });
  }

 private:
  static std::uint32_t present_cells(const std::byte* row) {
    return static_cast<std::uint32_t>(head_of(row).present);
  }

  /// Calls `use(index<I>)` for each cell of the set `cells`.
  template <class Use>
  static void each(std::uint32_t cells, Use&& use) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void((cells >> I & 1u) != 0 && (use(index<I>{}), true)), ...);
    }(std::make_index_sequence<count>{});
  }

  template <std::size_t I>
  static const cell_format& format_of([[maybe_unused]] const write_options& options) {
    static constexpr cell_format plain;
    if constexpr (is_timed)
      return options.formats[I];
    else
      return plain;
  }

  static std::uint32_t kept_cells(const std::byte* row,
                                  [[maybe_unused]] const write_options& options) {
    auto kept = present_cells(row);
    if constexpr (is_timed)
      each(kept, [&]<std::size_t I>(index<I>) {
        const auto* rule = options.formats[I].keep_live_only;
        if (rule != nullptr && !is_live<I>(row, *rule)) kept &= ~(1u << I);
      });
    return kept;
  }

  template <std::size_t I>
  static bool is_live(const std::byte* row, const ttl_rule& rule) {
    if constexpr (state_at<I>::row_stamp)
      return !rule.expired(stamp<I>(row));
    else
      return base::template value<I>(row).any_live(rule);
  }

  /// A state that holds rows like this one needs to know the order of their cells.
  template <std::size_t I>
  static auto read_value(byte_reader& in, const read_options& options) {
    if constexpr (requires { state_at<I>::read_ordered_cell(in, options.order); })
      return state_at<I>::read_ordered_cell(in, options.order);
    else
      return state_at<I>::read_cell(in, options.formats[I]);
  }

  template <std::size_t I>
  static void read_cell(byte_reader& in, std::byte* row, const read_options& options) {
    if (is_present(row, I)) return in.fail();
    const cell_format& format = options.formats[I];
    std::int64_t stamped = 0;
    if constexpr (state_at<I>::row_stamp) stamped = format.read_stamp(in);
    auto read = read_value<I>(in, options);
    if (in.failed()) return;
    base::template create<I>(row, std::move(read));
    if constexpr (is_timed && state_at<I>::row_stamp) stamp<I>(row) = stamped;
  }
};

}  // namespace weir::state
