// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/file_sink_writer.hpp"

#include <utility>

namespace weir::connectors {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{64} << 10;

}  // namespace

status file_sink_cut::sync(file_system& files) {
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    auto& [file, rest] = ended_[i];
    if (!rest.empty()) {
      if (auto appended = file->append(rest); !appended) return appended;
    }
    if (auto synced = file->sync(); !synced) return synced;
  }
  const bool any = !ended_.empty();
  ended_.clear();
  return any ? files.sync_folder(folder_) : status{};
}

file_sink_writer::file_sink_writer(file_system& files, file_sink_options options,
                                   const dataflow::incarnation& attempt, subtask_index subtask)
    : files_{&files}, options_{std::move(options)}, next_{attempt, subtask, 0} {
  ended_.folder_ = options_.folder;
}

status file_sink_writer::write(std::string_view row) {
  if (failure_) return *failure_;
  if (!current_) {
    if (auto opened = open_next(); !opened) return opened;
  }
  buffer_.append(row).push_back('\n');
  current_bytes_ += row.size() + 1;
  if (current_bytes_ >= options_.roll_bytes) {
    end_current();
    return {};
  }
  return buffer_.size() < buffer_bytes ? status{} : flush();
}

result<file_sink_cut> file_sink_writer::cut() {
  if (failure_) return *failure_;
  if (current_) end_current();
  file_sink_cut next;
  next.folder_ = options_.folder;
  return std::exchange(ended_, std::move(next));
}

result<std::vector<pending_file>> file_sink_writer::prepare_commit() {
  auto ended = cut();
  if (!ended) return std::move(ended).failure();
  if (auto synced = ended->sync(*files_); !synced)
    return fail(std::move(synced).failure()).failure();
  return ended->pending();
}

status file_sink_writer::open_next() {
  auto paths = paths_of(options_, next_);
  // Found now, before rows are written that could never be committed.
  const auto taken = files_->exists(paths.final_path);
  if (!taken) return fail(taken.failure());
  if (*taken) {
    return fail({errc::already_exists,
                 paths.final_path +
                     " was written by another run of this job: its checkpoints are gone, so choose "
                     "another folder or move the old files away"});
  }
  auto file = files_->create(paths.pending_path);
  if (!file) return fail(std::move(file).failure());
  current_ = *std::move(file);
  current_bytes_ = 0;
  ended_.pending_.push_back(std::move(paths));
  ++next_.sequence;
  return {};
}

status file_sink_writer::flush() {
  auto appended = current_->append(buffer_);
  buffer_.clear();
  return appended ? status{} : fail(std::move(appended).failure());
}

void file_sink_writer::end_current() {
  ended_.ended_.push_back({std::move(current_), std::exchange(buffer_, {})});
}

status file_sink_writer::fail(error reason) {
  failure_ = std::move(reason);
  current_.reset();
  return *failure_;
}

}  // namespace weir::connectors
