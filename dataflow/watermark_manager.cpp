// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_manager.hpp"

#include <string>

#include "weir/dataflow/operator_base.hpp"
#include "weir/dataflow/watermark_table.hpp"
#include "weir/state/state_error.hpp"

namespace weir::dataflow {

void watermark_manager::emit(const watermark_declaration& which, std::int64_t value) {
  const auto& table = operator_->environment().watermarks;
  const auto number = table ? table->find(which.identifier) : std::nullopt;
  if (!number) {
    throw state::state_error{"there is no watermark \"" + which.identifier +
                             "\" in this job: return it from declare_watermarks() of a function"};
  }
  if (table->at(*number) != which) {
    throw state::state_error{"watermark \"" + which.identifier + "\" is emitted as " +
                             to_string(which) + ", and declared as " +
                             to_string(table->at(*number))};
  }
  operator_->originate(control::custom(*number, value));
}

}  // namespace weir::dataflow
