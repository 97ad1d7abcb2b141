// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/state/cell_format.hpp"
#include "weir/state/element_cell.hpp"
#include "weir/state/list_view.hpp"

namespace weir::state {

/// What a list state keeps for a key. One pointer wide. A `rule` is that of the state's TTL, null
/// when it has none; for a cell it is always the one or the other. Owned and used by one subtask.
///
/// Stored: `count:varint ([stamp:i64] element)*`
template <class T>
class list_cell : public element_cell<T, no_index> {
  using base = element_cell<T, no_index>;
  using base::elements_;

 public:
  using base::empty;
  using base::size;

  /// A copy of what has not expired, without stamps.
  list_view<T> live_view(const ttl_rule& rule) const;

  void add(T value, const ttl_rule* rule = nullptr) {
    elements_.make_room(1, rule != nullptr);
    elements_.append(std::move(value));
    if (rule != nullptr) elements_.stamps()[size() - 1] = rule->touch;
  }

  /// Adds the elements of a range, all or, if that throws, none.
  template <class Range>
  void add_all(Range&& range, const ttl_rule* rule = nullptr);

  template <class Range>
  static list_cell made_of(Range&& range, const ttl_rule* rule = nullptr) {
    list_cell cell;
    cell.add_all(std::forward<Range>(range), rule);
    return cell;
  }

  /// Adds the elements of another cell behind the own ones; they keep their stamps.
  void append(list_cell&& from);

  /// Removes what has expired, wherever it is. True when nothing is left.
  bool remove_expired(const ttl_rule& rule) {
    if (elements_.keep_if([&](std::size_t i) { return !rule.expired(elements_.stamps()[i]); }) > 0)
      elements_.shrink();
    return empty();
  }

  void write(byte_writer& out, const cell_format& format) const;
  static list_cell read(byte_reader& in, const cell_format& format);

 private:
  // The codec writes what lies in memory.
  static constexpr bool is_raw = weir::internal::raw_number<T> || std::is_same_v<T, event_time> ||
                                 std::is_same_v<T, clock_time>;
};

template <class T>
list_view<T> list_cell<T>::live_view(const ttl_rule& rule) const {
  list_block<T> live;
  const auto count = this->live(rule);
  if (count > 0) live.make_room(count, false);
  for (std::size_t i = 0; i < size(); ++i)
    if (!rule.expired(elements_.stamps()[i])) live.append(elements_.data()[i]);
  return list_view<T>{std::move(live)};
}

template <class T>
template <class Range>
void list_cell<T>::add_all(Range&& range, const ttl_rule* rule) {
  const auto before = size();
  try {
    if constexpr (requires { std::size(range); }) {
      if (std::size(range) == 0) return;
      elements_.make_room(std::size(range), rule != nullptr);
    }
    for (auto&& element : range) add(std::forward<decltype(element)>(element), rule);
  } catch (...) {
    elements_.truncate(before);
    throw;
  }
}

template <class T>
void list_cell<T>::append(list_cell&& from) {
  if (empty()) return std::swap(elements_, from.elements_);
  if (from.empty()) return;
  const bool timed = elements_.timed();
  elements_.make_room(from.size(), timed);
  from.elements_.make_unique();
  for (std::size_t i = 0; i < from.size(); ++i) {
    elements_.append(std::move(from.elements_.data()[i]));
    if (timed) elements_.stamps()[size() - 1] = from.elements_.stamps()[i];
  }
}

template <class T>
void list_cell<T>::write(byte_writer& out, const cell_format& format) const {
  const bool all = format.keep_live_only == nullptr;
  out.varint(all ? size() : this->live(*format.keep_live_only));
  if constexpr (is_raw) {
    if (!format.timed && !empty())
      return out.raw({reinterpret_cast<const char*>(elements_.data()), size() * sizeof(T)});
  }
  for (std::size_t i = 0; i < size(); ++i) {
    const auto stamp = format.timed ? elements_.stamps()[i] : 0;
    if (!all && !format.keeps(stamp)) continue;
    format.write_stamp(out, stamp);
    codec<T>::write(out, elements_.data()[i]);
  }
}

template <class T>
list_cell<T> list_cell<T>::read(byte_reader& in, const cell_format& format) {
  list_cell cell;
  const auto count = in.varint();
  // Elements may be larger than their bytes: reserve no more memory than there is input.
  const auto reserved = std::min<std::uint64_t>(count, in.remaining() / sizeof(T));
  if (count > in.remaining() || count > list_block<T>::max_size) in.fail();
  if (in.failed() || count == 0) return cell;
  if (reserved > 0) cell.elements_.make_room(reserved, format.timed);
  if constexpr (is_raw) {
    if (!format.timed && !format.stored_timed) {
      const auto bytes = in.raw(count * sizeof(T));
      if (!in.failed()) cell.elements_.append_bytes(bytes.data(), count);
      return cell;
    }
  }
  for (auto left = count; left > 0 && !in.failed(); --left) {
    const auto stamp = format.read_stamp(in);
    cell.elements_.make_room(1, format.timed);
    cell.elements_.append(codec<T>::read(in));
    if (format.timed) cell.elements_.stamps()[cell.size() - 1] = stamp;
  }
  return cell;
}

}  // namespace weir::state
