// SPDX-License-Identifier: Apache-2.0
#pragma once

// The triggers that are made of others, under the names that user code writes.

#include "weir/windowing/after_each_trigger.hpp"
#include "weir/windowing/all_of_trigger.hpp"
#include "weir/windowing/any_of_trigger.hpp"
#include "weir/windowing/at_watermark_trigger.hpp"
#include "weir/windowing/once_trigger.hpp"
#include "weir/windowing/or_finally_trigger.hpp"
#include "weir/windowing/processing_timeout_trigger.hpp"
#include "weir/windowing/purging_trigger.hpp"
#include "weir/windowing/repeatedly_trigger.hpp"
