// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/checkpoint_store.hpp"

#include <algorithm>
#include <variant>

#include "weir/checkpoint/internal/layout.hpp"
#include "weir/checkpoint/internal/log_record.hpp"
#include "weir/checkpoint/internal/record_log.hpp"
#include "weir/checkpoint/internal/store_opening.hpp"

namespace weir::checkpoint {

namespace {

/// How often a start takes the next number after the one it wanted was taken.
constexpr int claim_attempts = 100;

error invalid(std::string message) { return {errc::invalid_argument, std::move(message)}; }

error taken_over(const std::string& folder) {
  return {errc::fenced, "checkpoint folder '" + folder + "': a newer coordinator has taken over"};
}

status check_options(const store_options& options) {
  if (!internal::is_plain_name(options.owner)) {
    return invalid("checkpoint store: '" + options.owner + "' cannot name its owner");
  }
  if (options.kept_epochs == 0) return invalid("checkpoint store: kept_epochs must be at least 1");
  return {};
}

/// Success also if there was none.
status remove_file(file_system& files, const std::string& path) {
  auto removed = files.remove(path);
  if (!removed && removed.failure().code() == errc::not_found) return {};
  return removed;
}

std::set<std::string> files_of(const manifest& content) {
  std::set<std::string> paths;
  for (const auto& part : content.operators) {
    for (const auto& subtask : part.subtasks) {
      for (const auto& file : subtask.files) paths.insert(file.path);
    }
  }
  return paths;
}

/// Whether the log has got records since it was read.
bool has_moved(const internal::record_log& log) {
  const auto numbers = log.numbers();
  return numbers && !numbers->empty() && numbers->back() > log.highest();
}

}  // namespace

checkpoint_store::checkpoint_store(file_system& files, std::string folder, std::size_t kept_epochs,
                                   std::unique_ptr<internal::record_log> log)
    : files_{&files}, folder_{std::move(folder)}, kept_epochs_{kept_epochs}, log_{std::move(log)} {}

checkpoint_store::~checkpoint_store() = default;

result<opened_store> checkpoint_store::open(file_system& files, const std::string& folder,
                                            const store_options& options) {
  if (auto fine = check_options(options); !fine) return std::move(fine).failure();
  if (auto usable = internal::prepare_folders(files, folder); !usable) {
    return std::move(usable).failure().within("checkpoint folder '" + folder + "' cannot be used");
  }
  std::unique_ptr<checkpoint_store> store{new checkpoint_store{
      files, folder, options.kept_epochs,
      std::make_unique<internal::record_log>(files, internal::join(folder, "log"), options.owner)}};
  auto& log = *store->log_;
  // Our last claim, if records came after it: either a newer start has won, or it was the running
  // coordinator, which removed the record that should have kept us from using its number.
  std::optional<epoch_id> lost;
  for (int attempt = 0; attempt < claim_attempts; ++attempt) {
    const auto view = internal::read_folder(files, folder, log);
    if (!view) return view.failure();
    if (lost && view->newest_epoch > *lost) break;
    result<internal::start_choice> choice = internal::start_choice{};
    // The first time nothing is claimed before it is clear that the start can succeed. Later there
    // is another coordinator that might publish faster than files are verified: claim first.
    const bool claim_first = attempt > 0;
    if (!claim_first) {
      choice = internal::choose(files, folder, *view, options);
      if (!choice && has_moved(log)) continue;
    }
    if (choice && choice->kind != start_kind::finished) {
      const epoch_id epoch{view->newest_epoch.value + 1};
      const auto claimed = log.publish(internal::encode(epoch), 0);
      if (!claimed) return claimed.failure().within("checkpoint folder '" + folder + "'");
      if (*claimed == internal::link_outcome::overtaken) lost = epoch;
      if (*claimed != internal::link_outcome::published) continue;
      if (claim_first) choice = internal::choose(files, folder, *view, options);
    }
    if (!choice) return std::move(choice).failure();
    return take_over(std::move(store), *view, *std::move(choice));
  }
  return taken_over(folder);
}

result<opened_store> checkpoint_store::take_over(std::unique_ptr<checkpoint_store> store,
                                                 const internal::folder_view& view,
                                                 internal::start_choice choice) {
  opened_store opened{.store = nullptr,
                      .kind = choice.kind,
                      .restored = choice.restored,
                      .warnings = std::move(choice.warnings)};
  if (opened.kind == start_kind::finished) return opened;
  if (auto ours = store->adopt(view, choice); !ours) {
    return store->noted(std::move(ours).failure());
  }
  store->clean_up(view, opened.warnings);
  opened.store = std::move(store);
  return opened;
}

status checkpoint_store::adopt(const internal::folder_view& view,
                               const internal::start_choice& choice) {
  note_records(view, choice);
  epoch_ = {view.newest_epoch.value + 1};
  epoch_record_ = log_->highest();
  epochs_.emplace_back(epoch_record_, epoch_);
  // Once more: the coordinator that was just fenced may have recorded an id since. It looks for
  // our epoch after it has recorded one, so that either it finds that or we find the id.
  const auto last_id = internal::read_last_id(*files_, folder_);
  if (!last_id) return last_id.failure();
  last_id_ = std::max(view.last_id, *last_id);
  return write_progress(last_id_, choice.number);
}

void checkpoint_store::note_records(const internal::folder_view& view,
                                    const internal::start_choice& choice) {
  for (const auto& entry : view.entries) {
    if (const auto* epoch = std::get_if<epoch_id>(&entry.content)) {
      epochs_.emplace_back(entry.number, *epoch);
      continue;
    }
    if (!internal::counts(view, entry)) {
      dead_.push_back(entry.number);
      continue;
    }
    const auto& content = std::get<manifest>(entry.content);
    auto paths = files_of(content);
    if (entry.number <= choice.number) {
      manifests_.push_back({entry.number, content.id, content.epoch, std::move(paths)});
    } else {
      dead_.push_back(entry.number);
      spared_.merge(paths);
    }
  }
}

void checkpoint_store::clean_up(const internal::folder_view& view,
                                std::vector<std::string>& warnings) {
  const auto note = [&warnings](const status& done) {
    if (!done) warnings.push_back("what is left over cannot be removed: " + done.error_text());
  };
  note(log_->remove_temporary_files());
  const auto names = files_->list(folder_);
  if (!names) return note(names.failure());
  for (const auto& name : *names) {
    auto writer = internal::parse_progress_name(name);
    if (!writer) writer = internal::parse_temporary_progress_name(name);
    if (writer && *writer < epoch_) note(remove_file(*files_, internal::join(folder_, name)));
  }
  // A manifest that cannot be read names files that nobody knows: they stay until a newer
  // checkpoint is complete. And ids above those met before the claim may be a newer coordinator's.
  if (internal::all_readable(view)) note(sweep(view.last_id));
}

checkpoint_id checkpoint_store::newest() const noexcept {
  return manifests_.empty() ? checkpoint_id{} : manifests_.back().id;
}

status checkpoint_store::record_last_id(checkpoint_id id) {
  if (fenced_) return *fenced_;
  if (id <= last_id_) {
    return invalid("checkpoint id " + std::to_string(id.value) + " is used: the last one was " +
                   std::to_string(last_id_.value));
  }
  const auto newest_record = manifests_.empty() ? 0 : manifests_.back().number;
  if (auto written = write_progress(id, newest_record); !written) {
    return noted(std::move(written).failure());
  }
  if (auto ours = check_not_fenced(); !ours) return noted(std::move(ours).failure());
  last_id_ = id;
  return {};
}

status checkpoint_store::publish(const manifest& content) {
  if (fenced_) return *fenced_;
  if (auto fine = check_publishable(content); !fine) {
    return std::move(fine).failure().within("checkpoint " + std::to_string(content.id.value));
  }
  const auto linked = log_->publish(encode(content), epoch_record_);
  if (!linked) return noted(linked.failure());
  if (*linked != internal::link_outcome::published) return noted(taken_over(folder_));
  manifests_.push_back({log_->highest(), content.id, content.epoch, files_of(content)});
  spared_.clear();
  // It only helps to notice that the record got lost: the checkpoint is complete without it, and
  // it is written again with the next id.
  (void)write_progress(last_id_, log_->highest());
  return {};
}

status checkpoint_store::retain(std::size_t count) {
  if (fenced_) return *fenced_;
  if (manifests_.empty()) return {};
  if (auto ours = check_not_fenced(); !ours) return noted(std::move(ours).failure());
  // Records first: no manifest may be found whose files are gone.
  auto removed = remove_old_records(count);
  if (removed) removed = remove_old_epochs();
  if (removed) removed = sweep(newest());
  return removed ? removed : noted(std::move(removed).failure());
}

status checkpoint_store::discard(checkpoint_id id) {
  if (fenced_) return *fenced_;
  auto removed = sweep_folder(id);
  return removed ? removed : noted(std::move(removed).failure());
}

status checkpoint_store::write_progress(checkpoint_id last_id, std::uint64_t newest_record) {
  const auto temporary = internal::join(folder_, internal::temporary_progress_name(epoch_));
  const auto bytes = internal::encode(internal::progress{epoch_, last_id, newest_record});
  if (auto written = write_file(*files_, temporary, bytes); !written) return written;
  const auto path = internal::join(folder_, internal::progress_name(epoch_));
  if (auto moved = files_->rename(temporary, path); !moved) return moved;
  return files_->sync_folder(folder_);
}

status checkpoint_store::check_publishable(const manifest& content) const {
  if (auto fine = check(content); !fine) return fine;
  if (content.epoch != epoch_) return invalid("it is of another epoch than the store");
  if (content.id <= newest()) return invalid("a newer checkpoint is complete");
  if (content.id > last_id_) return invalid("its id was not recorded");
  const auto own_folder = internal::state_folder_name(content.id);
  for (const auto& path : files_of(content)) {
    if (internal::folder_of(path) == own_folder || is_named(path)) continue;
    return error{errc::corrupt,
                 "it names '" + path + "', which is of no complete checkpoint that is kept"};
  }
  return {};
}

status checkpoint_store::remove_old_records(std::size_t count) {
  while (manifests_.size() > count) {
    if (auto removed = log_->remove(manifests_.front().number); !removed) return removed;
    manifests_.erase(manifests_.begin());
  }
  const auto newest_record = manifests_.back().number;
  while (!dead_.empty() && dead_.front() < newest_record) {
    if (auto removed = log_->remove(dead_.front()); !removed) return removed;
    dead_.erase(dead_.begin());
  }
  return log_->sync();
}

status checkpoint_store::remove_old_epochs() {
  const auto needed = manifests_.front().epoch;
  while (epochs_.size() > kept_epochs_ && epochs_.front().second < needed) {
    if (auto removed = log_->remove(epochs_.front().first); !removed) return removed;
    // Each before the next: a record counts if its epoch's record is there, so a coordinator's own
    // one must be gone before the one that comes after its last record, and keeps it from adding
    // another, is.
    if (auto synced = log_->sync(); !synced) return synced;
    epochs_.erase(epochs_.begin());
  }
  return {};
}

status checkpoint_store::sweep(checkpoint_id last) {
  const auto names = files_->list(folder_);
  if (!names) return names.failure();
  for (const auto& name : *names) {
    const auto id = internal::parse_state_folder_name(name);
    if (!id || *id > last) continue;
    if (auto swept = sweep_folder(*id); !swept) return swept;
  }
  return {};
}

status checkpoint_store::sweep_folder(checkpoint_id id) {
  const auto folder = internal::state_folder_name(id);
  const auto names = files_->list(internal::join(folder_, folder));
  if (!names && names.failure().code() == errc::not_found) return {};
  if (!names) return names.failure();
  std::size_t left = names->size();
  for (const auto& name : *names) {
    const auto writer = internal::epoch_of_state_name(name);
    const auto path = internal::join(folder, name);
    if (!writer || *writer > epoch_ || is_named(path)) continue;
    if (auto removed = remove_file(*files_, internal::join(folder_, path)); !removed) {
      return removed;
    }
    --left;
  }
  // Not if a subtask has just put a new file there: then the next sweep tries again.
  if (left == 0) (void)files_->remove_folder(internal::join(folder_, folder));
  return {};
}

bool checkpoint_store::is_named(const std::string& path) const {
  return spared_.count(path) > 0 ||
         std::any_of(manifests_.begin(), manifests_.end(),
                     [&path](const auto& kept) { return kept.files.count(path) > 0; });
}

status checkpoint_store::check_not_fenced() const {
  const auto numbers = log_->numbers();
  if (!numbers) return numbers.failure();
  if (!numbers->empty() && numbers->back() == log_->highest()) return {};
  return taken_over(folder_);
}

error checkpoint_store::noted(error failure) {
  // A newer coordinator removes files of ours: the cause, then, is not what has failed first.
  if (failure.code() != errc::fenced && has_moved(*log_)) failure = taken_over(folder_);
  if (failure.code() == errc::fenced) fenced_ = failure;
  return failure;
}

}  // namespace weir::checkpoint
