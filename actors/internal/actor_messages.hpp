// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "weir/actors/internal/caf.hpp"
#include "weir/actors/internal/messages.hpp"
#include "weir/dataflow/timer_message.hpp"

namespace weir::actors::internal {

/// Content that can only be moved, in a message: the one receiver takes it out.
template <class T>
struct boxed {
  std::shared_ptr<T> content;  // shared by the copies that CAF may make of the message

  explicit boxed(T value) : content{std::make_shared<T>(std::move(value))} {}
  T take() const { return std::move(*content); }
};

using subtask_actors = std::map<subtask_id, caf::actor>;

/// To a subtask, before anything else: whom its channels lead to.
struct peers_message {
  std::shared_ptr<const subtask_actors> peers;  // one table for all subtasks of an attempt
};

/// Something was done on the `io_executor`; `apply` goes on from there.
struct io_done {
  std::function<void()> apply;
};

/// To the job's coordinators.
struct report_message {
  attempt_id attempt;
  subtask_id from;
  subtask_report what;
};

/// To the timer service from itself.
struct alarm_message {
  std::uint64_t number = 0;
};

/// The text of a message for a trace: without pointers, so that two runs show the same.
std::string describe(const caf::type_erased_tuple& content);

}  // namespace weir::actors::internal

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::boxed<weir::dataflow::timer_message>)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::boxed<weir::dataflow::timer_actions>)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::peers_message)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::io_done)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::report_message)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::alarm_message)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::channel_message)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::credit_message)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::subtask_command)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::self_call)
