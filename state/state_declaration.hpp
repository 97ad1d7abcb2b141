// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weir/core/bytes.hpp"
#include "weir/core/result.hpp"
#include "weir/state/row_layout.hpp"
#include "weir/state/state_handle.hpp"
#include "weir/state/ttl_config.hpp"

namespace weir::state {

/// What a function says about one of its states: checked when the graph is built, stored with
/// every snapshot, and compared at restore.
struct state_declaration {
  std::string name;
  std::string kind;  ///< "value", "value with default", "reducing"
  std::string type;  ///< the identity of what is stored
  redistribution mode = redistribution::none;
  std::optional<ttl_config> ttl{};  ///< none: it lives for ever

  friend bool operator==(const state_declaration&, const state_declaration&) = default;
};

/// Errors: invalid_argument when a name is empty, two states have one name (names both kinds), a
/// TTL is not valid or that of a state that is not keyed, or there are more keyed states than a row
/// has room for.
status check_declarations(const std::vector<state_declaration>& declarations);

/// The keyed states of one function as they are stored: the type of the key, and the states in the
/// order of their cells.
///
/// `version:varint key_type:block count:varint (name:block kind:block type:block mode:varint ttl)*`
/// where ttl is 0 for none, or `clock:varint lifetime:varint`: 1 for processing time, 2 for event
/// time, then milliseconds. Version 1 has no ttl and is read, too.
struct stored_states {
  std::string key_type;
  std::vector<state_declaration> states;  ///< As they are read: no more of a TTL than is stored.

  void write(byte_writer& out) const;

  /// Errors: corrupt.
  static result<stored_states> read(byte_reader& in);
};

/// Which cell each stored cell is restored to: by name. A state that is not stored starts absent.
/// Errors: invalid_argument when the type of the key differs, when a stored state is not declared
/// any more, and when its kind or type cannot be restored as the declared one.
result<cell_order> match_states(const stored_states& stored, const stored_states& declared);

}  // namespace weir::state
