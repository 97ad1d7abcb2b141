// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "weir/core/result.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::dataflow {

/// Which inputs of an operator have ended, so that its function is told once, however often the job
/// starts again: the end of an input comes again after a restore. What a function did then is in
/// the checkpoint. Owned by the operator.
class ended_inputs {
 public:
  static constexpr const char* section = "ended inputs";

  /// An input counts as ended if it had ended in all former subtasks: only then does no record
  /// follow. Errors: corrupt.
  status restore(const state::restored_chunks& chunks);

  void write(state::snapshot_stream& out) const {
    if (ended_ == 0) return;
    out.put({section, std::nullopt, std::string(1, static_cast<char>(ended_)), {}});
  }

  /// Input `port` has ended. True: for the first time. @pre port < 8
  bool end(std::size_t port) {
    const auto bit = static_cast<std::uint8_t>(1u << port);
    if ((ended_ & bit) != 0) return false;
    ended_ |= bit;
    return true;
  }

 private:
  std::uint8_t ended_ = 0;  ///< a bit for each input
};

}  // namespace weir::dataflow
