// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/state/row_table.hpp"
#include "weir/state/states.hpp"
#include "weir/state/ttl_rules.hpp"

namespace weir::state {

/// The keyed state of one function in one subtask: a row for each key that has state, in memory.
/// Gives the function's states their current key, takes snapshots while the function runs, and
/// restores them. Owned and used by the subtask; the function must live longer.
///
/// `Timing` is `timed` if one of the states has a TTL. Then the rows must be told the time, and to
/// clean up; otherwise they pay nothing for it.
///
/// In a snapshot the rows are the keyed chunks of a section, and the function's declarations are an
/// unkeyed chunk of the section `declarations_section(section)`.
template <class Key, has_states Function, class Timing = untimed>
class keyed_rows {
 public:
  using table_type = row_table<Key, layout_of<Function, Timing>>;
  using layout = typename table_type::layout;
  static constexpr bool is_timed = layout::is_timed;

  /// State for the keys of `groups`. The states of `function` can be used in `with_key` only.
  /// @pre Timing is timed, or !has_ttl(function)
  keyed_rows(Function& function, key_group_range groups, std::uint32_t max_parallelism);
  keyed_rows(const keyed_rows&) = delete;
  keyed_rows& operator=(const keyed_rows&) = delete;

  /// Processes records one after another; made once for a batch, and at most one at a time. Until
  /// it is gone nothing else uses the rows. The last key ends with it.
  class batch {
   public:
    batch(const batch&) = delete;
    batch& operator=(const batch&) = delete;
    ~batch() {
      detach_states(*function_);
      rows_->end_batch();
    }

    /// To be called about 16 records ahead.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const noexcept {
      finder_.prefetch(hash);
    }

    /// The same where the key is likely to lose its state.
    void prefetch_erasure(std::uint64_t hash) const noexcept { finder_.prefetch_erasure(hash); }

    /// Makes `key` the current key and calls `use(Function&, const Key&)`, with the key as it is
    /// stored. `use` goes to the function through its argument: the compiler sees then that the
    /// states are views of this row. A key that has no state afterwards takes no memory.
    /// @pre `hash` is the `stable_hash` of `key`
    template <class K, class Use>
    [[gnu::always_inline]] void with_key(const K& key, std::uint64_t hash, Use&& use) {
      std::byte* row = finder_.find_or_insert(key, hash);
      attach_states<layout>(*function_, row);
      use(*function_, table_type::key_of(row));
      if (nothing_present(row)) [[unlikely]]
        rows_->table_.erase(row, hash);
    }

    /// The row of `key`, without making it the current key: for who knows what is in it. It may be
    /// one without state. Good until the next call.
    template <class K>
    [[gnu::always_inline]] std::byte* row_of(const K& key, std::uint64_t hash) {
      return finder_.find_or_insert(key, hash);
    }

   private:
    friend keyed_rows;
    explicit batch(keyed_rows& rows)
        : rows_{&rows}, function_{rows.function_}, finder_{rows.table_.make_finder()} {
      rows.in_batch_ = true;
    }

    keyed_rows* rows_;
    Function* function_;
    typename table_type::finder finder_;
  };

  batch make_batch() { return batch{*this}; }

  /// The same for a single key: a timer, say.
  template <class K, class Use>
  void with_key(const K& key, std::uint64_t hash, Use&& use) {
    make_batch().with_key(key, hash, std::forward<Use>(use));
  }

  /// Makes each key that has state the current key, one after another, and calls `use(Function&,
  /// const Key&)`, which may change or clear its state. Allowed within a batch, from what
  /// `with_key` calls: afterwards the key of before is the current one again.
  /// @pre not called from within itself
  template <class Use>
  void for_each_key(Use&& use);

  /// Keys that have state.
  std::size_t size() const noexcept { return table_.size(); }

  /// Slots that a sweep has to look at.
  std::size_t capacity() const noexcept { return table_.capacity(); }

  // -- TTL: what timed rows want to be told ------------------------------------------------------

  /// From now on it is `now`, and `watermark` in event time: before each batch, each timer, each
  /// clean-up, `begin_snapshot` and `restore`.
  void set_time(clock_time now, event_time watermark) noexcept {
    ttl_.rules.set_time(now, watermark);
  }

  /// The record in hand has this event time: only what lives by event time needs to know.
  void set_record_time(event_time time) noexcept { ttl_.rules.set_record_time(time); }

  /// The clean-up that is due for the accesses since the last one; `records` made some of them.
  /// Behind each batch and each timer.
  void clean_up_behind(std::size_t records);

  /// Looks at up to `entries` keys, and removes what has expired. Goes on where it ended last; less
  /// than `entries` if it comes to the end, behind which it starts again. Returns at how many it
  /// looked.
  std::size_t clean_up(std::size_t entries);

  /// When the background clean-up gets work; `max()`: not as things are. It is to be started once.
  clock_time next_alarm() const noexcept {
    return table_.empty() ? clock_time::max() : ttl_.rules.next_alarm();
  }
  void start_background(clock_time now) { ttl_.rules.start(now); }
  void on_alarm(clock_time now) noexcept { ttl_.rules.on_alarm(now); }
  bool has_background_work() const noexcept {
    return ttl_.rules.background_left() > 0 || ttl_.trims;
  }
  /// A slice of that work, of well under a millisecond.
  void clean_up_in_background();

  // -- snapshots ---------------------------------------------------------------------------------

  /// Starts a snapshot of the state as it is now; one that is running is abandoned. O(1). `out`
  /// must live until `snapshotting()` is false.
  void begin_snapshot(snapshot_stream& out, std::string section);

  /// Goes on with the snapshot: looks at up to `slots` slots. Returns at how many it looked: fewer
  /// than asked only when all chunks have been put.
  std::size_t sweep(std::size_t slots);

  /// True while chunks of the snapshot are missing.
  bool snapshotting() const noexcept { return writer_.has_value(); }

  void abort_snapshot() noexcept {
    table_.abort_snapshot();
    writer_.reset();
  }

  /// Restores the rows of `section`, of whichever key groups are its own. State that no record asks
  /// for is in the next snapshot all the same. @pre size() == 0 Errors: those of `match_states`;
  /// corrupt. After an error the rows are good for nothing.
  status restore(const restored_chunks& chunks, std::string_view section);

  /// What people should be told about the restore: the TTLs that have become longer.
  const std::vector<std::string>& restore_warnings() const noexcept { return warnings_; }

  static std::string declarations_section(std::string_view section) {
    return std::string{section} + "/declarations";
  }

 private:
  template <class K, class N, has_states F, class T>
  friend class namespaced_rows;

  struct no_ttl {
    explicit no_ttl(const std::vector<state_declaration>&) {}
  };
  struct with_ttl {
    explicit with_ttl(const std::vector<state_declaration>& declared) : rules{declared} {}
    ttl_rules rules;
    typename table_type::cursor at;  // where the clean-up stands
    bool in_round = false;           // and whether that is behind the first key
    bool trims = false;              // memory is being given back
  };

  /// Gives the states back the row that they had.
  class row_keeper {
   public:
    explicit row_keeper(Function& function) : function_{&function}, row_{attached_row(function)} {}
    row_keeper(const row_keeper&) = delete;
    row_keeper& operator=(const row_keeper&) = delete;
    ~row_keeper() {
      if (row_ != nullptr)
        attach_states<layout>(*function_, row_);
      else
        detach_states(*function_);
    }

   private:
    Function* function_;
    std::byte* row_;
  };

  void end_batch() {
    in_batch_ = false;
    if (!emptied_.empty()) [[unlikely]]
      erase_emptied();
    table_.trim();
  }
  [[gnu::cold, gnu::noinline]] void erase_emptied();
  /// The TTL of the state in a cell; null: none.
  const ttl_rule* rule_of(std::size_t cell) const noexcept {
    if constexpr (is_timed)
      return ttl_.rules.of(cell);
    else
      return nullptr;
  }

  stored_states declared() const;
  result<std::optional<stored_states>> stored_list(const restored_chunks& chunks,
                                                   std::string_view section) const;
  result<typename layout::read_options> read_as(const stored_states& stored);
  status restore_rows(const snapshot_chunk& chunk, const typename layout::read_options& as);

  Function* function_;
  key_group_range groups_;
  std::uint32_t max_parallelism_;
  table_type table_;
  std::optional<keyed_chunk_writer> writer_;
  std::vector<std::string> warnings_;
  std::vector<Key> emptied_;  // their rows go at the end of the batch: until
                              // then none may move
  bool in_batch_ = false;
  [[no_unique_address]] std::conditional_t<is_timed, with_ttl, no_ttl> ttl_;
};

}  // namespace weir::state

#include "weir/state/keyed_rows_definitions.hpp"
