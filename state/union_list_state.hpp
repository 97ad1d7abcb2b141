// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "weir/state/operator_list_handle.hpp"
#include "weir/state/state_handle.hpp"

namespace weir::state {

/// A list of which each subtask of an operator writes its part, and after a restore has the parts
/// of all: those of the former subtasks one after the other. Each takes what concerns it, and says
/// with `update` or `clear` what its part is from then on. Declare it as a member of a function and
/// list it in `uses_states()`, or ask the operator state store for it.
///
/// The elements that were restored are stored again by the first subtask only, as long as that one
/// leaves them in its list: if each did, they would multiply with every restart. What a subtask
/// adds to them is stored by that subtask. So either all subtasks say what their part is, or none.
///
/// The restored elements are held once in a process, and read by all its subtasks: reading one must
/// be safe from several threads at a time. More than 10,000 of them are warned of, because every
/// subtask has to look through them.
template <class T>
class union_list_state : public operator_list_handle<T> {
 public:
  static constexpr std::string_view kind = union_list_kind;
  static constexpr redistribution mode = redistribution::redistributable;

  explicit union_list_state(std::string name, state_options options = {})
      : operator_list_handle<T>{std::move(name), std::move(options)} {}
};

}  // namespace weir::state
