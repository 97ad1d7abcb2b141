// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/checkpoint/state_file_writer.hpp"
#include "weir/checkpoint/state_folder.hpp"
#include "weir/dataflow/snapshot_context.hpp"

namespace weir::actors::internal {

/// The snapshot of one subtask while it is being taken: from the barrier at its first operator
/// until the last row and the last deferred work are in. Owned by the subtask.
class running_snapshot {
 public:
  explicit running_snapshot(checkpoint_id id) : id_{id} {}

  checkpoint_id id() const { return id_; }

  /// The context of an operator; lives as long as the snapshot.
  dataflow::snapshot_context& context_of(const std::string& uid) {
    contexts_.push_back(std::make_unique<context>(*this, uid));
    return *contexts_.back();
  }

  void put(const std::string& uid, state::snapshot_chunk chunk) {
    writer_.put(uid, std::move(chunk));
  }

  struct deferred_work {
    std::string uid;
    dataflow::snapshot_work work;
  };
  /// The works that were deferred since the last call.
  std::vector<deferred_work> take_deferred() { return std::exchange(deferred_, {}); }

  /// Parts that come with messages and are still to come: works, the timers.
  void expect_part() { ++expected_; }
  void part_came() { --expected_; }
  bool parts_complete() const { return expected_ == 0; }

  /// The barrier has left the chain. `finished`: behind the end of all data.
  void cut(bool finished) {
    cut_ = true;
    finished_ = finished;
  }
  bool finished() const { return finished_; }
  /// Whether the barrier has left the chain.
  bool is_cut() const { return cut_; }

  checkpoint::state_file_writer& writer() { return writer_; }

  /// Of the broadcast states, once all of them are written.
  std::vector<checkpoint::state_digest> digests() const {
    std::vector<checkpoint::state_digest> all;
    for (const auto& context : contexts_) {
      const auto& some = context->digests();
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  /// The file, made by the first piece that is written. Used on the `io_executor` only.
  struct file {
    std::unique_ptr<checkpoint::state_file_output> output;
    status written;
  };
  const std::shared_ptr<file>& output() const { return file_; }

 private:
  class context final : public dataflow::snapshot_context {
   public:
    context(running_snapshot& owner, std::string uid)
        : owner_{&owner}, uid_{uid}, stream_{owner.writer_, std::move(uid)} {}

    checkpoint_id id() const override { return owner_->id_; }
    state::snapshot_stream& stream() override { return stream_; }
    const std::vector<checkpoint::state_digest>& digests() const { return stream_.digests(); }
    void defer(dataflow::snapshot_work work) override {
      owner_->deferred_.push_back({uid_, std::move(work)});
    }

   private:
    running_snapshot* owner_;
    std::string uid_;
    checkpoint::state_file_stream stream_;
  };

  checkpoint_id id_;
  checkpoint::state_file_writer writer_;
  std::vector<std::unique_ptr<context>> contexts_;
  std::vector<deferred_work> deferred_;
  std::shared_ptr<file> file_ = std::make_shared<file>();  // shared with the works that write
  std::size_t expected_ = 0;
  bool cut_ = false;
  bool finished_ = false;
};

}  // namespace weir::actors::internal
