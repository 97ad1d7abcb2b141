// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/windowing/count_trigger.hpp"
#include "weir/windowing/evictors.hpp"
#include "weir/windowing/global_windows.hpp"
#include "weir/windowing/purging_trigger.hpp"

namespace weir::windowing {

/// Windows of so many records of a key, one after the other. A value; made by `count_window(n)`.
class tumbling_count_windows {
 public:
  explicit constexpr tumbling_count_windows(std::int64_t size) : size_{size} {}

  /// What `keyed_stream::window` calls.
  template <class K, class T, class Select>
  auto apply(const dataflow::keyed_stream<K, T, Select>& records, dataflow::call_site where) const {
    return records.window(global_windows(), where).trigger(purging(after_count(size_)), where);
  }

 private:
  std::int64_t size_;
};

/// The last so many records of a key, whenever some more have come. A value; made by
/// `count_window(size, slide)`.
class sliding_count_windows {
 public:
  constexpr sliding_count_windows(std::int64_t size, std::int64_t slide)
      : size_{size}, slide_{slide} {}

  /// What `keyed_stream::window` calls.
  template <class K, class T, class Select>
  auto apply(const dataflow::keyed_stream<K, T, Select>& records, dataflow::call_site where) const {
    return records.window(global_windows(), where)
        .trigger(after_count(slide_), where)
        .evictor(count_evictor{size_}, where);
  }

 private:
  std::int64_t size_;
  std::int64_t slide_;
};

/// Windows of `size` records of a key each, for `keyed_stream::window`: global windows with the
/// trigger `purging(after_count(size))`. Records that do not fill a window are not emitted.
/// Errors, in the graph: size ≤ 0.
constexpr tumbling_count_windows count_window(std::int64_t size) {
  return tumbling_count_windows{size};
}

/// The last `size` records of a key whenever `slide` more have come: global windows with the
/// trigger `after_count(slide)` and a count evictor. The first ones have fewer than `size` records.
/// Errors, in the graph: size < 0, slide ≤ 0.
constexpr sliding_count_windows count_window(std::int64_t size, std::int64_t slide) {
  return {size, slide};
}

}  // namespace weir::windowing

namespace weir {
using windowing::count_window;
}
