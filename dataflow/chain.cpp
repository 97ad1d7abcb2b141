// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/chain.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace weir::dataflow {
namespace {

std::string place_of(const operator_base& op) {
  const auto& environment = op.environment();
  return "operator \"" + environment.name + "\", subtask " +
         std::to_string(environment.subtask.value + 1) + "/" +
         std::to_string(environment.parallelism);
}

std::string place_of_record(const operator_base& op) {
  const auto time = op.record_time();
  if (time == event_time::min()) return place_of(op);
  return place_of(op) + ", record time " + std::to_string(time.ms);
}

template <class Call, class Place>
status caught(const Call& call, const Place& place) {
  try {
    auto done = call();
    if (!done) return std::move(done).failure().within(place());
    return {};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return error{errc::user_function_failed, e.what()}.within(place());
  } catch (...) {
    return error{errc::user_function_failed, "an exception of an unknown type"}.within(place());
  }
}

}  // namespace

std::size_t chain::add(std::unique_ptr<operator_base> op) {
  operators_.push_back(std::move(op));
  return operators_.size() - 1;
}

status chain::connect(std::size_t from, std::size_t output, std::size_t to) {
  const auto& outputs = operators_[from]->outputs();
  if (output >= outputs.size()) {
    return error{errc::invalid_argument, "the operator before it has no such output"};
  }
  auto& source = *outputs[output];
  auto& target = operators_[to]->input(0);
  if (source.type() != target.type()) {
    return error{errc::invalid_argument, "two operators are joined whose record types differ"};
  }
  source.connect(target);
  edges_.push_back({from, to});
  return {};
}

void chain::seal(std::function<void(operator_base&, checkpoint_id)> at_barrier) {
  std::vector<std::size_t> leaves(operators_.size(), 0);
  for (std::size_t i = operators_.size(); i-- > 0;) {
    auto& op = *operators_[i];
    for (std::size_t port = 0; port < op.inputs(); ++port) op.input(port).account_to(bytes_);
    op.attach(tracker_, bytes_, at_barrier);
    leaves[i] = std::max<std::size_t>(leaves[i], 1);
    op.set_leaves(leaves[i]);
    for (const auto& [from, to] : edges_) {
      if (to == i) leaves[from] += leaves[i];
    }
  }
}

status chain::run_one(operator_base& op) {
  return caught([&] { return op.step(); }, [&] { return place_of_record(op); });
}

status chain::guarded(operator_base& op, const std::function<status()>& call) {
  return caught(call, [&] { return place_of(op); });
}

result<chain::outcome> chain::run(std::size_t steps) {
  for (std::size_t i = operators_.size(); i-- > 0;) {
    if (!operators_[i]->runnable()) continue;
    if (steps-- == 0) return outcome::more_to_do;
    if (auto done = run_one(*operators_[i]); !done) return std::move(done).failure();
    i = operators_.size();  // something downstream may have become runnable
  }
  return outcome::blocked;
}

void chain::admit(control c) {
  tracker_.enter(head().leaves());
  tracker_.barrier_inside = c.kind() == control_kind::barrier;
  head().push_control(c);
}

bool chain::quiet() const {
  if (tracker_.inside != 0) return false;
  for (const auto& op : operators_) {
    for (std::size_t port = 0; port < op->inputs(); ++port) {
      if (!op->input(port).empty()) return false;
    }
  }
  return true;
}

result<chain::outcome> chain::flush(std::size_t steps) {
  for (auto& op : operators_) {
    if (!op->flush()) continue;
    if (auto done = run(steps); !done) return done;
  }
  return run(steps);
}

}  // namespace weir::dataflow
