// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/checkpoint/checkpoint_store.hpp"
#include "weir/checkpoint/restore_plan.hpp"
#include "weir/checkpoint/state_file_writer.hpp"
#include "weir/checkpoint/state_folder.hpp"

namespace weir::checkpoint {

inline const std::string folder = "/data/job";

inline store_options options_of(const std::string& owner) {
  store_options options;
  options.owner = owner;
  return options;
}

/// Writes the state of the one operator "count" for `id`: two subtasks, each with one number.
/// Errors: those of the files.
inline result<manifest> write_state(file_system& files, epoch_id epoch, checkpoint_id id,
                                    std::uint64_t count, const std::string& where = folder) {
  manifest content{.job_name = "job", .id = id, .epoch = epoch, .attempt = {1}};
  operator_state part{.uid = "count", .parallelism = 2, .max_parallelism = 8};
  const state_folder states{files, where, epoch, {1}};
  for (std::uint32_t index = 0; index < 2; ++index) {
    state_file_writer writer;
    writer.put("count", {.section = "n", .group = {}, .bytes = std::to_string(count)});
    writer.finish();
    auto file = states.create(id, state_file_name({.task = 0, .index = {index}}));
    if (!file) return std::move(file).failure();
    if (auto added = (*file)->append(writer.take()); !added) return std::move(added).failure();
    auto written = (*file)->close();
    if (!written) return std::move(written).failure();
    const auto named = name_contents(writer.contents(), *written);
    part.subtasks.push_back({.subtask = {index}, .files = named.front().files});
  }
  content.operators.push_back(std::move(part));
  return content;
}

/// Makes checkpoint `id`, complete with files. Errors: those of the steps.
inline status make_checkpoint(file_system& files, checkpoint_store& store, checkpoint_id id,
                              std::uint64_t count = 0, const std::string& where = folder) {
  if (auto recorded = store.record_last_id(id); !recorded) return recorded;
  auto content = write_state(files, store.epoch(), id, count, where);
  if (!content) return std::move(content).failure();
  return store.publish(*content);
}

/// The number that subtask 0 of "count" finds when it starts from `from`; 0 if it cannot.
inline std::uint64_t restored_count(file_system& files, const manifest& from) {
  const auto plan = plan_restore(from, {{.uid = "count", .parallelism = 1, .max_parallelism = 8}});
  if (!plan) return 0;
  std::vector<std::string> counts;
  for (const auto& source : plan->operators.front().files) {
    auto read = read_state_chunks(
        files, folder, source.file,
        [&counts](const state_chunk_view& chunk) { counts.emplace_back(chunk.bytes); });
    if (!read) return 0;
  }
  return counts.size() == 2 ? std::stoull(counts.front()) : 0;
}

/// The paths below the checkpoint folder of all files there are.
inline std::set<std::string> all_files(file_system& files, const std::string& below = "") {
  std::set<std::string> found;
  const auto at = folder + (below.empty() ? "" : "/" + below);
  const auto names = files.list(at);
  if (!names) return found;
  for (const auto& name : *names) {
    const auto path = below.empty() ? name : below + "/" + name;
    const auto deeper = files.is_folder(folder + "/" + path);
    if (deeper && *deeper) {
      found.merge(all_files(files, path));
    } else {
      found.insert(path);
    }
  }
  return found;
}

/// The paths of the files that `content` names.
inline std::set<std::string> named_files(const manifest& content) {
  std::set<std::string> named;
  for (const auto& part : content.operators) {
    for (const auto& subtask : part.subtasks) {
      for (const auto& file : subtask.files) named.insert(file.path);
    }
  }
  return named;
}

/// What of `files` lies in the folders of checkpoints.
inline std::set<std::string> state_files(file_system& files) {
  std::set<std::string> found;
  for (const auto& path : all_files(files)) {
    if (path.compare(0, 4, "chk-") == 0) found.insert(path);
  }
  return found;
}

}  // namespace weir::checkpoint
