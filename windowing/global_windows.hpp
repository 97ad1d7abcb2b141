// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/global_window.hpp"
#include "weir/windowing/window_assigner.hpp"
#include "weir/windowing/windowed_stream.hpp"

namespace weir::windowing {

class never_trigger;
class end_of_stream_trigger;

/// One window for all records of a key. A value; made by `global_windows`. `Trigger` is the one
/// that it has unless another is asked for.
template <class Trigger>
class global_window_assigner : public window_assigner<global_window_assigner<Trigger>> {
 public:
  using window_type = global_window;
  static constexpr bool is_event_time = false;
  static constexpr bool merging = false;
  static constexpr const char* kind = "global window";

  static status validate() { return {}; }

  template <class T, class Assign>
  void assign(const T&, event_time, clock_time, Assign&& assign) const {
    assign(global_window{});
  }

  template <class Made = Trigger>
  Made default_trigger() const {
    return {};
  }

  /// The same, with one result for each key when the input has ended.
  constexpr global_window_assigner<end_of_stream_trigger> with_end_of_stream_trigger() const {
    return {};
  }
};

/// One window for all records of a key, for `keyed_stream::window`. It gives no result unless it is
/// given a trigger.
constexpr global_window_assigner<never_trigger> global_windows() { return {}; }

}  // namespace weir::windowing

namespace weir {
using windowing::global_windows;
}
