// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/prepared_commits.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "weir/core/codec.hpp"

namespace weir::dataflow {
namespace {

constexpr const char* section = "prepared";

using stored_entry = std::pair<checkpoint_id, committables>;

result<stored_entry> read(const state::snapshot_chunk& chunk) {
  auto stored = decode<stored_entry>(chunk.bytes);
  if (!stored) return std::move(stored).failure().within("what a sink has prepared");
  return stored;
}

void append(committables& to, const committables& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

status prepared_commits::restore(const state::restored_chunks& chunks, subtask_index self,
                                 std::uint32_t parallelism) {
  for (const auto& chunk : chunks) {
    if (chunk.section != section || chunk.from.value % parallelism != self.value) continue;
    auto stored = read(chunk);
    if (!stored) return std::move(stored).failure();
    auto& known = entries_[stored->first];
    if (!known) known = std::make_shared<committables>();
    append(*known, stored->second);
  }
  return {};
}

result<committables> prepared_commits::read_all(const state::restored_chunks& chunks) {
  committables all;
  for (const auto& chunk : chunks) {
    if (chunk.section != section) continue;
    auto stored = read(chunk);
    if (!stored) return std::move(stored).failure();
    append(all, stored->second);
  }
  return all;
}

snapshot_work prepared_commits::add(checkpoint_id id,
                                    std::function<result<committables>()> prepare) {
  // Only the works look into what is not complete yet: an earlier one may still be running.
  auto now = entries_[id] = std::make_shared<committables>();
  return [prepare = std::move(prepare), now = std::move(now),
          all = entries_]() -> result<std::vector<state::snapshot_chunk>> {
    auto made = prepare();
    if (!made) return std::move(made).failure();
    *now = *std::move(made);
    std::vector<state::snapshot_chunk> chunks;
    for (const auto& [checkpoint, prepared] : all) {
      if (prepared->empty()) continue;
      chunks.push_back({section, std::nullopt, encode(stored_entry{checkpoint, *prepared}), {}});
    }
    return chunks;
  };
}

committables prepared_commits::take(checkpoint_id id) {
  committables due;
  const auto end = entries_.upper_bound(id);
  for (auto next = entries_.upper_bound(given_); next != entries_.end() && next != end; ++next) {
    append(due, *next->second);
  }
  given_ = std::max(given_, id);
  return due;
}

void prepared_commits::committed(checkpoint_id id) {
  entries_.erase(entries_.begin(), entries_.upper_bound(std::min(id, given_)));
}

}  // namespace weir::dataflow
