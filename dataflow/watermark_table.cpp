// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_table.hpp"

#include <algorithm>
#include <utility>

namespace weir::dataflow {

watermark_table::watermark_table(std::vector<watermark_declaration> declared)
    : declared_{std::move(declared)} {
  std::sort(declared_.begin(), declared_.end(),
            [](const auto& a, const auto& b) { return a.identifier < b.identifier; });
  const auto end =
      std::unique(declared_.begin(), declared_.end(),
                  [](const auto& a, const auto& b) { return a.identifier == b.identifier; });
  declared_.erase(end, declared_.end());
}

std::optional<std::uint32_t> watermark_table::find(std::string_view identifier) const {
  const auto at = std::lower_bound(
      declared_.begin(), declared_.end(), identifier,
      [](const auto& declaration, std::string_view name) { return declaration.identifier < name; });
  if (at == declared_.end() || at->identifier != identifier) return std::nullopt;
  return static_cast<std::uint32_t>(at - declared_.begin());
}

}  // namespace weir::dataflow
