// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/ended_inputs.hpp"

namespace weir::dataflow {

status ended_inputs::restore(const state::restored_chunks& chunks) {
  std::uint32_t told = 0;
  std::uint8_t in_all = 0xFF;
  for (const auto& chunk : chunks) {
    if (chunk.section != section) continue;
    if (chunk.bytes.size() != 1) {
      return error{errc::corrupt, "which inputs have ended is " +
                                      std::to_string(chunk.bytes.size()) + " bytes, not 1"};
    }
    in_all &= static_cast<std::uint8_t>(chunk.bytes[0]);
    ++told;
  }
  ended_ = told > 0 && told == chunks.former_parallelism() ? in_all : std::uint8_t{0};
  return {};
}

}  // namespace weir::dataflow
