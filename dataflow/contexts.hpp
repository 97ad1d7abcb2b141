// SPDX-License-Identifier: Apache-2.0
// What functions are handed, for those who write functions apart from the streams that they are
// for.
#pragma once

#include "weir/dataflow/broadcast_context.hpp"
#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/custom_watermark.hpp"
#include "weir/dataflow/initialization_context.hpp"
#include "weir/dataflow/keyed_context.hpp"
#include "weir/dataflow/partitioned_context.hpp"
