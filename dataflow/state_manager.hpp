// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/dataflow/listed_states.hpp"

namespace weir::dataflow {

/// Finds the states of a function by their declarations: for functions that do not keep them as
/// members of their own, but share declarations or choose among them. Valid during the call.
class state_manager {
 public:
  /// For the engine. `states` outlives it.
  explicit state_manager(const listed_states& states) : states_{&states} {}

  /// The state of the current partition that `declaration` stands for: the listed object, if it is
  /// that, else the one of the same name. To be asked with the listed object costs a comparison.
  /// Errors: throws `state_error` if it is not listed in `uses_states()`, or under that name as
  /// something else.
  template <class S>
  S& get_state(const S& declaration) const {
    return states_->get(declaration);
  }

  /// The same, but null if no state of that name is listed.
  template <class S>
  S* get_state_optional(const S& declaration) const {
    return states_->find(declaration);
  }

  /// Only keyed streams have keys. Errors: throws `state_error`.
  [[noreturn]] void current_key() const;

 private:
  const listed_states* states_;
};

/// The same on a keyed stream.
template <class K>
class keyed_state_manager : public state_manager {
 public:
  using state_manager::state_manager;

  /// @pre called for a record or a timer of this key
  const K& current_key() const { return *key_; }

  // For the engine.
  void set_key(const K* key) { key_ = key; }
  const K* const& key() const { return key_; }

 private:
  const K* key_ = nullptr;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::keyed_state_manager;
using dataflow::state_manager;
}  // namespace weir
