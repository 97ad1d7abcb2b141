// SPDX-License-Identifier: Apache-2.0
#include "weir/state/keyed_chunk_writer.hpp"

#include <algorithm>
#include <utility>

namespace weir::state {
namespace {

// The memory of a chunk: at first, and at last, when it has room for the row that makes it full.
constexpr std::size_t least_memory = std::size_t{1} << 10;
constexpr std::size_t most_memory = std::size_t{65} << 10;

// Many key groups, each with a chunk that is not full yet, must not hold the whole snapshot back.
constexpr std::size_t max_held_bytes = std::size_t{64} << 20;

}  // namespace

keyed_chunk_writer::keyed_chunk_writer(snapshot_stream& out, std::string section,
                                       std::uint32_t max_parallelism)
    : out_{&out}, section_{std::move(section)}, chunks_(max_parallelism) {}

/// Gives the open chunk memory for the row, and for more to come.
void keyed_chunk_writer::add_overflow() {
  auto& [memory, used] = *open_;
  const auto before = memory.size();
  const auto wanted = std::clamp(4 * before, least_memory, most_memory);
  memory.resize(std::max(wanted, used + overflow_.size()));
  overflow_.copy(memory.data() + used, overflow_.size());
  used += overflow_.size();
  overflow_.clear();
  held_bytes_ += memory.size() - before;
  if (held_bytes_ >= max_held_bytes) flush();
}

void keyed_chunk_writer::flush() {
  for (open_chunk& chunk : chunks_)
    if (chunk.used > 0) put(chunk);
}

void keyed_chunk_writer::put(open_chunk& chunk) {
  held_bytes_ -= chunk.memory.size();
  chunk.memory.resize(std::exchange(chunk.used, 0));
  out_->put({section_,
             key_group{static_cast<std::uint32_t>(&chunk - chunks_.data())},
             std::exchange(chunk.memory, {}),
             {}});
}

}  // namespace weir::state
