// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weir/core/result.hpp"

namespace weir::checkpoint::internal {

/// What a record holds. Stored: never renumber.
enum class record_kind : std::uint8_t {
  manifest = 1,
  epoch = 2,
  progress = 3,
};

/// A record's content, whose checksum is right. `payload` is a view into the record.
struct opened_record {
  record_kind kind;
  std::string_view payload;
};

/// A record with magic, version, length and checksum around `payload`.
std::string seal(record_kind kind, std::string_view payload);

/// Takes a record apart. Errors: corrupt if one bit or byte of it is not as `seal` wrote it, or a
/// newer version of weir did.
result<opened_record> unseal(std::string_view record);

/// As `unseal`, and fails also if the record is of another kind.
result<std::string_view> unseal(std::string_view record, record_kind kind);

}  // namespace weir::checkpoint::internal
