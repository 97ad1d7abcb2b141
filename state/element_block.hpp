// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace weir::state {

/// What stands in front of the elements of a block.
struct block_head {
  std::uint32_t references;
  std::uint32_t size;
  std::uint32_t capacity;
  bool timed;  ///< Each element has a time stamp.
};

/// A counted reference, one pointer wide, to elements that lie one behind the other in one piece of
/// memory; null when there are none. A list or map cell holds one, and each of its views another.
/// Elements are changed only where there is one reference: whoever changes shared ones works on a
/// copy, so that a view never changes. Time stamps are no part of what views show and change in
/// place. The references of a block are owned and used by one subtask.
///
/// Behind the elements there is room for an index of `Index::slots(capacity)` numbers, which does
/// for up to `Index::capacity(slots)` elements. It is lost, and its numbers are 0, when its size
/// changes.
template <class T, class Index>
class element_block {
  static_assert(std::is_copy_constructible_v<T>,
                "an element of a list or map state must be copyable: a view keeps it while the "
                "state changes");

 public:
  /// As many as can be counted and indexed.
  static constexpr std::size_t max_size = std::size_t{1} << 30;

  element_block() noexcept = default;
  element_block(const element_block& other) noexcept : head_{other.head_} {
    if (head_ != nullptr) ++head_->references;
  }
  element_block(element_block&& other) noexcept : head_{std::exchange(other.head_, nullptr)} {}
  element_block& operator=(element_block other) noexcept {
    std::swap(head_, other.head_);
    return *this;
  }
  ~element_block() {
    if (head_ != nullptr && --head_->references == 0) free_block();
  }

  std::size_t size() const noexcept { return head_ == nullptr ? 0 : head_->size; }
  std::size_t capacity() const noexcept { return head_ == nullptr ? 0 : head_->capacity; }
  bool timed() const noexcept { return head_ != nullptr && head_->timed; }

  /// Null when there is no block.
  const T* data() const noexcept {
    return head_ == nullptr ? nullptr : reinterpret_cast<const T*>(bytes() + first_element);
  }
  /// @pre the caller may change them: see `make_unique`
  T* data() noexcept { return const_cast<T*>(std::as_const(*this).data()); }

  /// One for each element. @pre timed()
  std::int64_t* stamps() const noexcept {
    return reinterpret_cast<std::int64_t*>(bytes() + stamps_at(head_->capacity));
  }

  /// @pre there is a block
  std::uint32_t* index() const noexcept {
    return reinterpret_cast<std::uint32_t*>(bytes() + index_at(head_->capacity, head_->timed));
  }

  /// Makes this the only reference to the elements. True when the index was lost.
  [[gnu::always_inline]] bool make_unique() {
    if (head_ == nullptr || head_->references == 1) [[likely]]
      return false;
    return move_to(head_->capacity);
  }

  /// Makes this the only reference, to a block with room for `more` elements. `timed`: whether a
  /// block that is made now has stamps. True when the index was lost.
  /// Errors: throws `std::length_error` beyond `max_size` elements.
  [[gnu::always_inline]] bool make_room(std::size_t more, bool timed) {
    if (head_ != nullptr && head_->references == 1 && head_->capacity - head_->size >= more)
        [[likely]]
      return false;
    return make_room_slowly(more, timed);
  }

  /// Puts an element behind the last one. @pre room was made for it
  template <class Element>
  T& append(Element&& element) {
    T* place = ::new (data() + head_->size) T(std::forward<Element>(element));
    ++head_->size;
    return *place;
  }

  /// Puts `count` elements of these bytes behind the last one.
  /// @pre room was made for them
  void append_bytes(const char* bytes, std::size_t count) noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(static_cast<void*>(data() + head_->size), bytes, count * sizeof(T));
    head_->size += static_cast<std::uint32_t>(count);
  }

  /// Removes the elements from number `size` on. @pre make_unique(), size <= size()
  void truncate(std::size_t size) noexcept {
    if (head_ == nullptr) return;
    std::destroy(data() + size, data() + head_->size);
    head_->size = static_cast<std::uint32_t>(size);
  }

  /// Keeps the elements for whose numbers `keep` holds, in their order; asks once for each, from
  /// the first on. Returns how many went; when none goes, nothing is written. The index is of no
  /// use when some went.
  template <class Keep>
  std::size_t keep_if(Keep keep);

  /// Gives memory back when three quarters are not in use. True when the index was lost.
  /// @pre make_unique()
  bool shrink() {
    if (head_ == nullptr || head_->capacity <= 16 || head_->size > head_->capacity / 4)
      return false;
    return move_to(grown(head_->size, head_->timed));
  }

 private:
  static constexpr std::size_t first_element = std::max(sizeof(block_head), alignof(T));
  static constexpr bool over_aligned = alignof(T) > alignof(std::max_align_t);
  static constexpr bool resizes_in_place = std::is_trivially_copyable_v<T> && !over_aligned;

  static constexpr std::size_t stamps_at(std::size_t capacity) {
    constexpr std::size_t align = alignof(std::int64_t);
    return (first_element + capacity * sizeof(T) + align - 1) / align * align;
  }
  static constexpr std::size_t index_at(std::size_t capacity, bool timed) {
    if (timed) return stamps_at(capacity) + capacity * sizeof(std::int64_t);
    constexpr std::size_t align = alignof(std::uint32_t);
    return (first_element + capacity * sizeof(T) + align - 1) / align * align;
  }
  static std::size_t bytes_for(std::size_t capacity, bool timed) {
    return index_at(capacity, timed) + Index::slots(capacity) * sizeof(std::uint32_t);
  }

  /// A capacity for `wanted` elements that fills what the allocator hands out: 16n + 8 bytes.
  static std::size_t grown(std::size_t wanted, bool timed) {
    const auto bytes = bytes_for(wanted, timed);
    const auto spare = (bytes + 7) / 16 * 16 + 8 - bytes;
    const auto more = wanted + spare / (sizeof(T) + (timed ? sizeof(std::int64_t) : 0));
    return Index::slots(more) == Index::slots(wanted) ? more : wanted;
  }

  /// A capacity from `wanted` to `ample`; as much as can be without a larger index.
  static std::size_t ample(std::size_t wanted, std::size_t ample) {
    const auto most = Index::capacity(Index::slots(wanted));
    return std::max(wanted, std::min({ample, most, max_size}));
  }

  static block_head* allocate(std::size_t capacity, bool timed) {
    auto bytes = bytes_for(capacity, timed);
    if (over_aligned) bytes = (bytes + alignof(T) - 1) / alignof(T) * alignof(T);
    void* memory = over_aligned ? std::aligned_alloc(alignof(T), bytes) : std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc{};
    return ::new (memory) block_head{1, 0, static_cast<std::uint32_t>(capacity), timed};
  }

  explicit element_block(block_head* head) noexcept : head_{head} {}

  std::byte* bytes() const noexcept { return reinterpret_cast<std::byte*>(head_); }

  [[gnu::noinline]] void free_block() noexcept {
    std::destroy(data(), data() + head_->size);
    std::free(head_);
  }

  [[gnu::noinline]] bool make_room_slowly(std::size_t more, bool timed) {
    const auto had = capacity(), wanted = size() + more;
    if (more > max_size || wanted > max_size)
      throw std::length_error{"a list or map of one key cannot hold more than 2^30 elements"};
    if (head_ == nullptr) {
      *this = element_block{allocate(grown(wanted, timed), timed)};
      return clear_index();
    }
    if (wanted <= had) return move_to(had);
    return move_to(grown(ample(wanted, had + had / 2), head_->timed));
  }

  bool clear_index() noexcept {
    const auto slots = Index::slots(head_->capacity);
    if (slots > 0) std::memset(index(), 0, slots * sizeof(std::uint32_t));
    return slots > 0;
  }

  /// Makes this the only reference, to a block of this capacity. True when the index was lost.
  bool move_to(std::size_t capacity);
  void resize_in_place(std::size_t capacity, std::size_t slots);

  block_head* head_ = nullptr;
};

template <class T, class Index>
bool element_block<T, Index>::move_to(std::size_t capacity) {
  const bool shared = head_->references > 1;
  const auto slots = Index::slots(capacity);
  const bool keeps_index = slots == Index::slots(head_->capacity);
  if (resizes_in_place && !shared) {
    resize_in_place(capacity, keeps_index ? slots : 0);
  } else {
    element_block to{allocate(capacity, head_->timed)};
    for (std::size_t i = 0; i < head_->size; ++i) {
      if (shared)
        to.append(std::as_const(data()[i]));
      else
        to.append(std::move_if_noexcept(data()[i]));
    }
    if (head_->timed) std::copy_n(stamps(), head_->size, to.stamps());
    if (keeps_index) std::copy_n(index(), slots, to.index());
    std::swap(head_, to.head_);
  }
  return !keeps_index && clear_index();
}

/// Keeps the elements, their stamps and the first `slots` numbers of the index.
template <class T, class Index>
void element_block<T, Index>::resize_in_place(std::size_t capacity, std::size_t slots) {
  const auto old = std::exchange(head_->capacity, static_cast<std::uint32_t>(capacity));
  const bool timed = head_->timed;
  const auto move_stamps = [&] {
    if (timed)
      std::memmove(bytes() + stamps_at(capacity), bytes() + stamps_at(old),
                   head_->size * sizeof(std::int64_t));
  };
  const auto move_index = [&] {
    std::memmove(bytes() + index_at(capacity, timed), bytes() + index_at(old, timed),
                 slots * sizeof(std::uint32_t));
  };
  if (capacity < old) move_stamps(), move_index();
  void* memory = std::realloc(head_, bytes_for(capacity, timed));
  if (memory == nullptr) throw std::bad_alloc{};
  head_ = static_cast<block_head*>(memory);
  if (capacity > old) move_index(), move_stamps();
}

template <class T, class Index>
template <class Keep>
std::size_t element_block<T, Index>::keep_if(Keep keep) {
  const std::size_t count = size();
  std::size_t kept = 0;
  while (kept < count && keep(kept)) ++kept;
  if (kept == count) return 0;

  if (head_->references > 1) {
    element_block to{allocate(head_->capacity, head_->timed)};
    const auto copy = [&](std::size_t i) {
      to.append(std::as_const(data()[i]));
      if (head_->timed) to.stamps()[to.size() - 1] = stamps()[i];
    };
    for (std::size_t i = 0; i < kept; ++i) copy(i);
    for (std::size_t i = kept + 1; i < count; ++i)
      if (keep(i)) copy(i);
    *this = std::move(to);
  } else {
    const auto keep_one = [&](std::size_t i) {
      data()[kept] = std::move(data()[i]);
      if (head_->timed) stamps()[kept] = stamps()[i];
      ++kept;
    };
    std::size_t i = kept + 1;
    try {
      for (; i < count; ++i)
        if (keep(i)) keep_one(i);
    } catch (...) {
      for (; i < count; ++i) keep_one(i);
      truncate(kept);
      clear_index();
      throw;
    }
    truncate(kept);
  }
  clear_index();
  return count - size();
}

}  // namespace weir::state
