// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/restored_state.hpp"

#include <utility>

#include "weir/checkpoint/state_folder.hpp"

namespace weir::actors::internal {
namespace {

/// The unkeyed chunks of an operator, and what its subtasks have made of them.
class cached_chunks final : public state::shared_chunks {
 public:
  using shared_chunks::shared_chunks;

  std::any derived(const std::string& what, const std::function<std::any()>& make) const override {
    const std::lock_guard lock{guard_};
    auto& known = made_[what];
    if (!known.has_value()) known = make();
    return known;
  }

 private:
  mutable std::mutex guard_;
  mutable std::map<std::string, std::any> made_;
};

void append(std::vector<state::snapshot_chunk>& to, std::vector<state::snapshot_chunk> more,
            subtask_index from) {
  for (auto& chunk : more) {
    chunk.from = from;
    to.push_back(std::move(chunk));
  }
}

}  // namespace

restored_state::restored_state(file_system& files, std::string folder,
                               checkpoint::restore_plan plan)
    : files_{&files}, folder_{std::move(folder)}, plan_{std::move(plan)} {
  for (const auto& op : plan_.operators) {
    operators_[op.uid];
    for (const auto& source : op.files) contents_[source.file.path];
  }
}

result<state::restored_chunks> restored_state::take(const std::string& uid, subtask_index subtask) {
  const auto* op = plan_.find(uid);
  if (op == nullptr) return state::restored_chunks{};
  const auto groups = op->groups_of(subtask);
  std::vector<state::snapshot_chunk> keyed;
  for (const auto& source : op->files) {
    if (!op->has_groups_of(subtask, source)) continue;
    auto done = with_part(source, uid, [&](part& found) {
      const auto end = found.keyed.upper_bound(groups.last);
      auto next = found.keyed.lower_bound(groups.first);
      while (next != end) {
        append(keyed, std::move(next->second), source.from);
        next = found.keyed.erase(next);
      }
    });
    if (!done) return std::move(done).failure();
  }
  auto shared = unkeyed_of(*op);
  if (!shared) return std::move(shared).failure();
  return state::restored_chunks{std::move(keyed), *std::move(shared), op->former_parallelism};
}

result<state::restored_chunks> restored_state::unkeyed(const std::string& uid) {
  const auto* op = plan_.find(uid);
  if (op == nullptr) return state::restored_chunks{};
  auto shared = unkeyed_of(*op);
  if (!shared) return std::move(shared).failure();
  return state::restored_chunks{{}, *std::move(shared), op->former_parallelism};
}

result<std::shared_ptr<const state::shared_chunks>> restored_state::unkeyed_of(
    const checkpoint::operator_restore& op) {
  auto& content = operators_.at(op.uid);
  const std::lock_guard lock{content.guard};
  if (content.unkeyed) return content.unkeyed;
  std::vector<state::snapshot_chunk> all;
  for (const auto& source : op.files) {
    if (!source.file.unkeyed) continue;
    auto done = with_part(source, op.uid, [&](part& found) {
      append(all, std::exchange(found.unkeyed, {}), source.from);
    });
    if (!done) return std::move(done).failure();
  }
  content.unkeyed = std::make_shared<cached_chunks>(std::move(all));
  return content.unkeyed;
}

template <class Use>
status restored_state::with_part(const checkpoint::restore_file& source, const std::string& uid,
                                 Use use) {
  if (source.file.kind != checkpoint::file_kind::chunks) return {};
  auto& content = contents_.at(source.file.path);
  const std::lock_guard lock{content.guard};
  if (!content.is_read) {
    content.is_read = true;
    content.outcome = read(content, source.file);
  }
  if (content.outcome) use(content.parts[uid]);
  return content.outcome;
}

status restored_state::read(file_content& content, const checkpoint::state_file& file) {
  const auto keep = [&](const checkpoint::state_chunk_view& chunk) {
    const std::string uid{chunk.uid};
    if (!operators_.contains(uid)) return;
    auto& found = content.parts[uid];
    auto& chunks = chunk.group ? found.keyed[*chunk.group] : found.unkeyed;
    chunks.push_back({std::string{chunk.section}, chunk.group, std::string{chunk.bytes}, {}});
  };
  return checkpoint::read_state_chunks(*files_, folder_, file, keep);
}

}  // namespace weir::actors::internal
