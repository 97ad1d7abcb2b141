// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/dataflow/function_calls.hpp"
#include "weir/dataflow/non_keyed_operator.hpp"
#include "weir/dataflow/one_input_operator.hpp"

namespace weir::dataflow {

/// Calls a user's function for each record of a stream without keys: its
/// `process_record(const T&, collector<R>&)`, with a second collector for a second output, and with
/// `partitioned_context&` as the last parameter if it wants one. See function_operator.hpp for the
/// other calls.
template <class T, class F, class Timing, class... R>
class process_operator final : public non_keyed_operator<one_input_operator<T>, F, Timing, R...> {
  using base = non_keyed_operator<one_input_operator<T>, F, Timing, R...>;

 public:
  using base::base;

 private:
  status on_batch() override {
    this->process_front(this->in(), internal::call_process_record);
    return {};
  }
  void on_end() override { this->call_end(0, internal::call_end_input); }
};

}  // namespace weir::dataflow
