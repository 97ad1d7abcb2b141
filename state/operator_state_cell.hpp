// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/state/operator_state_format.hpp"

namespace weir::state {

/// What one subtask gets of a state that was stored. A value: references and a range.
struct restored_operator_state {
  std::shared_ptr<const stored_operator_state> stored;  ///< with the other subtasks
  std::shared_ptr<const shared_chunks> source;          ///< what `stored` views; with them as well
  element_run run{};                                    ///< of all elements
  bool ours_to_store = true;  ///< false: another subtask has the same elements, and stores them

  const std::string& kind() const noexcept { return stored->kind; }
  std::vector<stored_elements> elements() const { return stored->elements(run); }
};

/// The content of a state as it was at a barrier, while it is written to the snapshot. Holds
/// references only: the state goes on meanwhile. Owned and used by the subtask of the state.
class frozen_operator_state {
 public:
  virtual ~frozen_operator_state() = default;

  /// Writes up to `most` elements; returns how many: fewer only when there are no more.
  virtual std::size_t write(operator_state_writer& out, std::size_t most) = 0;
};

/// What is stored of a state that nobody has asked for: as it was stored.
std::unique_ptr<frozen_operator_state> freeze(const restored_operator_state& unvisited);

/// A state of a subtask that is not kept by key, whatever its handles: what the store knows of it.
/// Owned by the store, used by its subtask.
class operator_state_cell {
 public:
  operator_state_cell(std::string name, std::string_view kind, std::string type)
      : name_{std::move(name)}, kind_{kind}, type_{std::move(type)} {}
  operator_state_cell(const operator_state_cell&) = delete;
  operator_state_cell& operator=(const operator_state_cell&) = delete;
  virtual ~operator_state_cell() = default;

  const std::string& name() const noexcept { return name_; }
  std::string_view kind() const noexcept { return kind_; }
  /// The identity of what is stored.
  const std::string& type() const noexcept { return type_; }

  /// Takes what was stored for what it holds. @pre the kinds are the same, nothing was changed yet
  /// Errors: invalid_argument if the type is another one; corrupt.
  virtual status restore(const restored_operator_state& from) = 0;

  /// The content now. O(1).
  virtual std::unique_ptr<frozen_operator_state> freeze() const = 0;

 protected:
  /// Errors: invalid_argument if what is stored as `stored` cannot be read as what this holds,
  /// with both types.
  status check_type(std::string_view stored) const;

 private:
  std::string name_;
  std::string_view kind_;
  std::string type_;
};

}  // namespace weir::state
