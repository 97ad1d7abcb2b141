// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "weir/dataflow/function_calls.hpp"
#include "weir/dataflow/keyed_operator.hpp"
#include "weir/dataflow/two_input_operator.hpp"

namespace weir::dataflow {

/// Calls a user's function for each record of two streams with keys of one type, with the states
/// of that key, which both share: its `process_first(const A&, collector<R>&)` and
/// `process_second(const B&, collector<R>&)`, with a second collector for a second output, and with
/// `keyed_context<K>&` as the last parameter if they want one. `end_first_input` and
/// `end_second_input`, which are optional, are called as `end_input` is. See keyed_operator.hpp for
/// timers, function_operator.hpp for the other calls.
template <class First, class Second, class F, class Timing, class Keys, class... R>
class keyed_pair_operator final
    : public keyed_operator<
          two_input_operator<typename First::value_type, typename Second::value_type>,
          typename First::key_type, F, Timing, Keys, R...> {
  using base =
      keyed_operator<two_input_operator<typename First::value_type, typename Second::value_type>,
                     typename First::key_type, F, Timing, Keys, R...>;
  using typename base::handled;
  using first_select = typename First::select_type;
  using second_select = typename Second::select_type;
  static_assert(std::is_same_v<typename First::key_type, typename Second::key_type>);

 public:
  keyed_pair_operator(first_select first, second_select second, F f, Keys output_keys = {})
      : base{std::move(f), std::move(output_keys)},
        first_select_{std::move(first)},
        second_select_{std::move(second)} {}

 private:
  status on_first_batch() override {
    this->template process_front<First>(this->first(), first_select_, internal::call_process_first);
    return {};
  }
  status on_second_batch() override {
    this->template process_front<Second>(this->second(), second_select_,
                                         internal::call_process_second);
    return {};
  }
  result<handled> on_input_ended(std::size_t port) override {
    if (!this->accesses_.idle()) return this->not_yet();
    if (port == 0) {
      this->call_end(port, internal::call_end_first_input);
    } else {
      this->call_end(port, internal::call_end_second_input);
    }
    return handled::ends_here;
  }

  first_select first_select_;
  second_select second_select_;
};

}  // namespace weir::dataflow
