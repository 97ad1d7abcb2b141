// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/job_opening.hpp"

#include <utility>

#include "weir/checkpoint/state_folder.hpp"
#include "weir/core/codec.hpp"

namespace weir::actors::internal {
namespace {

result<split_lists> plan_splits(const job_blueprint& job, file_system& files) {
  split_lists lists;
  for (const auto& node : job.graph.nodes()) {
    if (!node.splits) continue;
    auto splits = node.splits(files);
    if (!splits) return std::move(splits).failure().within("source \"" + node.name + "\"");
    lists[node.uid] = *std::move(splits);
  }
  return lists;
}

result<checkpoint::restore_plan> plan_restore(const job_blueprint& job,
                                              const checkpoint::manifest& from) {
  auto plan = checkpoint::plan_restore(from, job.layouts(),
                                       job.options.allow_non_restored_state
                                           ? checkpoint::non_restored_state::allow
                                           : checkpoint::non_restored_state::refuse);
  if (!plan) {
    return std::move(plan).failure().within("checkpoint " + std::to_string(from.id.value));
  }
  return plan;
}

result<split_lists> read_splits(const job_blueprint& job, file_system& files,
                                const checkpoint::manifest& from) {
  auto plan = plan_restore(job, from);
  if (!plan) return std::move(plan).failure();
  restored_state restored{files, job.options.checkpoint_folder, *std::move(plan)};
  auto chunks = restored.unkeyed(split_lists_uid);
  if (!chunks) return std::move(chunks).failure();
  split_lists lists;
  for (const auto& chunk : *chunks) {
    auto list = decode<std::vector<std::string>>(chunk.bytes);
    if (!list) return std::move(list).failure().within("the list of splits");
    lists[chunk.section] = *std::move(list);
  }
  for (const auto& node : job.graph.nodes()) {
    if (!node.splits || lists.contains(node.uid)) continue;
    auto splits = node.splits(files);  // a source that the checkpoint does not know
    if (!splits) return std::move(splits).failure().within("source \"" + node.name + "\"");
    lists[node.uid] = *std::move(splits);
  }
  return lists;
}

}  // namespace

result<job_opening> open_job_folder(std::shared_ptr<const job_blueprint> job,
                                    const runtime_services& services) {
  job_opening opening;
  opening.job = job;
  auto& files = *services.files;
  if (job->options.checkpoint_folder.empty()) {
    auto splits = plan_splits(*opening.job, files);
    if (!splits) return std::move(splits).failure();
    opening.splits = *std::move(splits);
    return opening;
  }
  checkpoint::store_options options;
  options.owner = services.owner;
  options.mode = job->options.start == dataflow::start_mode::fresh ? checkpoint::start_mode::fresh
                                                                   : checkpoint::start_mode::resume;
  options.damaged = job->options.on_damaged == dataflow::damaged_checkpoint::previous
                        ? checkpoint::on_damaged::previous
                        : checkpoint::on_damaged::stop;
  auto store = checkpoint::checkpoint_store::open(files, job->options.checkpoint_folder, options);
  if (!store) return std::move(store).failure();
  opening.store = std::move(store->store);
  opening.kind = store->kind;
  opening.restored = std::move(store->restored);
  opening.warnings = std::move(store->warnings);
  if (opening.kind == checkpoint::start_kind::finished) return opening;
  if (opening.restored) {
    auto fitted = job->restored_from(*opening.restored);
    if (!fitted) return std::move(fitted).failure();
    opening.job = std::make_shared<const job_blueprint>(*std::move(fitted));
  }
  auto splits = opening.restored ? read_splits(*opening.job, files, *opening.restored)
                                 : plan_splits(*opening.job, files);
  if (!splits) return std::move(splits).failure();
  opening.splits = *std::move(splits);
  return opening;
}

result<attempt_basis> read_attempt_basis(const job_blueprint& job, const runtime_services& services,
                                         dataflow::incarnation current,
                                         const std::optional<checkpoint::manifest>& from) {
  attempt_basis basis;
  if (from) {
    auto plan = plan_restore(job, *from);
    if (!plan) return std::move(plan).failure();
    basis.restored = std::make_shared<restored_state>(
        *services.files, job.options.checkpoint_folder, *std::move(plan));
  }
  for (const auto& node : job.graph.nodes()) {
    if (!node.splits && !node.before_attempt) continue;
    state::restored_chunks chunks;
    if (basis.restored) {
      auto read = basis.restored->unkeyed(node.uid);
      if (!read) return std::move(read).failure();
      chunks = *std::move(read);
    }
    const auto named = [&node](error cause) {
      return std::move(cause).within("operator \"" + node.name + "\"");
    };
    if (node.splits) {
      auto progress = dataflow::split_progress::restore(chunks);
      if (!progress) return named(std::move(progress).failure());
      basis.progress[node.uid] = *std::move(progress);
    }
    if (!node.before_attempt) continue;
    const dataflow::attempt_start start{job.name, current, services.files, std::move(chunks)};
    if (auto done = node.before_attempt(start); !done) return named(std::move(done).failure());
  }
  return basis;
}

}  // namespace weir::actors::internal
