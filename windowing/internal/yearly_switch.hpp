// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "weir/windowing/internal/civil_date.hpp"

namespace weir::windowing::internal {

/// When clocks are set, and how far ahead of UTC they are from then on. In milliseconds.
struct clock_switch {
  std::int64_t at;
  std::int64_t offset;
};

/// A rule by which clocks are set once a year: on the first day with some weekday that is not
/// before some day of a month. A value.
class yearly_switch {
 public:
  /// The rule that `switches` follow, one a year; `before` is the offset before each of them. Null
  /// if they follow none, or are too few to tell: all seven days on which a rule can fall must be
  /// among them, as they are in any 11 years.
  static std::optional<yearly_switch> of(std::span<const clock_switch> switches,
                                         std::int64_t before);

  /// That of a year. @pre |year| < 2^40
  clock_switch in(std::int64_t year) const;

  friend bool operator==(const yearly_switch&, const yearly_switch&) = default;

 private:
  std::int64_t month_ = 1;
  std::int64_t first_day_ = 1;
  std::int64_t weekday_ = 0;
  std::int64_t ms_of_day_ = 0;  // on the clocks before they are set, in (0, 24 h]
  std::int64_t before_ = 0;
  std::int64_t after_ = 0;
};

}  // namespace weir::windowing::internal
