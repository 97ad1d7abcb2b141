// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/one_input_operator.hpp"

namespace weir::dataflow {

/// Keeps the records for which F(record) is true. Compacts a batch in place when nobody else
/// holds it.
template <class T, class F>
class filter_operator final : public one_input_operator<T> {
 public:
  explicit filter_operator(F function) : function_{std::move(function)} { this->add_output(out_); }

  event_time record_time() const override { return time_; }

 private:
  status on_batch() override {
    auto data = this->in().pop_data();
    if (!std::is_move_assignable_v<T> || !data->unique()) {
      for (std::size_t i = 0; i < data->rows(); ++i) {
        time_ = data->times()[i];
        const T& record = data->values()[i];
        if (function_(record)) out_.collect(record, time_);
      }
      return {};
    }
    if constexpr (std::is_move_assignable_v<T>) compact(*data);
    out_.pass(std::move(data));
    return {};
  }

  void compact(batch<T>& data) {
    const std::size_t rows = data.rows();
    std::size_t kept = 0;
    T* const values = data.values();
    event_time* const times = data.times();
    for (std::size_t i = 0; i < rows; ++i) {
      time_ = times[i];
      const bool keep = function_(std::as_const(values[i]));
      if constexpr (std::is_trivially_copyable_v<T>) {
        values[kept] = values[i];
        times[kept] = times[i];
        kept += keep;
      } else if (keep) {
        if (kept != i) values[kept] = std::move(values[i]);
        times[kept++] = times[i];
      }
    }
    std::destroy_n(values + kept, rows - kept);
    data.set_rows(kept);
    data.forget_hashes();
  }

  F function_;
  event_time time_ = event_time::min();
  collector<T> out_;
};

}  // namespace weir::dataflow
