// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "weir/core/result.hpp"

namespace weir {

/// Appends values to a byte string, little-endian. Owned by one thread.
class byte_writer {
 public:
  explicit byte_writer(std::string& out) : out_{&out} {}

  template <class Number>
    requires(std::is_arithmetic_v<Number>)
  void fixed(Number value) {
    char raw[sizeof(Number)];
    std::memcpy(raw, &value, sizeof raw);  // x86-64 and aarch64 are little-endian
    out_->append(raw, sizeof raw);
  }

  /// LEB128: 7 bits a byte, lowest first.
  void varint(std::uint64_t value) {
    while (value >= 0x80) {
      out_->push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    out_->push_back(static_cast<char>(value));
  }

  /// Length as varint, then the bytes.
  void block(std::string_view bytes) {
    varint(bytes.size());
    out_->append(bytes);
  }

  void raw(std::string_view bytes) { out_->append(bytes); }

 private:
  std::string* out_;
};

/// Reads what `byte_writer` wrote. Trusts nothing: after the first read past the end, or of a
/// malformed number, `failed()` is true for good and all reads give zero. Owned by one thread.
class byte_reader {
 public:
  explicit byte_reader(std::string_view in) : in_{in} {}

  template <class Number>
    requires(std::is_arithmetic_v<Number>)
  Number fixed() {
    Number value{};
    if (in_.size() < sizeof value) return fail(), Number{};
    std::memcpy(&value, in_.data(), sizeof value);
    in_.remove_prefix(sizeof value);
    return value;
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (in_.empty()) break;
      const auto byte = static_cast<unsigned char>(in_.front());
      in_.remove_prefix(1);
      if (shift == 63 && byte > 1) break;
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return fail(), 0;
  }

  /// A view into the input; empty on failure.
  std::string_view block() { return raw(varint()); }

  std::string_view raw(std::uint64_t length) {
    if (length > in_.size()) return fail(), std::string_view{};
    const auto bytes = in_.substr(0, length);
    in_.remove_prefix(length);
    return bytes;
  }

  bool failed() const noexcept { return failed_; }
  std::size_t remaining() const noexcept { return in_.size(); }
  void fail() noexcept { failed_ = true, in_ = {}; }

 private:
  std::string_view in_;
  bool failed_ = false;
};

}  // namespace weir
