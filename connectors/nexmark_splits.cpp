// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/nexmark_splits.hpp"

#include <algorithm>

namespace weir::connectors {

nexmark_split nexmark_split_at(const nexmark_config& config, std::uint64_t ordinal) {
  const std::uint64_t end = config.events == 0 ? nexmark_config::max_events : config.events;
  if (ordinal > end / nexmark_split_events) return {end, 0};
  const std::uint64_t first = ordinal * nexmark_split_events;
  return {first, std::min(nexmark_split_events, end - first)};
}

result<std::vector<nexmark_split>> nexmark_splits(const nexmark_config& config) {
  if (auto valid = config.validate(); !valid) return std::move(valid).failure();
  if (config.events == 0) {
    return error{errc::invalid_argument,
                 "nexmark: a stream without end has no list of splits: set events"};
  }
  if (config.generators != 1) {
    return error{errc::invalid_argument,
                 "nexmark: a source makes the stream of one generator: set generators to 1 (the "
                 "parallelism of the source does not change the events)"};
  }
  std::vector<nexmark_split> splits;
  splits.reserve(config.events / nexmark_split_events + 1);
  for (std::uint64_t ordinal = 0;; ++ordinal) {
    const auto split = nexmark_split_at(config, ordinal);
    if (split.count == 0) return splits;
    splits.push_back(split);
  }
}

}  // namespace weir::connectors
