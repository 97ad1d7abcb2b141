// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "weir/core/page_blocks.hpp"
#include "weir/state/row_head.hpp"

namespace weir::state {

/// A place for one key and its row. The key lives while `head().epoch` says that the slot is taken.
template <class Key, class Layout>
struct row_slot {
  alignas(Key) std::byte key_bytes[sizeof(Key)];
  alignas(Layout::alignment) std::byte row[Layout::size];

  row_head& head() noexcept { return head_of(row); }
  const row_head& head() const noexcept { return head_of(row); }

  const Key& key() const noexcept { return *std::launder(reinterpret_cast<const Key*>(key_bytes)); }

  static row_slot& of(std::byte* row) noexcept {
    return *reinterpret_cast<row_slot*>(row - offsetof(row_slot, row));
  }
  static const row_slot& of(const std::byte* row) noexcept {
    return *reinterpret_cast<const row_slot*>(row - offsetof(row_slot, row));
  }

  static constexpr bool trivial = std::is_trivially_copyable_v<Key> && Layout::trivial;

  /// Destroys key and values; the head stays.
  void destroy() noexcept {
    if constexpr (!trivial) {
      Layout::destroy(row);
      std::destroy_at(const_cast<Key*>(&key()));
    }
  }

  /// Moves what is in `from` here. This slot must be free, and `from` is free afterwards.
  void take(row_slot& from) noexcept {
    if constexpr (trivial) {
      std::memcpy(static_cast<void*>(this), &from, sizeof from);
    } else {
      ::new (key_bytes) Key(std::move(const_cast<Key&>(from.key())));
      std::destroy_at(const_cast<Key*>(&from.key()));
      Layout::relocate(from.row, row);
    }
    from.head().epoch = row_epoch::none;
  }
};

struct free_slots {
  page_blocks* from = nullptr;  ///< null: the heap

  void operator()(void* memory) const noexcept {
    if (from != nullptr)
      from->give_back(memory);
    else
      std::free(memory);
  }
};

template <class Slot>
using slot_array = std::unique_ptr<Slot[], free_slots>;

/// `count` slots, all free. Fresh pages of the operating system are zero and are not touched.
template <class Slot>
slot_array<Slot> make_slots(std::size_t count) {
  void* memory = nullptr;
  if constexpr (alignof(Slot) <= alignof(std::max_align_t)) {
    memory = std::calloc(count, sizeof(Slot));
  } else {
    memory = std::aligned_alloc(alignof(Slot), count * sizeof(Slot));
    if (memory != nullptr) std::memset(memory, 0, count * sizeof(Slot));
  }
  if (memory == nullptr) throw std::bad_alloc{};
  return slot_array<Slot>{static_cast<Slot*>(memory)};
}

/// As many slots as a block of `from` has room for, all free.
template <class Slot>
slot_array<Slot> make_slots(page_blocks& from) {
  return slot_array<Slot>{static_cast<Slot*>(from.take()), free_slots{&from}};
}

}  // namespace weir::state
