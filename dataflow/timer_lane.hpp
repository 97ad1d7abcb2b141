// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "weir/dataflow/timer_deletions.hpp"
#include "weir/dataflow/timer_heap.hpp"
#include "weir/dataflow/timer_message.hpp"

namespace weir::dataflow {

/// The due timers of one domain, on the side of the subtask: the merge of the chunk that the
/// service sent with what has been registered and deleted since. Owned by a `timer_client`.
template <class Subject>
class timer_lane {
 public:
  struct due_timer {
    timer<Subject> value;
    bool leased;  ///< from the chunk, else registered since
  };

  /// Takes a chunk in the place of the one that is finished.
  /// @pre the chunk is of the lane's subject type and not empty
  void load(std::unique_ptr<timer_chunk_base> chunk, std::uint64_t seen) {
    chunk_.reset(static_cast<timer_chunk<Subject>*>(chunk.release()));
    seen_ = seen;
    next_ = 0;
  }

  /// Whether a chunk is here, finished or not.
  bool loaded() const { return chunk_ != nullptr; }

  void unload() { chunk_.reset(); }

  /// Number of the last change known to the service when it sent the chunk.
  std::uint64_t seen() const { return seen_; }

  /// Whether the chunk has a timer left that was not deleted since.
  bool chunk_has_more() {
    if (!chunk_) return false;
    auto& timers = chunk_->timers;
    while (next_ < timers.size() && deletions_.hides(timers[next_], seen_)) ++next_;
    return next_ < timers.size();
  }

  /// Whether a timer of this time comes before the end of the chunk.
  bool chunk_reaches_past(std::int64_t time) const {
    return chunk_ && next_ < chunk_->timers.size() && time < chunk_->timers.back().time;
  }

  /// Registers a timer that is due in this round.
  void add(std::int64_t time, const Subject& subject) { added_.insert(time, subject); }

  /// Deletes a timer from the round; `sequence` is the number of that change.
  void remove(std::int64_t time, const Subject& subject, std::uint64_t sequence) {
    added_.erase(time, subject);
    deletions_.add(time, subject, sequence);
  }

  /// The next timer of the round. Of equal ones the chunk's comes first: then, when a registered
  /// one has its turn, the service can hold no timer that is the same.
  std::optional<due_timer> take(timer_domain domain) {
    const bool has_chunk = chunk_has_more();
    if (added_.idle() && !has_chunk) return std::nullopt;
    if (!has_chunk || (!added_.idle() && added_comes_first())) {
      const auto time = added_.earliest();
      return due_timer{{domain, time, added_.take_front()}, false};
    }
    auto& taken = chunk_->timers[next_++];
    added_.erase(taken.time, taken.subject);
    return due_timer{std::move(taken), true};
  }

  /// Lets go of deletions that no chunk can cross any more.
  void forget_deletions(std::uint64_t seen) { deletions_.forget(seen); }
  void forget_all_deletions() { deletions_.clear(); }

 private:
  bool added_comes_first() const {
    const auto& head = chunk_->timers[next_];
    const auto& added = added_.front();
    if (added.time != head.time) return added.time < head.time;
    return timer_subject<Subject>::kind(added.subject) < timer_subject<Subject>::kind(head.subject);
  }

  std::unique_ptr<timer_chunk<Subject>> chunk_;
  std::size_t next_ = 0;
  std::uint64_t seen_ = 0;
  timer_heap<Subject> added_;
  timer_deletions<Subject> deletions_;
};

}  // namespace weir::dataflow
