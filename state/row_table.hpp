// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "weir/core/bytes.hpp"
#include "weir/state/hash_range.hpp"
#include "weir/state/key_equal.hpp"
#include "weir/state/keyed_chunk_writer.hpp"
#include "weir/state/row_layout.hpp"
#include "weir/state/segment_directory.hpp"

namespace weir::state {

/// A hash table from keys to rows of one `row_layout`, with key and row in the slot. It grows in
/// segments of about 512 KiB, one at a time, so that an insertion takes well under a millisecond
/// however large the table is; they are in the order of key groups. A new table has no memory, and
/// `trim` gives back what erasures have left empty.
/// Owned and used by one subtask. A row is a `std::byte*` to its `row_head`; it stays where it is
/// until the next insertion or erasure. Hashes are those of `stable_hash`, keys are compared by
/// `key_equal`: a table of strings is searched with views, and inserts what the view shows.
///
/// Snapshot: `begin_snapshot` raises the epoch of the table and does nothing else. From then on
/// each row that is older is written once and marked with the epoch: by `sweep`, or by whoever
/// comes for it first (`find`, `find_or_insert`, `next`, an erasure that moves it). Rows born later
/// carry the epoch from birth. So what is written is the table at the moment of `begin_snapshot`.
///
/// Source: erasure without tombstones after Knuth, TAOCP 3, 6.4, algorithm R.
template <class Key, class Layout>
class row_table {
  using slot = row_slot<Key, Layout>;
  using directory = segment_directory<slot>;
  using segment = typename directory::segment;

 public:
  using key_type = Key;
  using layout = Layout;
  using write_options = typename Layout::write_options;
  using read_options = typename Layout::read_options;

  static_assert(std::is_nothrow_move_constructible_v<Key>, "row_table: a key must move safely");

  /// Where an iteration stands; see `next`.
  class cursor {
    friend row_table;
    std::uint64_t place_ = 0;    // of the segment
    std::uint32_t version_ = 0;  // of the segment when it was entered
    std::size_t start_ = 0;      // a free slot of the segment, from which it is walked around
    std::size_t steps_ = 0;      // from there
  };

  /// `range`: the hashes it is made for; others are stored as well, only less in order.
  /// A `first_epoch` other than 1 is for tests of what happens when epochs run out.
  explicit row_table(hash_range range = {}, row_epoch first_epoch = row_epoch{1})
      : slots_{range}, settled_{first_epoch}, epoch_{first_epoch}, oldest_{first_epoch} {}
  row_table(const row_table&) = delete;
  row_table& operator=(const row_table&) = delete;
  ~row_table() { destroy_rows(); }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

  /// Slots, free ones included: what an iteration or a whole sweep has to look at.
  std::size_t capacity() const noexcept { return slots_.capacity(); }

  /// Finds rows in a loop over a batch: what a search needs is kept in registers. It is good until
  /// anything but itself inserts into the table, and until `begin_snapshot`, `sweep`, `reset`, or a
  /// `trim` that does something.
  class finder {
   public:
    /// Fetches the slot where a key with this hash is likely to be. Worth it 16 records ahead.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const noexcept {
      const slot* first = place_.first(hash);
      __builtin_prefetch(first, 1);
      __builtin_prefetch(first + 1, 1);
    }

    /// The same where the row is likely to be erased, which looks at the slots behind it.
    void prefetch_erasure(std::uint64_t hash) const noexcept {
      const slot* first = place_.first(hash);
      for (int i = 0; i < 4; ++i) __builtin_prefetch(first + i, 1);
    }

    /// The row of `key`, safe to change; a new row has no value present.
    template <class K>
    [[gnu::always_inline]] std::byte* find_or_insert(const K& key, std::uint64_t hash) {
      for (slot* s = place_.first(hash);; ++s) {
        // One comparison for three rare cases: the slot is free, its row is not saved yet, or the
        // segment ends here.
        if (s->head().epoch < settled_) [[unlikely]] {
          std::byte* row = table_->find_or_insert_slowly(key, hash, s);
          *this = table_->make_finder();
          return row;
        }
        if (key_equal(s->key(), key)) [[likely]]
          return s->row;
      }
    }

   private:
    friend row_table;
    explicit finder(row_table& table)
        : table_{&table}, place_{table.slots_.place()}, settled_{table.settled_} {}

    row_table* table_;
    typename directory::placement place_;
    row_epoch settled_;
  };

  finder make_finder() noexcept { return finder{*this}; }

  /// The row of `key`, safe to change; a new row has no value present. In a loop use a `finder`.
  template <class K>
  std::byte* find_or_insert(const K& key, std::uint64_t hash) {
    return make_finder().find_or_insert(key, hash);
  }

  /// The row of `key`, safe to change; null when there is none.
  template <class K>
  std::byte* find(const K& key, std::uint64_t hash) {
    slot* found = search(key, hash);
    if (found == nullptr) return nullptr;
    save_before_change(*found, hash);
    return found->row;
  }

  /// The row of `key`, to look at only; null when there is none.
  template <class K>
  const std::byte* peek(const K& key, std::uint64_t hash) const {
    const slot* found = search(key, hash);
    return found == nullptr ? nullptr : found->row;
  }

  /// The key of a row of this table.
  static const Key& key_of(const std::byte* row) noexcept { return slot::of(row).key(); }

  /// Erases a row. @pre `hash` is the hash of its key
  [[gnu::noinline]] void erase(std::byte* row, std::uint64_t hash);

  /// Calls `use(const Key&, const std::byte* row)` for every row.
  template <class Use>
  void for_each(Use&& use) const {
    for_each_between(0, end_place, use);
  }

  /// The same for the rows in the places [begin, end) among all hashes, where a segment begins and
  /// where one ends: 0, `end_place`, or what `segment_end` gives.
  template <class Use>
  void for_each_between(std::uint64_t begin, std::uint64_t end, Use&& use) const;

  /// Where the segment ends that has `place`. Tables made for the same hashes may have one more or
  /// less often split, but never across: of two such segments one holds the other.
  std::uint64_t segment_end(std::uint64_t place) const noexcept {
    return slots_.place_of(slots_.end_of(slots_.index_at(place)));
  }
  static constexpr std::uint64_t end_place = std::uint64_t{1} << 32;

  /// The next row, safe to change, in an order that means nothing; null at the end. Each row comes
  /// once if, while the iteration pauses, nothing is inserted, and nothing erased but by
  /// `erase(cursor)`. Whatever else is done, it may go on: some rows may then come twice, or not at
  /// all; a `trim` makes some come twice, and leaves none out.
  std::byte* next(cursor& at);

  /// Erases the row that `next(at)` returned last; the iteration goes on behind it.
  /// @pre nothing else was done to the table since
  void erase(cursor& at);

  /// To be called when rows have been erased, once a batch for instance. Gives memory back if less
  /// than an eighth of the slots are in use, a piece in each call, which moves rows of at most one
  /// segment; else it costs nothing. True: something was done, finders and pointers to rows are no
  /// longer good, and another call may do more.
  bool trim() { return is_sparse() && trim_sparse(); }

  /// Erases all rows, a piece in each call: looks at up to about `slots` slots, and takes from
  /// `slots` at how many it looked. True: done; until then nothing else may be done to the table.
  /// Trivially copyable keys and values need no look. The memory stays for the next use, unless
  /// less than an eighth of it was in use. @pre !snapshotting()
  bool reset(std::size_t& slots) { return erase_all(slots, size_ >= capacity() / 8); }

  /// As `reset`, and gives all memory back.
  bool clear(std::size_t& slots) { return erase_all(slots, false); }

  /// Starts a snapshot of the table as it is now; one that is running is abandoned. The rows go to
  /// `out`, each as `row_prefix key row`, without those of which the layout says that there is
  /// nothing to write. `out` must live until the snapshot ends. O(1).
  void begin_snapshot(keyed_chunk_writer& out, std::string row_prefix = {},
                      write_options options = {});

  /// Looks at up to `slots` more slots for rows to save. Returns at how many it looked: fewer than
  /// asked only when the snapshot is complete.
  std::size_t sweep(std::size_t slots);

  /// True from `begin_snapshot` until the last of its rows is saved.
  bool snapshotting() const noexcept { return out_ != nullptr; }

  /// Abandons the snapshot that is running, if any.
  void abort_snapshot() noexcept {
    out_ = nullptr;
    settle();
  }

  /// Reads a row written by a snapshot, from behind its prefix, and returns it. Null when the bytes
  /// are damaged or the key is there already: then the table is good for nothing.
  std::byte* restore_row(byte_reader& in, const read_options& options = {});

 private:
  // Rows of this epoch are newer than the barrier or saved, so a slot whose epoch is lower than
  // `settled_` is free or has a row to be saved; one that is lower than `oldest_` is free.
  bool taken(const slot& s) const noexcept { return s.head().epoch >= oldest_; }
  bool unsaved(const slot& s) const noexcept { return s.head().epoch < settled_; }
  bool is_sparse() const noexcept {
    return size_ < capacity() / 8 && capacity() * sizeof(slot) > kept_bytes;
  }
  void settle() noexcept { settled_ = out_ == nullptr ? oldest_ : epoch_; }

  template <class K>
  slot* search(const K& key, std::uint64_t hash) const;
  template <class K>
  [[gnu::noinline]] std::byte* find_or_insert_slowly(const K& key, std::uint64_t hash, slot* at);
  [[gnu::noinline]] slot* make_room(std::uint64_t hash);
  void save_before_change(slot& s, std::uint64_t hash) {
    if (unsaved(s)) [[unlikely]]
      save(s, hash);
  }
  [[gnu::noinline]] void save(slot& s, std::uint64_t hash);
  void save_inline(slot& s, std::uint64_t hash);
  void save_rows(segment& in, std::size_t begin, std::size_t end);
  /// Lists the rows among `count` slots whose epochs are the first `epochs` ones from the oldest
  /// on. Without a branch for each: whether a slot is free cannot be foretold, and a wrong guess of
  /// the processor costs as much as saving a row.
  std::size_t list_rows(const slot* from, std::size_t count, std::uint32_t epochs,
                        std::uint16_t* found) const noexcept {
    std::size_t rows = 0;
    for (std::size_t i = 0; i < count; ++i) {
      found[rows] = static_cast<std::uint16_t>(i);
      const auto epoch = static_cast<std::uint32_t>(from[i].head().epoch);
      rows += epoch - static_cast<std::uint32_t>(oldest_) < epochs ? 1 : 0;
    }
    return rows;
  }
  void erase(segment& in, std::size_t hole);
  [[gnu::noinline]] bool trim_sparse();
  void raise_epoch();
  bool erase_all(std::size_t& slots, bool keep_memory);
  void destroy_rows() noexcept;

  // Rows that are listed at a time.
  static constexpr std::size_t most_listed = 256;
  // Tables smaller than this are not worth the trouble.
  static constexpr std::size_t kept_bytes = std::size_t{16} << 10;

  directory slots_;
  row_epoch settled_;
  row_epoch epoch_;
  row_epoch oldest_;
  std::size_t size_ = 0;
  std::uint64_t trim_place_ = 0;
  std::size_t erased_segments_ = 0;  // by a `reset` that is not done
  std::size_t erased_slots_ = 0;     // of the next segment

  keyed_chunk_writer* out_ = nullptr;
  std::string row_prefix_;
  write_options write_options_;
  std::uint64_t sweep_place_ = 0;    // of a segment; what lies before it is done
  std::uint32_t sweep_version_ = 0;  // of the segment when the sweep came to it
  std::size_t sweep_slot_ = 0;
};

}  // namespace weir::state

#include "weir/state/row_table_definitions.hpp"
