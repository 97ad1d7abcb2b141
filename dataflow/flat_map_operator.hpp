// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/one_input_operator.hpp"

namespace weir::dataflow {

/// Calls F(record, collector) for every record; F emits any number of records. Stops between
/// records when the output is full, and goes on from there.
template <class T, class R, class F>
class flat_map_operator final : public one_input_operator<T> {
 public:
  explicit flat_map_operator(F function) : function_{std::move(function)} {
    this->add_output(out_);
  }

  event_time record_time() const override { return out_.time(); }

 private:
  status on_batch() override {
    const auto& data = *this->in().front().data;
    const std::size_t rows = data.rows();
    while (cursor_ < rows) {
      const std::size_t i = cursor_++;
      out_.set_time(data.times()[i]);
      function_(data.values()[i], out_);
      if (out_.full()) [[unlikely]]
        break;
    }
    if (cursor_ == rows) {
      cursor_ = 0;
      this->in().pop_data();
    }
    return {};
  }

  F function_;
  std::size_t cursor_ = 0;
  collector<R> out_;
};

}  // namespace weir::dataflow
