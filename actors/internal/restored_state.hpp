// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "weir/checkpoint/restore_plan.hpp"
#include "weir/core/file_system.hpp"
#include "weir/core/result.hpp"
#include "weir/state/restored_chunks.hpp"

namespace weir::actors::internal {

/// What the subtasks of an attempt start from, read for all of them that are in this process: each
/// file once, when the first of them needs it. The unkeyed chunks of an operator are held once and
/// shared by its subtasks, the keyed ones are handed over. Any thread. Blocks.
class restored_state {
 public:
  /// @pre files outlives the state
  restored_state(file_system& files, std::string folder, checkpoint::restore_plan plan);

  checkpoint_id id() const noexcept { return plan_.restored; }

  /// What a subtask starts from; the keyed chunks are gone from here then.
  /// Errors: those of `read_state_chunks`, also when it was read for another subtask.
  result<state::restored_chunks> take(const std::string& uid, subtask_index subtask);

  /// The chunks of an operator that belong to no key group.
  /// Errors: as `take`.
  result<state::restored_chunks> unkeyed(const std::string& uid);

 private:
  /// The chunks of one operator in one file.
  struct part {
    std::map<key_group, std::vector<state::snapshot_chunk>> keyed;
    std::vector<state::snapshot_chunk> unkeyed;
  };
  struct file_content {
    std::mutex guard;
    bool is_read = false;
    status outcome;
    std::map<std::string, part> parts;  // by uid
  };
  struct operator_content {
    std::mutex guard;
    std::shared_ptr<const state::shared_chunks> unkeyed;  // with subtasks, once it is read
  };

  /// The content of a file, under its guard.
  template <class Use>
  status with_part(const checkpoint::restore_file& source, const std::string& uid, Use use);
  status read(file_content& content, const checkpoint::state_file& file);
  result<std::shared_ptr<const state::shared_chunks>> unkeyed_of(
      const checkpoint::operator_restore& op);

  file_system* files_;
  std::string folder_;
  checkpoint::restore_plan plan_;
  std::map<std::string, file_content> contents_;       // by path; none is added any more
  std::map<std::string, operator_content> operators_;  // by uid; the same
};

}  // namespace weir::actors::internal
