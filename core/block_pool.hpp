// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace weir {

/// A block of at least `bytes` bytes for the records of a batch, aligned to 64 bytes, its content
/// undefined. Comes from a pool of the process: blocks of 4 KiB to 1 MiB are rounded up to a power
/// of two and used again; larger ones come from the heap. Any thread.
/// Errors: throws std::bad_alloc, as `new` does.
void* allocate_block(std::size_t bytes);

/// Gives a block back. The pool keeps up to 64 free blocks and 16 MiB of each size; under
/// AddressSanitizer a use of a free block is reported. Any thread, also another than the one that
/// allocated.
/// @pre `block` is from `allocate_block(bytes)`, or null
void release_block(void* block, std::size_t bytes) noexcept;

/// How many free blocks for `bytes` the pool keeps now. For metrics and tests. Any thread.
std::size_t free_blocks(std::size_t bytes) noexcept;

}  // namespace weir
