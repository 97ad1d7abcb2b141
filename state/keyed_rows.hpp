// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/core/codec.hpp"
#include "weir/core/hash.hpp"
#include "weir/state/keyed_chunk_writer.hpp"
#include "weir/state/row_table.hpp"
#include "weir/state/states.hpp"

namespace weir::state {

/// The keyed state of one function in one subtask: a row for each key that has state, in memory.
/// Gives the function's states their current key, takes snapshots while the function runs, and
/// restores them. Owned and used by the subtask; the function must live longer.
///
/// In a snapshot the rows are the keyed chunks of a section, and the function's declarations are
/// an unkeyed chunk of the section `declarations_section(section)`.
template <class Key, has_states Function>
class keyed_rows {
 public:
  using table_type = row_table<Key, layout_of<Function>>;

  /// State for the keys of `groups`. The states of `function` can be used in `with_key` only.
  keyed_rows(Function& function, key_group_range groups, std::uint32_t max_parallelism)
      : function_{&function},
        groups_{groups},
        max_parallelism_{max_parallelism},
        table_{hashes_of(groups, max_parallelism)} {
    bind_states(function);
    detach_states(function);
  }

  /// Processes records one after another; made once for a batch, and at most one at a time.
  /// Until it is gone nothing else uses the rows. The last key ends with it.
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

    /// Makes `key` the current key and calls `use(Function&, const Key&)`, with the key as it is
    /// stored. `use` goes to the function through its argument: the compiler sees then that the
    /// states are views of this row. A key that has no state afterwards takes no memory.
    /// @pre `hash` is the `stable_hash` of `key`
    template <class K, class Use>
    [[gnu::always_inline]] void with_key(const K& key, std::uint64_t hash, Use&& use) {
      std::byte* row = finder_.find_or_insert(key, hash);
      attach_states<typename table_type::layout>(*function_, row);
      use(*function_, table_type::key_of(row));
      if (nothing_present(row)) [[unlikely]]
        rows_->table_.erase(row, hash);
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

  /// Makes each key that has state the current key, one after another, and calls
  /// `use(Function&, const Key&)`, which may change or clear its state. Allowed within a batch,
  /// from what `with_key` calls: afterwards the key of before is the current one again.
  /// @pre not called from within itself
  template <class Use>
  void for_each_key(Use&& use);

  /// Keys that have state.
  std::size_t size() const noexcept { return table_.size(); }

  /// Slots that a sweep has to look at.
  std::size_t capacity() const noexcept { return table_.capacity(); }

  /// Starts a snapshot of the state as it is now; one that is running is abandoned. O(1).
  /// `out` must live until `snapshotting()` is false.
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

  /// Restores the rows of `section`, of whichever key groups are its own. State that no record
  /// asks for is in the next snapshot all the same. @pre size() == 0
  /// Errors: those of `match_states`; corrupt. After an error the rows are good for nothing.
  status restore(const restored_chunks& chunks, std::string_view section);

  static std::string declarations_section(std::string_view section) {
    return std::string{section} + "/declarations";
  }

 private:
  /// Gives the states back the row that they had.
  class row_keeper {
   public:
    explicit row_keeper(Function& function) : function_{&function}, row_{attached_row(function)} {}
    row_keeper(const row_keeper&) = delete;
    row_keeper& operator=(const row_keeper&) = delete;
    ~row_keeper() {
      if (row_ != nullptr) {
        attach_states<typename table_type::layout>(*function_, row_);
      } else {
        detach_states(*function_);
      }
    }

   private:
    Function* function_;
    std::byte* row_;
  };

  void end_batch();
  stored_states declared() const;
  result<std::optional<cell_order>> stored_order(const restored_chunks& chunks,
                                                 std::string_view section) const;
  status restore_rows(const snapshot_chunk& chunk, const cell_order& order);

  Function* function_;
  key_group_range groups_;
  std::uint32_t max_parallelism_;
  table_type table_;
  std::optional<keyed_chunk_writer> writer_;
  std::vector<Key> emptied_;  // their rows go at the end of the batch: until then none may move
  bool in_batch_ = false;
};

template <class Key, has_states Function>
template <class Use>
void keyed_rows<Key, Function>::for_each_key(Use&& use) {
  const row_keeper keeper{*function_};
  typename table_type::cursor at;
  while (std::byte* row = table_.next(at)) {
    if (nothing_present(row)) continue;
    attach_states<typename table_type::layout>(*function_, row);
    use(*function_, table_type::key_of(row));
    if (!nothing_present(row)) continue;
    if (in_batch_) {
      emptied_.push_back(table_type::key_of(row));
    } else {
      table_.erase(at);
    }
  }
}

template <class Key, has_states Function>
void keyed_rows<Key, Function>::end_batch() {
  in_batch_ = false;
  if (emptied_.empty()) [[likely]]
    return;
  for (const Key& key : std::exchange(emptied_, {})) {
    const auto hash = stable_hash(key);
    std::byte* row = table_.find(key, hash);
    if (row != nullptr && nothing_present(row)) table_.erase(row, hash);
  }
}

template <class Key, has_states Function>
void keyed_rows<Key, Function>::begin_snapshot(snapshot_stream& out, std::string section) {
  std::string bytes;
  byte_writer list{bytes};
  declared().write(list);
  out.put({declarations_section(section), std::nullopt, std::move(bytes), {}});
  writer_.emplace(out, std::move(section), max_parallelism_);
  table_.begin_snapshot(*writer_);
  if (!table_.snapshotting()) writer_.reset();
}

template <class Key, has_states Function>
std::size_t keyed_rows<Key, Function>::sweep(std::size_t slots) {
  const auto done = table_.sweep(slots);
  if (writer_ && !table_.snapshotting()) {
    writer_->flush();
    writer_.reset();
  }
  return done;
}

template <class Key, has_states Function>
stored_states keyed_rows<Key, Function>::declared() const {
  auto all = list_states(*function_);
  std::erase_if(all, [](const auto& state) { return state.mode != redistribution::none; });
  return {codec_identity<Key>(), std::move(all)};
}

template <class Key, has_states Function>
result<std::optional<cell_order>> keyed_rows<Key, Function>::stored_order(
    const restored_chunks& chunks, std::string_view section) const {
  const auto wanted = declarations_section(section);
  std::optional<cell_order> order;
  for (const snapshot_chunk& chunk : chunks) {
    if (chunk.section != wanted) continue;
    byte_reader in{chunk.bytes};
    auto stored = stored_states::read(in);
    if (!stored) return std::move(stored).failure();
    auto matched = match_states(*stored, declared());
    if (!matched) return std::move(matched).failure();
    if (order && *order != *matched)
      return error{errc::corrupt, "the subtasks stored different lists of states"};
    order = *matched;
  }
  return order;
}

template <class Key, has_states Function>
status keyed_rows<Key, Function>::restore(const restored_chunks& chunks, std::string_view section) {
  auto order = stored_order(chunks, section);
  if (!order) return std::move(order).failure().within(section);
  for (const snapshot_chunk& chunk : chunks) {
    if (chunk.section != section) continue;
    if (!*order) return error{errc::corrupt, "the list of states is missing"}.within(section);
    if (auto restored = restore_rows(chunk, **order); !restored)
      return std::move(restored).failure().within(section);
  }
  return {};
}

template <class Key, has_states Function>
status keyed_rows<Key, Function>::restore_rows(const snapshot_chunk& chunk,
                                               const cell_order& order) {
  if (!chunk.group) return error{errc::corrupt, "keyed state without a key group"};
  if (!groups_.contains(*chunk.group)) return {};
  byte_reader in{chunk.bytes};
  while (in.remaining() > 0) {
    const std::byte* row = table_.restore_row(in, {order});
    if (row == nullptr)
      return error{errc::corrupt, "a row of key group " + std::to_string(chunk.group->value) +
                                      " is damaged, or its key is there twice"};
    if (key_group_of(stable_hash(table_type::key_of(row)), max_parallelism_) != *chunk.group)
      return error{errc::corrupt, "a key of key group " + std::to_string(chunk.group->value) +
                                      " belongs to another one: was the max parallelism changed?"};
  }
  return {};
}

}  // namespace weir::state
