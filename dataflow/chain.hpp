// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/dataflow/operator_base.hpp"

namespace weir::dataflow {

/// The operators of one subtask, in one actor: a tree in topological order, joined by small queues.
/// Runs the most downstream operator that can do something first, so that queues stay short.
/// The one place where exceptions of user functions are caught. Owned and used by one subtask.
class chain {
 public:
  /// What `run` left behind.
  enum class outcome {
    blocked,    ///< Nothing can be done without a message from outside.
    more_to_do  ///< The budget was used up.
  };

  /// Adds an operator behind those that feed it; returns its place. The first is the head.
  std::size_t add(std::unique_ptr<operator_base> op);

  /// Joins output `output` of operator `from` to input 0 of operator `to`.
  /// Errors: invalid_argument if there is no such output, or the record types differ.
  status connect(std::size_t from, std::size_t output, std::size_t to);

  /// To be called once after the last `connect`. `at_barrier` is called for each operator when a
  /// barrier passes it.
  void seal(std::function<void(operator_base&, checkpoint_id)> at_barrier);

  operator_base& at(std::size_t place) { return *operators_[place]; }
  operator_base& head() { return *operators_.front(); }
  std::size_t size() const { return operators_.size(); }

  /// Up to `steps` steps. Errors: what an operator reported, or `user_function_failed` with the
  /// operator, the subtask and the record's time.
  result<outcome> run(std::size_t steps);

  /// Runs user code of `op` that no record asks for. Errors: as of `run`, without a record's time.
  static status guarded(operator_base& op, const std::function<status()>& call);

  /// Gives the head a control element. @pre quiet()
  void admit(control c);

  /// Whether no control element is inside, and no batch.
  bool quiet() const;
  /// Whether no control element is inside.
  bool no_control_inside() const { return tracker_.inside == 0; }
  void barrier_done() { tracker_.barrier_inside = false; }

  /// Ships the partial batches of all operators, the most upstream first, and runs what that
  /// makes runnable.
  result<outcome> flush(std::size_t steps);

  const in_flight_bytes& bytes() const { return bytes_; }

 private:
  status run_one(operator_base& op);

  struct edge {
    std::size_t from;
    std::size_t to;
  };

  std::vector<std::unique_ptr<operator_base>> operators_;
  std::vector<edge> edges_;
  control_tracker tracker_;
  in_flight_bytes bytes_;
};

}  // namespace weir::dataflow
