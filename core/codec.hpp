// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "weir/core/codec_aggregate.hpp"
#include "weir/core/codec_base.hpp"
#include "weir/core/codec_std.hpp"
#include "weir/core/result.hpp"

namespace weir {

/// What the bytes of a `T` mean, the same from every compiler: "agg{i64,vec<str>}". Stored with
/// the bytes, and compared with `fields_compatible` before they are read.
template <class T>
std::string codec_identity() {
  if constexpr (encodable<T>) {
    return codec<T>::identity();
  } else {
    internal::explain_missing_codec<T>();
  }
}

/// Whether bytes written under the identity `stored` can be read as `wanted`: if the two are
/// equal, or if plain structs, at any depth, have got more fields at their end since. For values
/// only: keys must be equal, because the hash of a struct changes with its fields.
bool fields_compatible(std::string_view stored_identity, std::string_view wanted_identity);

/// The bytes of one value.
template <class T>
std::string encode(const T& value) {
  std::string bytes;
  if constexpr (encodable<T>) {
    byte_writer out{bytes};
    codec<T>::write(out, value);
  } else {
    internal::explain_missing_codec<T>();
  }
  return bytes;
}

/// The failure of reading a value of this identity.
error not_decodable(std::string_view identity, std::size_t size, std::size_t left_over);

/// The value of which `bytes` are all the bytes.
/// Errors: corrupt, if they are not what `encode` makes of a `T` or of an older `T`.
template <class T>
result<T> decode(std::string_view bytes) {
  if constexpr (encodable<T>) {
    byte_reader in{bytes};
    T value = codec<T>::read(in);
    if (in.failed() || in.remaining() > 0) {
      return not_decodable(codec<T>::identity(), bytes.size(), in.remaining());
    }
    return value;
  } else {
    internal::explain_missing_codec<T>();
  }
}

}  // namespace weir
