// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/internal/log_record.hpp"

#include <utility>

#include "weir/checkpoint/internal/envelope.hpp"
#include "weir/checkpoint/manifest.pb.h"

namespace weir::checkpoint::internal {

namespace {

template <class Message>
result<Message> parse(std::string_view record, record_kind kind) {
  auto payload = unseal(record, kind);
  if (!payload) return std::move(payload).failure();
  Message message;
  if (!message.ParseFromArray(payload->data(), static_cast<int>(payload->size())) ||
      message.epoch() == 0) {
    return error{errc::corrupt, "it is not the message it should be"};
  }
  return message;
}

}  // namespace

std::string encode(epoch_id epoch) {
  pb::Epoch message;
  message.set_epoch(epoch.value);
  return seal(record_kind::epoch, message.SerializeAsString());
}

result<epoch_id> decode_epoch(std::string_view record) {
  auto message = parse<pb::Epoch>(record, record_kind::epoch);
  if (!message) return std::move(message).failure();
  return epoch_id{message->epoch()};
}

std::string encode(const progress& content) {
  pb::Progress message;
  message.set_epoch(content.epoch.value);
  message.set_last_id(content.last_id.value);
  message.set_newest_record(content.newest_record);
  return seal(record_kind::progress, message.SerializeAsString());
}

result<progress> decode_progress(std::string_view record) {
  auto message = parse<pb::Progress>(record, record_kind::progress);
  if (!message) return std::move(message).failure();
  return progress{.epoch = {message->epoch()},
                  .last_id = {message->last_id()},
                  .newest_record = message->newest_record()};
}

}  // namespace weir::checkpoint::internal
