// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weir/checkpoint/restore_plan.hpp"
#include "weir/checkpoint/state_file_writer.hpp"
#include "weir/checkpoint/subtask_id.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/batch.hpp"
#include "weir/dataflow/control.hpp"
#include "weir/dataflow/source.hpp"

namespace weir::actors::internal {

using checkpoint::subtask_id;

/// One end of a channel: the gate channel of a receiver, or the receiver position of an exit.
struct channel_end {
  subtask_id subtask;
  std::uint32_t exit = 0;      ///< sender: which of its exits
  std::uint32_t position = 0;  ///< sender: which receiver of the exit; receiver: gate channel
  std::uint8_t port = 0;       ///< sender: which input of the receiving head the channel belongs to
};

/// An element on its way from one subtask to another. Numbered per channel from 0, so that a gap or
/// a duplicate is found.
struct channel_message {
  attempt_id attempt;
  std::uint32_t channel = 0;  ///< of the receiver's gate
  std::uint64_t sequence = 0;
  dataflow::erased_batch data;  ///< null: a control element
  dataflow::control signal = dataflow::control::idle();
};

/// Room for more batches.
struct credit_message {
  attempt_id attempt;
  std::uint32_t exit = 0;
  std::uint32_t receiver = 0;
  std::uint32_t batches = 0;
};

/// From the coordinators to a subtask.
struct start_command {};
struct trigger_command {
  checkpoint_id id;
};
struct completed_command {
  checkpoint_id id;
};
struct aborted_command {
  checkpoint_id id;
};
struct split_command {
  std::uint32_t source = 0;                      ///< place of the source in the chain
  std::optional<dataflow::encoded_split> split;  ///< none: there are no more
};
struct alignment_command {
  std::uint32_t source = 0;  ///< place of the source in the chain
  event_time allowed;        ///< how far it may read
};
using subtask_command = std::variant<start_command, trigger_command, completed_command,
                                     aborted_command, split_command, alignment_command>;

/// From a subtask to the coordinators.
struct subtask_ready {};
struct subtask_failed {
  error cause;
};
struct subtask_ended {};  ///< all data has been processed
struct split_request {
  std::uint32_t source = 0;
};
struct alignment_report {
  std::uint32_t source = 0;
  event_time watermark;
};
struct snapshot_written {
  checkpoint_id id;
  bool finished = false;  ///< all data had been processed at the cut
  std::vector<checkpoint::operator_files> operators;
  std::vector<checkpoint::state_digest> digests;
};
struct snapshot_failed {
  checkpoint_id id;
  std::string reason;
};
struct commits_done {
  checkpoint_id id;
};
using subtask_report =
    std::variant<subtask_ready, subtask_failed, subtask_ended, split_request, alignment_report,
                 snapshot_written, snapshot_failed, commits_done>;

/// What a subtask tells itself.
enum class self_call : std::uint8_t {
  resume,  ///< There was more to do.
  tick,    ///< If no data came since, ship what is partial.
  wake,    ///< Something that an operator waits for may have come.
  alarm    ///< The clock may have reached an operator's alarm.
};

}  // namespace weir::actors::internal
