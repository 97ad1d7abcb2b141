// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/manifest.hpp"

#include <map>
#include <set>
#include <utility>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "weir/checkpoint/internal/envelope.hpp"
#include "weir/checkpoint/internal/layout.hpp"
#include "weir/checkpoint/manifest.pb.h"
#include "weir/core/key_groups.hpp"

namespace weir::checkpoint {

namespace {

error invalid(std::string message) { return {errc::invalid_argument, std::move(message)}; }

void write(const state_file& from, pb::StateFile& to) {
  to.set_path(from.path);
  to.set_length(from.length);
  to.set_checksum(from.checksum);
  to.set_kind(from.kind == file_kind::blob ? pb::StateFile::BLOB : pb::StateFile::CHUNKS);
  to.set_keyed(from.keyed);
  to.set_unkeyed(from.unkeyed);
}

void write(const operator_state& from, pb::OperatorState& to) {
  to.set_uid(from.uid);
  to.set_parallelism(from.parallelism);
  to.set_max_parallelism(from.max_parallelism);
  for (const auto& subtask : from.subtasks) {
    auto& part = *to.add_subtasks();
    part.set_subtask(subtask.subtask.value);
    for (const auto& file : subtask.files) write(file, *part.add_files());
  }
}

result<state_file> read(const pb::StateFile& from) {
  if (from.kind() != pb::StateFile::CHUNKS && from.kind() != pb::StateFile::BLOB) {
    return invalid("file '" + from.path() + "' is of the unknown kind " +
                   std::to_string(static_cast<int>(from.kind())));
  }
  return state_file{
      .path = from.path(),
      .length = from.length(),
      .checksum = from.checksum(),
      .kind = from.kind() == pb::StateFile::BLOB ? file_kind::blob : file_kind::chunks,
      .keyed = from.keyed(),
      .unkeyed = from.unkeyed()};
}

result<operator_state> read(const pb::OperatorState& from) {
  operator_state to{.uid = from.uid(),
                    .parallelism = from.parallelism(),
                    .max_parallelism = from.max_parallelism()};
  for (const auto& part : from.subtasks()) {
    subtask_state subtask{.subtask = {part.subtask()}};
    for (const auto& file : part.files()) {
      auto content = read(file);
      if (!content) return std::move(content).failure();
      subtask.files.push_back(*std::move(content));
    }
    to.subtasks.push_back(std::move(subtask));
  }
  return to;
}

result<manifest> read(const pb::Manifest& from) {
  manifest to{.job_name = from.job_name(),
              .graph_fingerprint = from.graph_fingerprint(),
              .id = {from.checkpoint()},
              .epoch = {from.epoch()},
              .attempt = {from.attempt()},
              .finished = from.finished(),
              .created = {from.created_ms()}};
  for (const auto& part : from.operators()) {
    auto content = read(part);
    if (!content) return std::move(content).failure();
    to.operators.push_back(*std::move(content));
  }
  return to;
}

/// Length and checksum of the files seen so far, by path.
using known_files = std::map<std::string_view, std::pair<std::uint64_t, std::uint32_t>>;

status check(const state_file& file, known_files& known) {
  if (!internal::is_state_path(file.path)) {
    return invalid("'" + file.path + "' is not the path of a state file");
  }
  const std::pair stored{file.length, file.checksum};
  if (known.emplace(file.path, stored).first->second == stored) return {};
  return invalid("file '" + file.path + "' is named with two lengths or checksums");
}

status check(const operator_state& content, known_files& known) {
  if (auto fits = check_parallelism(content.parallelism, content.max_parallelism); !fits) {
    return fits;
  }
  if (content.subtasks.size() != content.parallelism) {
    return invalid(std::to_string(content.parallelism) + " subtasks expected, " +
                   std::to_string(content.subtasks.size()) + " found");
  }
  std::uint32_t expected = 0;
  for (const auto& subtask : content.subtasks) {
    if (subtask.subtask.value != expected) {
      return invalid("subtask " + std::to_string(expected) + " is missing");
    }
    ++expected;
    for (const auto& file : subtask.files) {
      if (auto fine = check(file, known); !fine) return fine;
    }
  }
  return {};
}

}  // namespace

std::uint64_t manifest::total_bytes() const {
  std::set<std::string_view> counted;
  std::uint64_t bytes = 0;
  for (const auto& part : operators) {
    for (const auto& subtask : part.subtasks) {
      for (const auto& file : subtask.files) {
        if (counted.insert(file.path).second) bytes += file.length;
      }
    }
  }
  return bytes;
}

status check(const manifest& content) {
  if (content.id == checkpoint_id{}) return invalid("it has no checkpoint id");
  if (content.epoch == epoch_id{}) return invalid("it has no epoch");
  std::set<std::string_view> uids;
  known_files known;
  for (const auto& part : content.operators) {
    if (part.uid.empty()) return invalid("an operator has no uid");
    if (!uids.insert(part.uid).second) return invalid("operator '" + part.uid + "' is there twice");
    if (auto fine = check(part, known); !fine) {
      return std::move(fine).failure().within("operator '" + part.uid + "'");
    }
  }
  return {};
}

std::string encode(const manifest& content) {
  pb::Manifest message;
  message.set_job_name(content.job_name);
  message.set_graph_fingerprint(content.graph_fingerprint);
  message.set_checkpoint(content.id.value);
  message.set_epoch(content.epoch.value);
  message.set_attempt(content.attempt.value);
  message.set_finished(content.finished);
  message.set_created_ms(content.created.ms);
  message.set_total_bytes(content.total_bytes());
  for (const auto& part : content.operators) write(part, *message.add_operators());
  std::string payload;
  {
    google::protobuf::io::StringOutputStream stream{&payload};
    google::protobuf::io::CodedOutputStream out{&stream};
    out.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&out);
  }
  return internal::seal(internal::record_kind::manifest, payload);
}

result<manifest> decode_manifest(std::string_view bytes) {
  auto payload = internal::unseal(bytes, internal::record_kind::manifest);
  if (!payload) return std::move(payload).failure();
  pb::Manifest message;
  if (!message.ParseFromArray(payload->data(), static_cast<int>(payload->size()))) {
    return error{errc::corrupt, "it is not the message it should be"};
  }
  auto content = read(message);
  if (!content) return error{errc::corrupt, content.failure().message()};
  if (auto fine = check(*content); !fine) return error{errc::corrupt, fine.failure().message()};
  if (content->total_bytes() != message.total_bytes()) {
    return error{errc::corrupt, std::to_string(message.total_bytes()) +
                                    " bytes of state expected, " +
                                    std::to_string(content->total_bytes()) + " named"};
  }
  return content;
}

}  // namespace weir::checkpoint
