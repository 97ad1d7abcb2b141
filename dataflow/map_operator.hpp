// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/one_input_operator.hpp"

namespace weir::dataflow {

/// Gives F(record) for every record, with the record's time. Changes a batch in place when the
/// type stays the same and nobody else holds the batch.
template <class T, class R, class F>
class map_operator final : public one_input_operator<T> {
 public:
  explicit map_operator(F function) : function_{std::move(function)} { this->add_output(out_); }

  event_time record_time() const override { return time_; }

 private:
  status on_batch() override {
    auto data = this->in().pop_data();
    const std::size_t rows = data->rows();
    if constexpr (std::is_same_v<T, R> && std::is_move_assignable_v<R>) {
      if (data->unique()) {
        for (std::size_t i = 0; i < rows; ++i) {
          time_ = data->times()[i];
          data->values()[i] = function_(std::as_const(data->values()[i]));
        }
        data->forget_hashes();
        out_.pass(std::move(data));
        return {};
      }
    }
    for (std::size_t i = 0; i < rows; ++i) {
      time_ = data->times()[i];
      out_.collect(function_(std::as_const(data->values()[i])), time_);
    }
    return {};
  }

  F function_;
  event_time time_ = event_time::min();
  collector<R> out_;
};

}  // namespace weir::dataflow
