// SPDX-License-Identifier: Apache-2.0
#include "weir/core/block_pool.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <new>

#include "weir/core/internal/sanitizers.hpp"

namespace weir {
namespace {

constexpr std::align_val_t alignment{64};
constexpr unsigned smallest_bits = 12;  // 4 KiB
constexpr unsigned largest_bits = 20;   // 1 MiB
constexpr std::size_t largest_block = std::size_t{1} << largest_bits;
constexpr std::size_t most_kept_blocks = 64;
constexpr std::size_t most_kept_bytes = std::size_t{16} << 20;

void* new_block(std::size_t bytes) { return ::operator new(bytes, alignment); }

void delete_block(void* block) noexcept { ::operator delete(block, alignment); }

/// The free blocks of one size. On cache lines of its own: sizes do not slow each other down.
class alignas(64) size_class {
 public:
  /// A free block, or null if there is none.
  void* take(std::size_t bytes) noexcept {
    void* block = nullptr;
    {
      const std::lock_guard hold{mutex_};
      if (count_ == 0) return nullptr;
      block = free_[--count_];
    }
    internal::allow_use(block, bytes);
    return block;
  }

  /// False if there are enough already.
  bool keep(void* block, std::size_t bytes) noexcept {
    const std::lock_guard hold{mutex_};
    if (count_ == std::min(most_kept_blocks, most_kept_bytes / bytes)) return false;
    internal::forbid_use(block, bytes);
    free_[count_++] = block;
    return true;
  }

  std::size_t count() noexcept {
    const std::lock_guard hold{mutex_};
    return count_;
  }

 private:
  std::mutex mutex_;
  // Guarded by mutex_; the last in is the first out, for it is the likeliest to be in the cache:
  std::size_t count_ = 0;
  std::array<void*, most_kept_blocks> free_{};
};

using size_classes = std::array<size_class, largest_bits - smallest_bits + 1>;

/// The power of two, from 4 KiB on, that holds `bytes`, as its exponent.
unsigned bits_for(std::size_t bytes) noexcept {
  return std::max<unsigned>(smallest_bits, bytes < 2 ? 0 : std::bit_width(bytes - 1));
}

size_class& class_of(unsigned bits) {
  // Never destroyed: batches may be released by destructors that run at the end of the process.
  static size_classes& classes = *new size_classes;
  return classes[bits - smallest_bits];
}

}  // namespace

void* allocate_block(std::size_t bytes) {
  if (bytes > largest_block) return new_block(bytes);
  const unsigned bits = bits_for(bytes);
  const std::size_t rounded = std::size_t{1} << bits;
  void* block = class_of(bits).take(rounded);
  return block != nullptr ? block : new_block(rounded);
}

void release_block(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return;
  if (bytes <= largest_block) {
    const unsigned bits = bits_for(bytes);
    if (class_of(bits).keep(block, std::size_t{1} << bits)) return;
  }
  delete_block(block);
}

std::size_t free_blocks(std::size_t bytes) noexcept {
  return bytes > largest_block ? 0 : class_of(bits_for(bytes)).count();
}

}  // namespace weir
