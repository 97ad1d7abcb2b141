// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/bytes.hpp"
#include "weir/core/result.hpp"
#include "weir/state/even_split.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::state {

/// The kinds of states that are kept for a subtask and not by key. The names are stored.
inline constexpr std::string_view operator_list_kind = "operator list";
inline constexpr std::string_view union_list_kind = "union list";
inline constexpr std::string_view broadcast_kind = "broadcast";

/// Puts one state of a subtask into a snapshot, element by element, in chunks of about 64 KiB of
/// the section "operator state/<kind>/<name>". docs/formats.md has the grammar. Owned and used by
/// one subtask.
class operator_state_writer {
 public:
  /// `out` must live until `finish`, or until the snapshot is abandoned.
  operator_state_writer(snapshot_stream& out, std::string_view kind, std::string name);
  operator_state_writer(const operator_state_writer&) = delete;
  operator_state_writer& operator=(const operator_state_writer&) = delete;

  /// What the elements from here on are. @pre called before the first element
  void set_type(std::string_view type);

  /// Adds an element: the writer to write its bytes with, and then `end_element`.
  byte_writer& begin_element();
  void end_element();
  /// Adds an element as it is stored, its boundaries included.
  void add_stored(std::string_view element);

  /// Puts what is held back, and the end. Nothing follows.
  void finish();

 private:
  void put_part();

  snapshot_stream* out_;
  std::string kind_;
  std::string name_;
  std::string section_;
  std::string type_;
  std::string elements_;  // of the part that is not full yet
  byte_writer element_writer_{elements_};
  std::size_t element_start_ = 0;
  std::uint64_t first_ = 0;  // of that part
  std::uint64_t count_ = 0;  // in that part
  std::uint64_t digest_ = 0;
};

/// Elements of one type that follow one another, as they are stored. Views.
struct stored_elements {
  std::string_view type;
  std::uint64_t count = 0;
  std::string_view bytes;
};

/// What one former subtask had of a state.
struct stored_copy {
  subtask_index from{};
  std::uint64_t count = 0;
  std::uint64_t digest = 0;              ///< equal for equal elements in any order
  std::vector<stored_elements> parts{};  ///< in their order
};

/// What all former subtasks had of a state.
struct stored_operator_state {
  std::string kind{};
  std::vector<stored_copy> copies{};  ///< of those that had it, ascending

  std::uint64_t total() const;

  /// The elements of `run`, counted through all copies.
  std::vector<stored_elements> elements(element_run run) const;
};

/// The states that a snapshot has of an operator, by name: what there is, not yet who gets it.
/// Views of the chunks from which it was read.
struct stored_operator_states {
  std::map<std::string, stored_operator_state, std::less<>> by_name{};

  /// Finds the states among the unkeyed `chunks`, in whatever order these are, and trusts none of
  /// their bytes.
  /// Errors: corrupt, naming the state.
  static result<stored_operator_states> read(const std::vector<snapshot_chunk>& chunks);
};

/// The warning that the copies of a broadcast state are not the same; none if they are. Counts the
/// subtasks from 1, as all texts for people do.
std::optional<std::string> difference_of_copies(
    const std::string& operator_name, const std::string& state,
    const std::map<subtask_index, std::uint64_t>& digests);

}  // namespace weir::state
