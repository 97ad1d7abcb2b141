// SPDX-License-Identifier: Apache-2.0
// All of windows: include this one.
#pragma once

#include "weir/windowing/calendar_windows.hpp"
#include "weir/windowing/combinators.hpp"
#include "weir/windowing/count_windows.hpp"
#include "weir/windowing/dynamic_session_windows.hpp"
#include "weir/windowing/evictors.hpp"
#include "weir/windowing/global_windows.hpp"
#include "weir/windowing/session_windows.hpp"
#include "weir/windowing/sliding_windows.hpp"
#include "weir/windowing/triggers.hpp"
#include "weir/windowing/tumbling_windows.hpp"
