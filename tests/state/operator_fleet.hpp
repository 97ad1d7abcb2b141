// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/log.hpp"
#include "weir/state/operator_state_store.hpp"

namespace weir::testing {

/// What an operator's subtasks share, in one thread; counts what is made.
class counted_chunks final : public state::shared_chunks {
 public:
  using shared_chunks::shared_chunks;

  std::any derived(const std::string& what, const std::function<std::any()>& make) const override {
    auto& known = made_[what];
    if (!known.has_value()) known = make();
    return known;
  }

 private:
  mutable std::map<std::string, std::any> made_;
};

/// A snapshot in memory, with the digests of broadcast states.
class operator_snapshot final : public state::snapshot_stream {
 public:
  void put(state::snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }
  void put_digest(const std::string& state, std::uint64_t digest) override {
    digests[state] = digest;
  }

  std::vector<state::snapshot_chunk> chunks;
  std::map<std::string, std::uint64_t> digests;
};

class kept_log final : public log_sink {
 public:
  void write(const log_record& record) override { lines.push_back(record.message); }

  std::vector<std::string> lines;
};

/// The stores of all subtasks of an operator called "op".
class operator_fleet {
 public:
  explicit operator_fleet(std::uint32_t parallelism) {
    for (std::uint32_t i = 0; i < parallelism; ++i)
      stores_.push_back(std::make_unique<state::operator_state_store>());
  }

  state::operator_state_store& operator[](std::size_t subtask) { return *stores_[subtask]; }
  std::size_t size() const { return stores_.size(); }

  /// The chunks of a snapshot of all.
  std::vector<state::snapshot_chunk> snapshot() {
    std::vector<state::snapshot_chunk> all;
    for (std::uint32_t i = 0; i < stores_.size(); ++i) {
      operator_snapshot taken;
      stores_[i]->begin_snapshot(taken);
      while (stores_[i]->snapshotting()) stores_[i]->sweep(3);
      for (auto& chunk : taken.chunks) {
        chunk.from = {i};
        all.push_back(std::move(chunk));
      }
    }
    return all;
  }

  /// The first error, if there is one.
  status restore(std::vector<state::snapshot_chunk> chunks, std::uint32_t former) {
    const auto shared = std::make_shared<const counted_chunks>(std::move(chunks));
    for (std::uint32_t i = 0; i < stores_.size(); ++i) {
      const auto parallelism = static_cast<std::uint32_t>(stores_.size());
      auto done = stores_[i]->restore({{}, shared, former}, {i}, parallelism, log, "op");
      if (!done) return done;
    }
    return {};
  }

  /// The operator after a restart with `parallelism`.
  operator_fleet restarted(std::uint32_t parallelism) {
    operator_fleet next{parallelism};
    next.outcome = next.restore(snapshot(), static_cast<std::uint32_t>(stores_.size()));
    return next;
  }

  kept_log log;
  status outcome;

 private:
  std::vector<std::unique_ptr<state::operator_state_store>> stores_;
};

/// The elements of a list, or the entries of a map.
template <class List>
auto all_of(const List& list) {
  const auto elements = list.get();
  return std::vector<typename List::value_type>{elements.begin(), elements.end()};
}

}  // namespace weir::testing
