// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/state/operator_state_cell.hpp"
#include "weir/state/sorted_entries.hpp"

namespace weir::state {

/// The entries of a broadcast state, while they are written to a snapshot.
template <class K, class V>
class frozen_broadcast_map final : public frozen_operator_state {
 public:
  frozen_broadcast_map(std::string type, sorted_entries<K, V> entries)
      : type_{std::move(type)}, entries_{std::move(entries)}, next_{entries_.begin()} {}

  std::size_t write(operator_state_writer& out, std::size_t most) override {
    out.set_type(type_);
    std::size_t done = 0;
    for (; done < most && next_ != entries_.end(); ++done, ++next_) {
      auto& element = out.begin_element();
      element.block(encoded(next_->first));
      element.block(encoded(next_->second));
      out.end_element();
    }
    return done;
  }

 private:
  template <class T>
  const std::string& encoded(const T& value) {
    scratch_.clear();
    byte_writer bytes{scratch_};
    codec<T>::write(bytes, value);
    return scratch_;
  }

  std::string type_;
  sorted_entries<K, V> entries_;
  typename sorted_entries<K, V>::iterator next_;
  std::string scratch_;
};

/// What the handles of a broadcast state share: the copy of one subtask. Owned by the store, used
/// by its subtask.
template <class K, class V>
class broadcast_map final : public operator_state_cell {
 public:
  explicit broadcast_map(std::string name, std::string_view kind = broadcast_kind)
      : operator_state_cell{std::move(name), kind, type_of()} {}

  static std::string type_of() {
    return "map<" + codec_identity<K>() + "," + codec_identity<V>() + ">";
  }

  sorted_entries<K, V> entries;

  status restore(const restored_operator_state& from) override {
    entries.clear();
    for (const auto& part : from.elements()) {
      if (auto fits = check_type(part.type); !fits) return fits;
      byte_reader in{part.bytes};
      while (in.remaining() > 0) {
        auto key = decode<K>(in.block());
        if (!key) return std::move(key).failure().within("state \"" + name() + "\"");
        auto value = decode<V>(in.block());
        if (!value) return std::move(value).failure().within("state \"" + name() + "\"");
        entries.put(*std::move(key), *std::move(value));
      }
    }
    return {};
  }

  std::unique_ptr<frozen_operator_state> freeze() const override {
    return std::make_unique<frozen_broadcast_map<K, V>>(type(), entries);
  }
};

}  // namespace weir::state
