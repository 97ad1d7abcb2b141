// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/custom_combiners.hpp"

#include <string>

namespace weir::actors::internal {

using dataflow::control;

result<std::optional<control>> custom_combiners::take(const gate_channel& from, control c) {
  if (!table_ || c.number() >= table_->size()) {
    return error{errc::corrupt, "a custom watermark came that the job does not have: number " +
                                    std::to_string(c.number())};
  }
  const auto at =
      combiners_.try_emplace({from.port, c.number()}, table_->at(c.number()), from.channels);
  const auto combined = at.first->second.on_value(from.number, c.value());
  if (!combined) return std::optional<control>{};
  return std::optional{control::custom(c.number(), *combined, from.port)};
}

}  // namespace weir::actors::internal
