// SPDX-License-Identifier: Apache-2.0
// The states that functions declare, under the names that user code writes.
#pragma once

#include "weir/state/aggregating_state.hpp"
#include "weir/state/list_state.hpp"
#include "weir/state/map_state.hpp"
#include "weir/state/operator_state_store.hpp"
#include "weir/state/reducing_state.hpp"
#include "weir/state/state_error.hpp"
#include "weir/state/state_options.hpp"
#include "weir/state/states.hpp"
#include "weir/state/ttl_config.hpp"
#include "weir/state/value_state.hpp"
#include "weir/state/value_state_with_default.hpp"

namespace weir {

using state::aggregating_state;
using state::broadcast_state;
using state::list_state;
using state::map_state;
using state::operator_list_state;
using state::operator_state_store;
using state::reducing_state;
using state::state_error;
using state::states;
using state::union_list_state;
using state::value_state;
using state::value_state_with_default;
using state::writable_broadcast_state;

}  // namespace weir
