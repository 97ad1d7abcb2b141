// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/window_watermark.hpp"

#include <utility>

namespace weir::windowing {

status window_watermark::restore(const state::restored_chunks& chunks) {
  auto found = floors_.restore(chunks);
  if (!found) return std::move(found).failure();
  if (*found) restored_ = watermark_ = floors_.lowest();
  floors_.reached(watermark_);
  return {};
}

}  // namespace weir::windowing
