// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weir/core/result.hpp"
#include "weir/state/reducing_state.hpp"
#include "weir/state/states.hpp"
#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// Fires for every n-th element of a window. A value; made by `after_count`.
class count_trigger : public trigger_defaults, public combinable_trigger<count_trigger> {
 public:
  static constexpr const char* kind = "count";
  static constexpr bool can_merge = true;
  static constexpr bool uses_timers = false;

  explicit count_trigger(std::int64_t n) : n_{n} {}

  /// Errors: invalid_argument unless n > 0.
  status validate() const {
    if (n_ > 0) return {};
    return error{errc::invalid_argument,
                 "after_count(" + std::to_string(n_) + "): it needs 1 element or more"};
  }

  auto uses_states() { return state::states(count_); }

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W&, trigger_context&) {
    count_.add(1);
    if (*count_.get() < n_) return trigger_result::continue_;
    count_.clear();
    return trigger_result::fire;
  }

  /// Does not fire, even if together there are enough.
  template <class W>
  void on_merge(const W&, trigger_merge_context& context) {
    context.merge(count_);
  }

 private:
  std::int64_t n_;
  state::reducing_state<std::int64_t, std::plus<>> count_{"count"};
};

/// Fires for every n-th element of a window; a fire of something else does not start the count
/// anew. Errors, in the graph: n < 1.
inline count_trigger after_count(std::int64_t n) { return count_trigger{n}; }

}  // namespace weir::windowing

namespace weir {
using windowing::after_count;
}
