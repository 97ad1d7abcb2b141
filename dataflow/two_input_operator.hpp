// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "weir/dataflow/operator_base.hpp"

namespace weir::dataflow {

/// An operator with two inputs, of types A and B: takes batches of both in turn, each input's in
/// order. A control element comes behind all data of both that was queued before it, and before all
/// that was queued after it. The head of its task, always.
template <class A, class B>
class two_input_operator : public operator_base {
 public:
  std::size_t inputs() const override { return 2; }
  element_queue_base& input(std::size_t port) override {
    if (port == 0) return first_;
    return second_;
  }

  void push_control(control c) override {
    first_.push_control(c);
    second_.push_control(c);
  }

  bool has_work() const override { return !first_.empty() || !second_.empty(); }

  status step() override {
    const bool first = has_data(first_);
    const bool second = has_data(second_);
    if (!first && !second) return take_control(first_.front().signal);
    const bool takes_second = second && (!first || second_has_turn_);
    element_queue_base& taken = takes_second ? input(1) : input(0);
    const auto finished = taken.finished();
    auto done = takes_second ? on_second_batch() : on_first_batch();
    second_has_turn_ = takes_second == (taken.finished() == finished);
    return done;
  }

 protected:
  /// What became of a control element.
  enum class handled {
    pass_on,   ///< Goes on to the outputs.
    not_yet,   ///< Not finished: call again.
    ends_here  ///< Goes no further.
  };

  /// Processes the batch at the front of `first()`, or a part of it, and pops it when it is
  /// finished. Until then the other input does not get its turn.
  virtual status on_first_batch() = 0;
  /// The same for `second()`.
  virtual status on_second_batch() = 0;

  /// Handles a control element, but for `input_ended`.
  virtual result<handled> on_control(control) { return handled::pass_on; }

  /// No data follows at input `port`; what the other one has queued is processed. Called once for
  /// each input, before the end of input. Its answer may be `not_yet`; else it ends here.
  virtual result<handled> on_input_ended(std::size_t /*port*/) { return handled::ends_here; }

  element_queue<A>& first() { return first_; }
  element_queue<B>& second() { return second_; }

 private:
  template <class Queue>
  static bool has_data(Queue& queue) {
    return !queue.empty() && queue.front().data;
  }

  /// The control element that is at the front of both queues.
  status take_control(control c) {
    const bool ends_here = c.kind() == control_kind::input_ended;
    auto done = ends_here ? on_input_ended(c.port()) : on_control(c);
    if (!done) return std::move(done).failure();
    if (*done == handled::not_yet) return {};
    first_.pop_control();
    second_.pop_control();
    if (ends_here || *done == handled::ends_here) {
      swallow();
    } else if (c.kind() == control_kind::custom) {
      forward(control::custom(c.number(), c.value()));  // the port was this operator's
    } else {
      forward(c);
    }
    return {};
  }

  element_queue<A> first_;
  element_queue<B> second_;
  bool second_has_turn_ = false;
};

}  // namespace weir::dataflow
