// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "weir/core/time.hpp"

namespace weir::windowing {

/// What all subtasks of a window operator are made from. Stream is a `keyed_stream`, Contents is
/// `reducing` or `aggregating` where the keys of a window fire together, else one of
/// window_contents.hpp, and Function a window function, see window_function.hpp.
template <class Stream, class Assigner, class Contents, class Trigger, class Function>
struct window_definition {
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
