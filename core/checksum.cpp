// SPDX-License-Identifier: Apache-2.0
#include "weir/core/checksum.hpp"

#include <zlib.h>

namespace weir {

std::uint32_t checksum(std::string_view bytes, std::uint32_t seed) {
  // For zlib a null pointer asks for the start value; an empty view may have one.
  if (bytes.empty()) return seed;
  const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
  return static_cast<std::uint32_t>(::crc32_z(seed, data, bytes.size()));
}

std::uint32_t joined_checksum(std::uint32_t first, std::uint32_t second, std::uint64_t size) {
  return static_cast<std::uint32_t>(::crc32_combine(first, second, static_cast<z_off_t>(size)));
}

}  // namespace weir
