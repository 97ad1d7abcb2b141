// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/connectors/nexmark_random.hpp"

namespace weir::connectors::internal {

/// The texts that NEXMark's events share: the same in every process, since they come from fixed
/// seeds. Never changes once made; any thread.
class nexmark_tables {
 public:
  static constexpr std::int32_t pool_size = 1 << 20;
  static constexpr std::int32_t hot_channels = 4;
  static constexpr std::int32_t cold_channels = 10'000;

  /// The tables of the process, made by the first call.
  static const nexmark_tables& get();

  std::string_view first_name(std::int32_t i) const;  ///< @pre i in [0, 11)
  std::string_view last_name(std::int32_t i) const;   ///< @pre i in [0, 9)
  std::string_view city(std::int32_t i) const;        ///< @pre i in [0, 10)
  std::string_view state(std::int32_t i) const;       ///< @pre i in [0, 6)

  /// @pre i in [0, hot_channels)
  std::string_view hot_channel(std::int32_t i) const;
  std::string_view hot_url(std::int32_t i) const { return hot_urls_[static_cast<std::size_t>(i)]; }

  /// @pre i in [0, cold_channels)
  std::string_view channel(std::int32_t i) const { return channels_[static_cast<std::size_t>(i)]; }
  std::string_view url(std::int32_t i) const { return urls_[static_cast<std::size_t>(i)]; }

  /// `size` characters of filling.
  /// @pre offset + size <= pool_size
  std::string_view filling(std::int32_t offset, std::int32_t size) const {
    return std::string_view{pool_}.substr(static_cast<std::size_t>(offset),
                                          static_cast<std::size_t>(size));
  }

 private:
  nexmark_tables();

  std::array<std::string, hot_channels> hot_urls_;
  std::vector<std::string> urls_;
  std::vector<std::string> channels_;
  std::string pool_;
};

/// A word drawn from `random`: 3 to `max` − 1 letters, about one in 13 being `gap` instead, without
/// blanks at its ends. Written to `room`; the result is a view into it.
/// @pre room has place for max − 1 bytes; max > 3
std::string_view draw_word(nexmark_random& random, std::int32_t max, char gap, char* room);

}  // namespace weir::connectors::internal
