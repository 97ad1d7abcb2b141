// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "weir/dataflow/collector.hpp"

namespace weir::dataflow {

/// The main outputs of an operator that runs a user's function: a collector for each that the
/// function takes. Owned by the operator.
template <class... R>
class emitters {
  static_assert(sizeof...(R) >= 1);

 public:
  /// Calls `use(collector<R>&...)`.
  template <class Use>
  [[gnu::always_inline]] decltype(auto) with(Use&& use) {
    return std::apply(std::forward<Use>(use), all_);
  }

  /// The time of what is emitted from here on.
  [[gnu::always_inline]] void set_time(event_time time) {
    with([&](auto&... out) { (out.set_time(time), ...); });
  }
  event_time time() const { return std::get<0>(all_).time(); }

  /// Whether the targets of an output had no room left when a batch was last shipped.
  [[gnu::always_inline]] bool full() const {
    return std::apply([](const auto&... out) { return (out.full() || ...); }, all_);
  }

 private:
  std::tuple<collector<R>...> all_;
};

}  // namespace weir::dataflow
