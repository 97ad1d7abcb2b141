// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/dataflow/stream_base.hpp"

namespace weir::dataflow {

/// A sink's place in the job's graph, to name it and to set its parallelism. No records leave it.
/// A value.
class data_sink : public stream_base<data_sink> {
 public:
  using stream_base<data_sink>::stream_base;
};

}  // namespace weir::dataflow
