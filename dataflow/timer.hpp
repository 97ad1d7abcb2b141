// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/core/hash.hpp"
#include "weir/state/key_equal.hpp"

namespace weir::dataflow {

/// Which clock a timer waits for. Stored in snapshots: never renumber.
enum class timer_domain : std::uint8_t {
  event = 0,       ///< Due when the watermark is ≥ its time.
  processing = 1,  ///< Due when the processing clock is ≥ its time.
};

/// What a due timer asks for. Of two timers with the same time the FIRE comes first.
enum class signal_kind : std::uint8_t {
  fire = 0,   ///< A callback.
  purge = 1,  ///< The cleanup of a window. Not the trigger result, which empties its contents.
};

/// A timer: unique within its operator. `Subject` is what tells it from others of the same time,
/// such as the key it was registered for. A value.
template <class Subject>
struct timer {
  timer_domain domain;
  std::int64_t time;  ///< milliseconds, on the domain's clock
  Subject subject;

  friend bool operator==(const timer&, const timer&) = default;
};

/// What the timer machinery must know about a type of subjects. As it stands it is for subjects
/// that are the key itself; specialize it for others.
template <class Subject>
struct timer_subject {
  /// Whether such timers go into snapshots at all. If not, the type needs no codec and no
  /// `key_hash`.
  static constexpr bool storable = true;

  /// Whether the timer of this one does. The operator derives the others from its state when it
  /// restores.
  static constexpr bool stored(const Subject&) { return true; }

  /// The `stable_hash` of the key it belongs to, which decides on the key group.
  static constexpr std::uint64_t key_hash(const Subject& subject) { return stable_hash(subject); }

  /// Equal for equal subjects, in this process.
  static constexpr std::uint64_t hash(const Subject& subject) { return stable_hash(subject); }

  static constexpr bool equal(const Subject& a, const Subject& b) { return state::key_equal(a, b); }

  static constexpr signal_kind kind(const Subject&) { return signal_kind::fire; }
};

}  // namespace weir::dataflow
