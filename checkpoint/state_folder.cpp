// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/state_folder.hpp"

#include <utility>

#include "weir/checkpoint/internal/layout.hpp"
#include "weir/core/checksum.hpp"

namespace weir::checkpoint {

namespace {

constexpr std::size_t read_size = std::size_t{1} << 20;
constexpr std::size_t most_joined = std::size_t{1} << 20;

error corrupt(std::string message) { return {errc::corrupt, std::move(message)}; }

status check_size(const readable_file& file, std::uint64_t expected) {
  const auto size = file.size();
  if (!size) return size.failure();
  if (*size == expected) return {};
  return corrupt(std::to_string(expected) + " bytes expected, " + std::to_string(*size) + " found");
}

status read_all(const readable_file& file, const state_file& named,
                const std::function<status(std::string_view)>& take) {
  std::uint32_t sum = 0;
  for (std::uint64_t at = 0; at < named.length;) {
    const auto bytes = file.read(at, read_size);
    if (!bytes) return bytes.failure();
    if (bytes->empty()) return corrupt("it got shorter while it was read");
    sum = checksum(*bytes, sum);
    at += bytes->size();
    if (auto taken = take(*bytes); !taken) return taken;
  }
  return sum == named.checksum ? status{} : corrupt("its checksum does not match");
}

}  // namespace

state_file_output::state_file_output(file_system& files, std::string folder, std::string path,
                                     std::unique_ptr<writable_file> file)
    : files_{&files},
      folder_{std::move(folder)},
      written_{.path = std::move(path)},
      file_{std::move(file)} {}

status state_file_output::append(std::string_view bytes) {
  written_.checksum = checksum(bytes, written_.checksum);
  return write(bytes);
}

status state_file_output::append(std::vector<state_file_piece>& pieces) {
  std::string joined;
  for (auto& piece : pieces) {
    const auto sum = piece.seal();
    written_.checksum = checksum(piece.head, written_.checksum);
    written_.checksum = joined_checksum(written_.checksum, sum, piece.bytes.size());
    if (joined.size() + piece.size() > most_joined) {
      if (auto added = write(joined); !added) return added;
      joined.clear();
    }
    joined.append(piece.head);
    if (piece.size() <= most_joined) {
      joined.append(piece.bytes);
      continue;
    }
    if (auto added = write(joined); !added) return added;
    joined.clear();
    if (auto added = write(piece.bytes); !added) return added;
  }
  return write(joined);
}

status state_file_output::write(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (auto added = file_->append(bytes); !added) return added;
  written_.length += bytes.size();
  return {};
}

result<state_file> state_file_output::close() {
  if (auto synced = file_->sync(); !synced) return std::move(synced).failure();
  file_.reset();
  const auto named =
      files_->sync_folder(internal::join(folder_, internal::folder_of(written_.path)));
  if (!named) return named.failure();
  if (auto kept = files_->sync_folder(folder_); !kept) return std::move(kept).failure();
  return written_;
}

result<std::unique_ptr<state_file_output>> state_folder::create(checkpoint_id id,
                                                                std::string_view name) const {
  if (!internal::is_plain_name(name)) {
    std::string message{"'"};
    message.append(name).append("' cannot name a state file");
    return error{errc::invalid_argument, std::move(message)};
  }
  const auto folder = internal::state_folder_name(id);
  if (auto there = files_->create_folders(internal::join(folder_, folder)); !there) {
    return std::move(there).failure();
  }
  auto path = internal::join(folder, internal::state_name(epoch_, attempt_, name));
  auto file = files_->create(internal::join(folder_, path));
  if (!file) return std::move(file).failure();
  return std::unique_ptr<state_file_output>{
      new state_file_output{*files_, folder_, std::move(path), *std::move(file)}};
}

std::string state_file_name(subtask_id subtask) {
  return std::to_string(subtask.task) + "-" + std::to_string(subtask.index.value) + ".state";
}

status read_state_file(file_system& files, const std::string& folder, const state_file& named,
                       const std::function<status(std::string_view)>& take) {
  const auto path = internal::join(folder, named.path);
  auto file = files.open(path);
  if (!file) {
    if (file.failure().code() == errc::not_found) return corrupt(path + ": it is missing");
    return std::move(file).failure();
  }
  auto read = check_size(**file, named.length);
  if (read) read = read_all(**file, named, take);
  if (!read && read.failure().code() == errc::corrupt) return read.failure().within(path);
  return read;
}

status read_state_chunks(file_system& files, const std::string& folder, const state_file& named,
                         state_file_reader::visitor visit) {
  state_file_reader reader{std::move(visit)};
  auto read = read_state_file(files, folder, named,
                              [&reader](std::string_view bytes) { return reader.feed(bytes); });
  if (!read) return read;
  if (auto whole = reader.finish(); !whole) {
    return std::move(whole).failure().within(internal::join(folder, named.path));
  }
  return {};
}

}  // namespace weir::checkpoint
