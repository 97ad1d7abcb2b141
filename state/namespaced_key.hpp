// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "weir/core/codec.hpp"
#include "weir/core/hash.hpp"
#include "weir/state/key_equal.hpp"

namespace weir::state {

/// The hash of a key in a namespace: in the key group of the key, wherever the namespace puts it
/// there. `key_hash` is the `stable_hash` of the key.
constexpr std::uint64_t namespaced_hash(std::uint64_t key_hash, std::uint64_t namespace_hash) {
  constexpr std::uint64_t group_bits = 0xFFFF'FFFF'0000'0000;
  return (key_hash & group_bits) | (combine_hash(key_hash, namespace_hash) & ~group_bits);
}

/// A view of a key and a namespace, to search with.
template <class K, class N>
struct namespaced_view {
  const K& key;
  const N& name_space;
};

/// A key of rows of which each key has one in every namespace.
///
/// Stored: `key namespace`
template <class Key, class Namespace>
struct namespaced_key {
  Key key;
  Namespace name_space;

  namespaced_key(Key k, Namespace n) : key{std::move(k)}, name_space{std::move(n)} {}
  template <class K, class N>
  explicit namespaced_key(const namespaced_view<K, N>& shown)
      : key(shown.key), name_space(shown.name_space) {}

  friend std::uint64_t stable_hash(const namespaced_key& k) {
    return namespaced_hash(weir::stable_hash(k.key), weir::stable_hash(k.name_space));
  }
  friend bool key_equal(const namespaced_key& a, const namespaced_key& b) {
    return state::key_equal(a.name_space, b.name_space) && state::key_equal(a.key, b.key);
  }
  template <class K, class N>
  friend bool key_equal(const namespaced_key& a, const namespaced_view<K, N>& b) {
    return state::key_equal(a.name_space, b.name_space) && state::key_equal(a.key, b.key);
  }
};

}  // namespace weir::state

template <class Key, class Namespace>
struct weir::codec<weir::state::namespaced_key<Key, Namespace>> {
  using value_type = weir::state::namespaced_key<Key, Namespace>;

  static void write(byte_writer& out, const value_type& value) {
    codec<Key>::write(out, value.key);
    codec<Namespace>::write(out, value.name_space);
  }
  static value_type read(byte_reader& in) {
    auto key = codec<Key>::read(in);
    auto name_space = codec<Namespace>::read(in);
    return {std::move(key), std::move(name_space)};
  }
  static std::string identity() {
    return codec_identity<Key>() + " in " + codec_identity<Namespace>();
  }
};
