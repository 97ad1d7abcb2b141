// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "weir/core/result.hpp"

namespace weir {

/// Appends values to a byte string, little-endian; or writes them to memory as long as they have
/// room there, which is quicker. Owned by one thread.
class byte_writer {
 public:
  explicit byte_writer(std::string& out) : out_{&out} {}

  /// Writes to [begin, end). What does not fit there goes to the end of `overflow`, with all that
  /// was written before it.
  byte_writer(char* begin, char* end, std::string& overflow)
      : at_{begin}, begin_{begin}, end_{end}, out_{&overflow} {}

  template <class Number>
    requires(std::is_arithmetic_v<Number>)
  void fixed(Number value) {
    char raw_bytes[sizeof(Number)];
    std::memcpy(raw_bytes, &value, sizeof raw_bytes);  // x86-64 and aarch64 are little-endian
    put(raw_bytes, sizeof raw_bytes);
  }

  /// LEB128: 7 bits a byte, lowest first.
  void varint(std::uint64_t value) {
    while (value >= 0x80) {
      put_byte(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    put_byte(static_cast<char>(value));
  }

  /// Length as varint, then the bytes.
  void block(std::string_view bytes) {
    varint(bytes.size());
    raw(bytes);
  }

  void raw(std::string_view bytes) { put(bytes.data(), bytes.size()); }

  /// The end of what was written to memory; null: it has all gone to the string.
  char* end_in_memory() const noexcept { return at_; }

 private:
  void put(const char* bytes, std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) <= count) return append(bytes, count);
    std::memcpy(at_, bytes, count);
    at_ += count;
  }
  void put_byte(char byte) {
    if (at_ == end_) return append(&byte, 1);
    *at_++ = byte;
  }

  [[gnu::noinline]] void append(const char* bytes, std::size_t count) {
    if (begin_ != nullptr) out_->append(begin_, static_cast<std::size_t>(at_ - begin_));
    at_ = begin_ = end_ = nullptr;
    out_->append(bytes, count);
  }

  char* at_ = nullptr;  // in [begin_, end_); all three are null when there is no memory
  char* begin_ = nullptr;
  char* end_ = nullptr;
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
