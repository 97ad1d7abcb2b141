// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace weir {

/// The CRC-32 of zlib, gzip and PNG: polynomial 0x04C11DB7 reflected, start and end inverted;
/// that of "123456789" is 0xCBF43926. It is part of weir's file and frame formats.
/// With `seed` the checksum of what came before, it is that of both together:
/// `checksum(b, checksum(a)) == checksum(ab)`. Any thread.
std::uint32_t checksum(std::string_view bytes, std::uint32_t seed = 0);

/// The checksum of two byte strings, one behind the other, from the checksums of both and the size
/// of the second one.
std::uint32_t joined_checksum(std::uint32_t first, std::uint32_t second, std::uint64_t size);

}  // namespace weir
