// SPDX-License-Identifier: Apache-2.0
#include "weir/core/page_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

#include "weir/core/internal/sanitizers.hpp"

namespace weir {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t least_region = std::size_t{1} << 20;
constexpr std::size_t largest_region = std::size_t{64} << 20;
constexpr std::size_t worth_huge_pages = std::size_t{16} << 20;
constexpr std::size_t most_kept = 4;  // a table that grows gives one back and takes two

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

page_blocks::page_blocks(std::size_t block_bytes)
    : block_bytes_{rounded_up(block_bytes, page_size())} {}

page_blocks::~page_blocks() { clear(); }

void* page_blocks::take() {
  const auto kept = std::min_element(kept_.begin(), kept_.end(), std::less<void*>{});
  if (kept == kept_.end() && zeroed_.empty()) return carve();
  if (kept == kept_.end() || (!zeroed_.empty() && std::less<void*>{}(zeroed_.back(), *kept))) {
    void* const block = zeroed_.back();
    zeroed_.pop_back();
    internal::allow_use(block, block_bytes_);
    return block;
  }
  void* const block = *kept;
  kept_.erase(kept);
  internal::allow_use(block, block_bytes_);
  std::memset(block, 0, block_bytes_);
  return block;
}

void* page_blocks::carve() {
  if (regions_.empty() || regions_.back().bytes - carved_ < block_bytes_) add_region();
  // Every block has a place in the lists, so that giving it back needs no memory.
  kept_.reserve(most_kept);
  if (zeroed_.capacity() <= blocks_) zeroed_.reserve(2 * blocks_ + 2);
  ++blocks_;
  void* const block = regions_.back().begin + carved_;
  carved_ += block_bytes_;
  return block;
}

void page_blocks::add_region() {
  const auto wanted = std::clamp(reserved_, least_region, largest_region);
  const auto bytes = rounded_up(std::max(wanted, block_bytes_), huge_page);
  regions_.reserve(regions_.size() + 1);
  void* const mapped = mmap(nullptr, bytes + huge_page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc{};
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  const auto before = rounded_up(start, huge_page) - start;
  auto* const begin = static_cast<std::byte*>(mapped) + before;
  if (before > 0) munmap(mapped, before);
  if (before < huge_page) munmap(begin + bytes, huge_page - before);
  if (reserved_ >= worth_huge_pages) madvise(begin, bytes, MADV_HUGEPAGE);  // a wish
  regions_.push_back({begin, bytes});
  reserved_ += bytes;
  carved_ = 0;
}

void page_blocks::give_back(void* block) noexcept {
  if (kept_.size() < most_kept) {
    kept_.push_back(block);
  } else {
    if (madvise(block, block_bytes_, MADV_DONTNEED) != 0) std::memset(block, 0, block_bytes_);
    const auto at = std::lower_bound(zeroed_.begin(), zeroed_.end(), block, std::greater<void*>{});
    zeroed_.insert(at, block);
  }
  internal::forbid_use(block, block_bytes_);
}

void page_blocks::clear() noexcept {
  for (const auto& r : regions_) {
    internal::allow_use(r.begin, r.bytes);
    munmap(r.begin, r.bytes);
  }
  regions_.clear();
  kept_.clear();
  zeroed_.clear();
  reserved_ = carved_ = blocks_ = 0;
}

}  // namespace weir
