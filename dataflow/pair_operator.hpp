// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/dataflow/function_calls.hpp"
#include "weir/dataflow/non_keyed_operator.hpp"
#include "weir/dataflow/two_input_operator.hpp"

namespace weir::dataflow {

/// Calls a user's function for each record of two streams without keys: its
/// `process_first(const A&, collector<R>&)` and `process_second(const B&, collector<R>&)`, with a
/// second collector for a second output, and with `partitioned_context&` as the last parameter if
/// they want one. `end_first_input` and `end_second_input`, which are optional, are called as
/// `end_input` is. See function_operator.hpp for the other calls.
template <class A, class B, class F, class Timing, class... R>
class pair_operator final : public non_keyed_operator<two_input_operator<A, B>, F, Timing, R...> {
  using base = non_keyed_operator<two_input_operator<A, B>, F, Timing, R...>;
  using typename base::handled;

 public:
  using base::base;

 private:
  status on_first_batch() override {
    this->process_front(this->first(), internal::call_process_first);
    return {};
  }
  status on_second_batch() override {
    this->process_front(this->second(), internal::call_process_second);
    return {};
  }
  result<handled> on_input_ended(std::size_t port) override {
    if (port == 0) {
      this->call_end(port, internal::call_end_first_input);
    } else {
      this->call_end(port, internal::call_end_second_input);
    }
    return handled::ends_here;
  }
};

}  // namespace weir::dataflow
