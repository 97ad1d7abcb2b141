// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All that a program needs to describe a job: `weir::environment` and the streams it gives. Of
/// other layers it includes what it uses, such as "weir/windowing/tumbling_windows.hpp" and
/// "weir/connectors/file_sink.hpp"; to run the job, "weir/actors/job_handle.hpp".
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/global_stream.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/dataflow/process_connected.hpp"
#include "weir/dataflow/process_streams.hpp"
