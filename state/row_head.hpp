// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::state {

/// One bit a cell of a row: set when the cell holds a value. Its own type, so that a store to it is
/// not taken for a store to a user's integer.
enum class presence : std::uint32_t { nothing = 0 };

/// Numbers the barriers of one table; see `row_table`. 0: an empty slot.
enum class row_epoch : std::uint32_t { none = 0 };

/// What stands in front of the cells of every row. A cell without its bit is not constructed.
struct row_head {
  row_epoch epoch;
  presence present;
};

/// The most cells a row can have: the bits of `presence`.
inline constexpr std::size_t max_cells = 32;

/// The last cell. Rows with time stamps leave it out, so that a handle that refers to it finds
/// nothing; see `state_handle`.
inline constexpr std::uint32_t never_present = max_cells - 1;

inline row_head& head_of(std::byte* row) noexcept { return *reinterpret_cast<row_head*>(row); }
inline const row_head& head_of(const std::byte* row) noexcept {
  return *reinterpret_cast<const row_head*>(row);
}

inline bool is_present(const std::byte* row, std::uint32_t cell) noexcept {
  return (static_cast<std::uint32_t>(head_of(row).present) >> cell) & 1u;
}
inline void set_present(std::byte* row, std::uint32_t cell) noexcept {
  auto& bits = head_of(row).present;
  bits = static_cast<presence>(static_cast<std::uint32_t>(bits) | 1u << cell);
}
inline void set_absent(std::byte* row, std::uint32_t cell) noexcept {
  auto& bits = head_of(row).present;
  bits = static_cast<presence>(static_cast<std::uint32_t>(bits) & ~(1u << cell));
}

/// True when no cell of `row` holds a value: the row need not be kept.
inline bool nothing_present(const std::byte* row) noexcept {
  return head_of(row).present == presence::nothing;
}

}  // namespace weir::state
