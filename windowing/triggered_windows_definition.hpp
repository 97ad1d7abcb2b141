// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "weir/core/time.hpp"

namespace weir::windowing {

/// What all subtasks of an operator of windows with triggers are made from.
template <class Stream, class Assigner, class Contents, class Trigger, class Function>
struct triggered_windows_definition {
  using stream = Stream;
  using assigner_type = Assigner;
  using contents_type = Contents;
  using trigger_type = Trigger;
  using function_type = Function;

  typename Stream::select_type select;
  Assigner assigner;
  Contents contents;
  Trigger trigger;
  Function function;
  duration allowed_lateness = duration::zero();
  std::optional<std::string> late_output;  ///< none: late records are dropped and counted
};

}  // namespace weir::windowing
