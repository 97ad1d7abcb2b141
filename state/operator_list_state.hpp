// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "weir/state/operator_list_handle.hpp"
#include "weir/state/state_handle.hpp"

namespace weir::state {

/// A list that each subtask of an operator has for itself: what it has begun, say. When the job is
/// restored with another parallelism, the elements of all are dealt out anew: those of the former
/// subtasks one after the other, in runs that differ in length by at most one. With the same
/// parallelism each subtask gets back its own. Declare it as a member of a function and list it in
/// `uses_states()`, or ask the operator state store for it.
template <class T>
class operator_list_state : public operator_list_handle<T> {
 public:
  static constexpr std::string_view kind = operator_list_kind;
  static constexpr redistribution mode = redistribution::redistributable;

  explicit operator_list_state(std::string name, state_options options = {})
      : operator_list_handle<T>{std::move(name), std::move(options)} {}
};

}  // namespace weir::state
