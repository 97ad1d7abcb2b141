// SPDX-License-Identifier: Apache-2.0
#include "weir/state/keyed_chunk_writer.hpp"

#include <utility>

#include "weir/core/key_groups.hpp"

namespace weir::state {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} << 10;

// Many key groups, each with a chunk that is not full yet, must not hold the whole snapshot back.
constexpr std::size_t max_held_bytes = std::size_t{64} << 20;

}  // namespace

keyed_chunk_writer::keyed_chunk_writer(snapshot_stream& out, std::string section,
                                       std::uint32_t max_parallelism)
    : out_{&out}, section_{std::move(section)}, groups_(max_parallelism) {}

std::string& keyed_chunk_writer::begin_row(std::uint64_t hash) {
  open_ = key_group_of(hash, static_cast<std::uint32_t>(groups_.size())).value;
  size_before_ = groups_[open_].size();
  return groups_[open_];
}

void keyed_chunk_writer::end_row() {
  ++rows_;
  const auto size = groups_[open_].size();
  held_bytes_ += size - size_before_;
  if (size >= chunk_bytes)
    put(open_);
  else if (held_bytes_ >= max_held_bytes)
    flush();
}

void keyed_chunk_writer::drop_row() { groups_[open_].resize(size_before_); }

void keyed_chunk_writer::flush() {
  for (std::size_t group = 0; group < groups_.size(); ++group)
    if (!groups_[group].empty()) put(group);
}

void keyed_chunk_writer::put(std::size_t group) {
  held_bytes_ -= groups_[group].size();
  out_->put({section_,
             key_group{static_cast<std::uint32_t>(group)},
             std::exchange(groups_[group], {}),
             {}});
}

}  // namespace weir::state
