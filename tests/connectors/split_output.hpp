// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "weir/dataflow/collector.hpp"

namespace weir::testing {

/// Where the readers of sources emit to in tests.
template <class T>
class split_output {
 public:
  split_output() {
    queue_.set_capacity(1);
    out_.connect(queue_);
  }

  dataflow::collector<T>& collector() { return out_; }

  /// What was emitted since the last call, with the times; there is room again then.
  std::vector<std::pair<T, event_time>> take() {
    std::vector<std::pair<T, event_time>> records;
    out_.flush();
    while (!queue_.empty()) {
      const auto data = queue_.pop_data();
      for (std::size_t i = 0; i < data->rows(); ++i) {
        records.emplace_back(data->values()[i], data->times()[i]);
      }
    }
    static_cast<void>(out_.has_room());  // it takes note
    return records;
  }

 private:
  dataflow::element_queue<T> queue_;
  dataflow::collector<T> out_;
};

}  // namespace weir::testing
