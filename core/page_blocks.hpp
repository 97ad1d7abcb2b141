// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace weir {

/// Blocks of one size for a large table, made of zero bytes. From 16 MiB on they lie on huge pages
/// if the system has them: random accesses to hundreds of megabytes are up to three times as fast
/// then. All but a few of the blocks that are given back lose their memory at once; they are handed
/// out again in the order of their addresses, so that the rest of the memory can be let go of.
/// Owned and used by one thread at a time.
class page_blocks {
 public:
  /// @pre block_bytes > 0
  explicit page_blocks(std::size_t block_bytes);
  page_blocks(const page_blocks&) = delete;
  page_blocks& operator=(const page_blocks&) = delete;
  ~page_blocks();

  /// A block of zero bytes, aligned to a page.
  /// Errors: throws std::bad_alloc.
  void* take();

  /// @pre `block` is from `take` and was not given back
  void give_back(void* block) noexcept;

  /// Gives all memory back. No block that was taken may be used any more.
  void clear() noexcept;

 private:
  struct region {
    std::byte* begin;
    std::size_t bytes;
  };

  void* carve();
  void add_region();

  std::size_t block_bytes_;
  std::vector<region> regions_;
  std::size_t reserved_ = 0;   // bytes of all regions
  std::size_t carved_ = 0;     // bytes of the last region
  std::size_t blocks_ = 0;     // carved so far
  std::vector<void*> kept_;    // given back, with whatever is in them
  std::vector<void*> zeroed_;  // given back, without memory; the lowest address is the last
};

}  // namespace weir
