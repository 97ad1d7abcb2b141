// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "weir/core/result.hpp"
#include "weir/dataflow/control.hpp"
#include "weir/dataflow/watermark_combiner.hpp"
#include "weir/dataflow/watermark_table.hpp"

namespace weir::actors::internal {

/// A channel of a gate.
struct gate_channel {
  std::uint8_t port = 0;     ///< the input of the head to which its data goes
  std::size_t number = 0;    ///< among the channels of that input
  std::size_t channels = 0;  ///< that input's
};

/// Combines the custom watermarks of a gate: each of the job's for each input by itself, over all
/// channels of the input. Owned and used by one gate. Not part of checkpoints.
class custom_combiners {
 public:
  /// `table` has the watermarks of the job; null: it has none.
  explicit custom_combiners(std::shared_ptr<const dataflow::watermark_table> table)
      : table_{std::move(table)} {}

  /// Takes `c` from a channel; gives what the head is to get, if anything.
  /// Errors: corrupt if the job has no such watermark. @pre c.kind() is custom
  result<std::optional<dataflow::control>> take(const gate_channel& from, dataflow::control c);

 private:
  std::shared_ptr<const dataflow::watermark_table> table_;
  std::map<std::pair<std::uint8_t, std::uint32_t>, dataflow::watermark_combiner> combiners_;
};

}  // namespace weir::actors::internal
