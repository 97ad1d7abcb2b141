// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
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
  void on_end() override { this->call_end(internal::call_end_input); }

  select select_;
};

template <class K, class T, class Select>
template <class F>
auto keyed_stream<K, T, Select>::process(F f, call_site where) const {
  static_assert(has_process_record<F>,
                "keyed_stream<K, T>::process(f): f needs a member function "
                "`void process_record(const T&, collector<R>&)`, not overloaded");
  if constexpr (has_process_record<F>) {
    using R = output_of<F>;
    static_assert(!std::is_void_v<R>,
                  "keyed_stream<K, T>::process(f): process_record takes a `collector<R>&`, from "
                  "which R is known");
    using function = internal::stateful<F>;
    function declared{f};
    graph_node node;
    node.kind = "process";
    node.name = "process";
    node.where = where;
    node.states = state::list_states(declared);
    node.make = [select = select_, f = std::move(f)] {
      return std::make_unique<
          keyed_process_operator<keyed_stream, F, state::untimed, any_output_keys, R>>(select, f);
    };
    return this->template add<R>(std::move(node));
  }
}

}  // namespace weir::dataflow
