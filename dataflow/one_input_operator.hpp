// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/dataflow/operator_base.hpp"

namespace weir::dataflow {

/// An operator with one input of type T: takes elements in order, one at a time.
template <class T>
class one_input_operator : public operator_base {
 public:
  std::size_t inputs() const override { return 1; }
  element_queue_base& input(std::size_t) override { return in_; }

  bool has_work() const override { return !in_.empty(); }

  status step() override {
    auto& front = in_.front();
    if (front.data) return on_batch();
    const control c = front.signal;
    auto done = on_control(c);
    if (!done) return std::move(done).failure();
    if (*done == handled::not_yet) return {};
    in_.pop_control();
    if (*done == handled::pass_on) {
      forward(c);
    } else {
      swallow();
    }
    return {};
  }

 protected:
  /// What became of a control element.
  enum class handled {
    pass_on,   ///< Goes on to the outputs.
    not_yet,   ///< Not finished: call again.
    ends_here  ///< Goes no further.
  };

  /// Processes the batch at the front of `in()`, or a part of it, and pops it when it is finished.
  virtual status on_batch() = 0;

  /// Handles the control element at the front of `in()`.
  virtual result<handled> on_control(control) { return handled::pass_on; }

  element_queue<T>& in() { return in_; }
  const element_queue<T>& in() const { return in_; }

 private:
  element_queue<T> in_;
};

}  // namespace weir::dataflow
