// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::actors::internal {

/// The watermarks of a gate, as they are in checkpoints: what it has put out, and what each of its
/// ports has. A value.
struct gate_watermarks {
  /// The section of the head's state under which they are stored.
  static constexpr const char* section = "input watermark";

  event_time combined = event_time::min();
  std::vector<event_time> ports;  ///< empty: those of a gate with one port

  /// Of two gates of the same operator, for one that takes over from both: the smaller ones.
  void lower_to(const gate_watermarks& other);

  /// `combined:i64 port:i64*`
  std::string encoded() const;

  /// Errors: corrupt.
  static result<gate_watermarks> decoded(std::string_view bytes);
};

}  // namespace weir::actors::internal
