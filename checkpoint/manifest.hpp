// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::checkpoint {

/// What is in a file of state. Stored: never renumber.
enum class file_kind : std::uint8_t {
  chunks = 0,  ///< what `state_file_writer` writes
  blob = 1,    ///< bytes that only the operator's backend can read
};

/// One file of state, as one operator uses it. A file may hold the state of several operators,
/// and may have been written for an earlier checkpoint.
struct state_file {
  std::string path{};  ///< below the checkpoint folder: "chk-7/2-1-0-3.state"
  std::uint64_t length = 0;
  std::uint32_t checksum = 0;  ///< of all its bytes
  file_kind kind = file_kind::chunks;
  bool keyed = false;    ///< it holds state by key group of the operator
  bool unkeyed = false;  ///< it holds state of the operator that belongs to no key group

  friend bool operator==(const state_file&, const state_file&) = default;
};

/// What one subtask of an operator has stored; no files if it had no state.
struct subtask_state {
  subtask_index subtask{};
  std::vector<state_file> files{};

  friend bool operator==(const subtask_state&, const subtask_state&) = default;
};

/// What one operator has stored.
struct operator_state {
  std::string uid{};
  std::uint32_t parallelism = 1;
  std::uint32_t max_parallelism = 1;
  std::vector<subtask_state> subtasks{};  ///< each subtask in [0, parallelism), in order

  friend bool operator==(const operator_state&, const operator_state&) = default;
};

/// All that must be known to start a job from a checkpoint. A value.
struct manifest {
  std::string job_name{};
  std::string graph_fingerprint{};
  checkpoint_id id{};
  epoch_id epoch{};       ///< of the coordinator that made it
  attempt_id attempt{};   ///< of the job, within the epoch
  bool finished = false;  ///< all data has been processed: there is nothing left to do
  clock_time created{};
  std::vector<operator_state> operators{};

  /// The bytes of all files it names, each counted once.
  std::uint64_t total_bytes() const;

  friend bool operator==(const manifest&, const manifest&) = default;
};

/// The bytes of `content`, equal for equal content, in every process. docs/formats.md has the
/// grammar.
/// @pre `check` finds nothing
std::string encode(const manifest& content);

/// Reads what `encode` wrote, and trusts none of it.
/// Errors: corrupt, saying what is wrong; the caller adds the file's name.
result<manifest> decode_manifest(std::string_view bytes);

/// Whether `content` may be written.
/// Errors: invalid_argument, saying what is wrong: ids of 0, a uid twice, a parallelism out of
/// range, a subtask missing, a path out of the checkpoint folder, one file with two checksums.
status check(const manifest& content);

}  // namespace weir::checkpoint
