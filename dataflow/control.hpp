// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/core/ids.hpp"
#include "weir/core/time.hpp"

namespace weir::dataflow {

enum class control_kind : std::uint8_t {
  watermark,     ///< No record with a time ≤ `time()` follows, but late ones.
  idle,          ///< The stream says nothing until `active`: do not wait for it.
  active,        ///< The stream speaks again.
  barrier,       ///< The cut of checkpoint `checkpoint()`.
  end_of_input,  ///< No data follows. Barriers may.
  input_ended,   ///< No data follows at input `port()` of an operator with several, and ends there.
  custom         ///< A value that means something to the functions of the job.
};

/// An element of a stream that is not data. It travels in band: never before the data in front of
/// it, never behind the data after it.
class control {
 public:
  static constexpr control watermark(event_time t) { return {control_kind::watermark, t.ms}; }
  static constexpr control idle() { return {control_kind::idle, 0}; }
  static constexpr control active() { return {control_kind::active, 0}; }
  static constexpr control barrier(checkpoint_id id) {
    return {control_kind::barrier, static_cast<std::int64_t>(id.value)};
  }
  static constexpr control end_of_input() { return {control_kind::end_of_input, 0}; }
  static constexpr control input_ended(std::uint8_t port) {
    return {control_kind::input_ended, 0, port};
  }
  /// A custom watermark: `number` is that of its declaration in the job's `watermark_table`, `port`
  /// the input of the receiver at which it arrives.
  static constexpr control custom(std::uint32_t number, std::int64_t value, std::uint8_t port = 0) {
    return {control_kind::custom, value, port, number};
  }

  constexpr control_kind kind() const { return kind_; }
  /// @pre kind() is watermark
  constexpr event_time time() const { return {value_}; }
  /// @pre kind() is barrier
  constexpr checkpoint_id checkpoint() const { return {static_cast<std::uint64_t>(value_)}; }
  /// @pre kind() is input_ended or custom
  constexpr std::uint8_t port() const { return port_; }
  /// @pre kind() is custom
  constexpr std::uint32_t number() const { return number_; }
  /// Of a Boolean: 0 or 1. @pre kind() is custom
  constexpr std::int64_t value() const { return value_; }

  friend constexpr bool operator==(control, control) = default;

 private:
  constexpr control(control_kind kind, std::int64_t value, std::uint8_t port = 0,
                    std::uint32_t number = 0)
      : value_{value}, number_{number}, kind_{kind}, port_{port} {}

  std::int64_t value_;
  std::uint32_t number_;
  control_kind kind_;
  std::uint8_t port_;
};

}  // namespace weir::dataflow
