// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/internal/record_log.hpp"

#include <algorithm>
#include <utility>

#include "weir/checkpoint/internal/envelope.hpp"
#include "weir/checkpoint/internal/layout.hpp"
#include "weir/checkpoint/internal/log_record.hpp"

namespace weir::checkpoint::internal {

namespace {

log_entry decode(std::uint64_t number, const std::string& path, std::string_view bytes) {
  const auto damaged = [&](const error& what) { return log_entry{number, what.within(path)}; };
  const auto record = unseal(bytes);
  if (!record) return damaged(record.failure());
  if (record->kind == record_kind::epoch) {
    const auto epoch = decode_epoch(bytes);
    return epoch ? log_entry{number, *epoch} : damaged(epoch.failure());
  }
  auto content = decode_manifest(bytes);
  return content ? log_entry{number, *std::move(content)} : damaged(content.failure());
}

error unknown(const std::string& path, const error& cause) {
  return {errc::fenced, path + ": whether it was published is not known, open the folder again: " +
                            cause.message()};
}

}  // namespace

result<std::vector<log_entry>> record_log::read(std::uint64_t floor) {
  const auto there = numbers();
  if (!there) return there.failure();
  std::vector<log_entry> entries;
  for (const auto number : *there) {
    const auto path = path_of(number);
    const auto bytes = read_file(*files_, path);
    if (bytes) {
      entries.push_back(decode(number, path, *bytes));
    } else if (bytes.failure().code() != errc::not_found) {
      return bytes.failure();
    }
    // Else it was removed meanwhile, after a higher one was published: who publishes next to this
    // reading will notice that.
  }
  highest_ = std::max(floor, there->empty() ? 0 : there->back());
  return entries;
}

result<std::vector<std::uint64_t>> record_log::numbers() const {
  const auto names = files_->list(folder_);
  if (!names) return names.failure();
  std::vector<std::uint64_t> found;
  for (const auto& name : *names) {
    if (const auto number = parse_log_name(name)) found.push_back(*number);
  }
  std::sort(found.begin(), found.end());
  return found;
}

result<link_outcome> record_log::publish(std::string_view record, std::uint64_t epoch_record) {
  const auto number = highest_ + 1;
  const auto path = path_of(number);
  // No other record ever has this name: whoever wrote over it would write into the log.
  const auto temporary = join(folder_, temporary_log_name(number, owner_));
  if (auto written = write_file(*files_, temporary, record); !written) {
    (void)files_->remove(temporary);
    return std::move(written).failure();
  }
  const auto linked = files_->link(temporary, path);
  (void)files_->remove(temporary);
  if (linked) return after_link(number, epoch_record);
  if (linked.failure().code() == errc::already_exists) return link_outcome::taken;
  // Some file systems report a failure of a link that they made.
  const auto there = numbers();
  if (!there) return unknown(path, there.failure());
  if (std::binary_search(there->begin(), there->end(), number)) {
    return unknown(path, linked.failure());
  }
  // Somebody newer has removed the temporary file, and our number is of no use any more.
  if (!there->empty() && there->back() > number) return link_outcome::taken;
  return linked.failure();
}

result<link_outcome> record_log::after_link(std::uint64_t number, std::uint64_t epoch_record) {
  const auto path = path_of(number);
  if (const auto synced = sync(); !synced) return unknown(path, synced.failure());
  const auto there = numbers();
  if (!there) return unknown(path, there.failure());
  if (!there->empty() && there->back() == number) {
    highest_ = number;
    return link_outcome::published;
  }
  // Normally the record stays: the newer coordinator may have started from it. But if our own
  // epoch's record is gone, then so was the one that should have stopped us, and ours fills a gap
  // that nobody looks at.
  const bool in_a_gap =
      epoch_record != 0 && !std::binary_search(there->begin(), there->end(), epoch_record);
  if (in_a_gap) (void)files_->remove(path);
  return link_outcome::overtaken;
}

status record_log::remove(std::uint64_t number) {
  auto removed = files_->remove(path_of(number));
  if (!removed && removed.failure().code() == errc::not_found) return {};
  return removed;
}

status record_log::remove_temporary_files() {
  const auto names = files_->list(folder_);
  if (!names) return names.failure();
  for (const auto& name : *names) {
    // Those of higher numbers are a newer coordinator's.
    const auto number = parse_temporary_log_name(name);
    if (!number || *number > highest_) continue;
    auto removed = files_->remove(join(folder_, name));
    if (!removed && removed.failure().code() != errc::not_found) return removed;
  }
  return {};
}

std::string record_log::path_of(std::uint64_t number) const {
  return join(folder_, log_name(number));
}

}  // namespace weir::checkpoint::internal
