// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/line_file_source.hpp"

#include <string_view>
#include <utility>

namespace weir::connectors {

using dataflow::poll_outcome;

result<poll_outcome> line_file_source::reader::poll(dataflow::collector<text_line>& out,
                                                    std::size_t most) {
  for (; most > 0 && !out.full(); --most) {
    const auto number = lines_->next_line_number();
    std::string_view line;
    switch (lines_->step(line)) {
      case line_step::line: out.collect({std::string{line}, number}); break;
      case line_step::end: return poll_outcome::split_done;
      case line_step::need_bytes:
        if (auto filled = lines_->fill(); !filled) return std::move(filled).failure();
        return poll_outcome::produced;
    }
  }
  return poll_outcome::produced;
}

result<std::vector<line_split>> line_file_source::splits(file_system& files) const {
  if (auto fits = options_.validate(); !fits) return std::move(fits).failure();
  return plan_line_splits(files, paths_, options_);
}

}  // namespace weir::connectors
