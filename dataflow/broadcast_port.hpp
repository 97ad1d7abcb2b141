// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>

#include "weir/dataflow/broadcast_context.hpp"
#include "weir/dataflow/element_queue.hpp"
#include "weir/dataflow/emitters.hpp"
#include "weir/dataflow/function_calls.hpp"

namespace weir::dataflow {

/// The broadcast input of an operator: calls the function's
/// `process_broadcast(const B&, collector<R>&)` for its records, with `broadcast_context&` as the
/// last parameter if it wants one. What it emits has the record's time. Owned by the operator.
class broadcast_port {
 public:
  /// All outlive this object.
  void open(operator_base& op, partition_host& partitions, key_host& keys,
            const listed_states& states) {
    context_.emplace(op, partitions, keys, states);
  }

  /// Goes on with the batch at the front of `queue`, until the outputs are full; takes it out if
  /// all is done. `behind()` is called after each call of the function.
  template <class B, class F, class Behind, class... R>
  void process_front(element_queue<B>& queue, F& f, emitters<R...>& out, event_time watermark,
                     Behind behind) {
    const auto call = internal::call_process_broadcast;
    constexpr bool with_context = internal::takes_context<decltype(call), broadcast_context, F&,
                                                          const B&, collector<R>&...>();
    const auto& data = *queue.front().data;
    while (cursor_ < data.rows()) {
      const B& in = data.values()[cursor_];
      const event_time time = data.times()[cursor_];
      out.set_time(time);
      context_->set(time, watermark);
      out.with([&](auto&... each) {
        if constexpr (with_context) {
          call(f, in, each..., *context_);
        } else {
          call(f, in, each...);
        }
      });
      behind();
      ++cursor_;
      if (out.full()) break;
    }
    if (cursor_ < data.rows()) return;
    cursor_ = 0;
    queue.pop_data();
  }

 private:
  std::optional<broadcast_context> context_;
  std::size_t cursor_ = 0;
};

}  // namespace weir::dataflow
