// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/internal/envelope.hpp"

#include <utility>

#include "weir/core/bytes.hpp"
#include "weir/core/checksum.hpp"

namespace weir::checkpoint::internal {

namespace {

constexpr std::string_view magic = "WEIRCKPT";
constexpr std::uint8_t version = 1;
constexpr std::size_t header_size = 8 + 1 + 1 + 8 + 4;

error corrupt(std::string message) { return {errc::corrupt, std::move(message)}; }

std::string_view name_of(record_kind kind) {
  switch (kind) {
    case record_kind::manifest: return "manifest";
    case record_kind::epoch: return "epoch";
    case record_kind::progress: return "progress";
  }
  return {};
}

/// Of all that comes after the magic but the checksum itself.
std::uint32_t checksum_of(record_kind kind, std::string_view payload) {
  std::string head;
  byte_writer out{head};
  out.fixed(version);
  out.fixed(static_cast<std::uint8_t>(kind));
  out.fixed(std::uint64_t{payload.size()});
  return checksum(payload, checksum(head));
}

}  // namespace

std::string seal(record_kind kind, std::string_view payload) {
  std::string record;
  record.reserve(header_size + payload.size());
  byte_writer out{record};
  out.raw(magic);
  out.fixed(version);
  out.fixed(static_cast<std::uint8_t>(kind));
  out.fixed(std::uint64_t{payload.size()});
  out.fixed(checksum_of(kind, payload));
  out.raw(payload);
  return record;
}

result<opened_record> unseal(std::string_view record) {
  if (record.empty()) return corrupt("it is empty");
  byte_reader in{record};
  const auto start = in.raw(magic.size());
  const auto written_by = in.fixed<std::uint8_t>();
  const auto kind = static_cast<record_kind>(in.fixed<std::uint8_t>());
  const auto length = in.fixed<std::uint64_t>();
  const auto stored = in.fixed<std::uint32_t>();
  if (in.failed()) return corrupt("it is cut short: no whole header");
  if (start != magic) return corrupt("it is not a record of a weir checkpoint folder");
  if (written_by != version) {
    return corrupt("it has format version " + std::to_string(written_by) +
                   ", this program reads version " + std::to_string(version));
  }
  if (length != in.remaining()) {
    return corrupt("it is not whole: " + std::to_string(length) + " bytes expected, " +
                   std::to_string(in.remaining()) + " found");
  }
  const auto payload = in.raw(length);
  if (stored != checksum_of(kind, payload)) return corrupt("its checksum does not match");
  if (name_of(kind).empty()) {
    return corrupt("it is of the unknown kind " + std::to_string(static_cast<int>(kind)));
  }
  return opened_record{kind, payload};
}

result<std::string_view> unseal(std::string_view record, record_kind kind) {
  auto opened = unseal(record);
  if (!opened) return std::move(opened).failure();
  if (opened->kind == kind) return opened->payload;
  std::string message{"it is a record of kind '"};
  message.append(name_of(opened->kind)).append("', not '").append(name_of(kind)).append("'");
  return corrupt(std::move(message));
}

}  // namespace weir::checkpoint::internal
