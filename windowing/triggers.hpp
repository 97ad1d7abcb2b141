// SPDX-License-Identifier: Apache-2.0
#pragma once

// The triggers that are not made of others, under the names that user code writes.

#include "weir/windowing/accumulation_trigger.hpp"
#include "weir/windowing/after_processing_time_trigger.hpp"
#include "weir/windowing/cleanup_trigger.hpp"
#include "weir/windowing/condition_trigger.hpp"
#include "weir/windowing/continuous_event_time_trigger.hpp"
#include "weir/windowing/continuous_processing_time_trigger.hpp"
#include "weir/windowing/count_trigger.hpp"
#include "weir/windowing/delta_trigger.hpp"
#include "weir/windowing/end_of_stream_trigger.hpp"
#include "weir/windowing/event_time_trigger.hpp"
#include "weir/windowing/never_trigger.hpp"
#include "weir/windowing/processing_time_trigger.hpp"
