// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/core/hash.hpp"
#include "weir/dataflow/timer.hpp"
#include "weir/state/key_equal.hpp"

namespace weir::windowing {

/// The subject of a timer of the sessions of a key: something may be due in one of them. A value.
template <class Key>
struct session_timer {
  Key key;
};

}  // namespace weir::windowing

/// Such timers follow from the sessions, so they are in no snapshot.
template <class Key>
struct weir::dataflow::timer_subject<weir::windowing::session_timer<Key>> {
  using subject = windowing::session_timer<Key>;

  static constexpr bool storable = false;

  static std::uint64_t hash(const subject& s) { return stable_hash(s.key); }
  static bool equal(const subject& a, const subject& b) { return state::key_equal(a.key, b.key); }
  static constexpr signal_kind kind(const subject&) { return signal_kind::fire; }
};
