// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "weir/dataflow/function_calls.hpp"
#include "weir/dataflow/keyed_operator.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/dataflow/one_input_operator.hpp"

namespace weir::dataflow {

/// Calls a user's keyed function for each record and timer, with the states of that key: its
/// `process_record(const T&, collector<R>&)`, with a second collector for a second output, and with
/// `keyed_context<K>&` as the last parameter if it wants one. See keyed_operator.hpp for timers,
/// function_operator.hpp for the other calls.
template <class Stream, class F, class Timing, class Keys, class... R>
class keyed_process_operator final
    : public keyed_operator<one_input_operator<typename Stream::value_type>,
                            typename Stream::key_type, F, Timing, Keys, R...> {
  using record = typename Stream::value_type;
  using select = typename Stream::select_type;
  using base =
      keyed_operator<one_input_operator<record>, typename Stream::key_type, F, Timing, Keys, R...>;

 public:
  keyed_process_operator(select keys, F f, Keys output_keys = {})
      : base{std::move(f), std::move(output_keys)}, select_{std::move(keys)} {}

 private:
  status on_batch() override {
    this->template process_front<Stream>(this->in(), select_, internal::call_process_record);
    return {};
  }
  void on_end() override { this->call_end(0, internal::call_end_input); }

  select select_;
};

}  // namespace weir::dataflow
