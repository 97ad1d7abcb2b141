// SPDX-License-Identifier: Apache-2.0
// The longer member functions of `keyed_rows`; keyed_rows.hpp includes this file, nobody else
// should.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/core/hash.hpp"
#include "weir/state/keyed_rows.hpp"

namespace weir::state {

template <class Key, has_states Function, class Timing>
keyed_rows<Key, Function, Timing>::keyed_rows(Function& function, key_group_range groups,
                                              std::uint32_t max_parallelism)
    : function_{&function},
      groups_{groups},
      max_parallelism_{max_parallelism},
      table_{hashes_of(groups, max_parallelism)},
      ttl_{declared().states} {
  bind_states(function);
  detach_states(function);
  if constexpr (is_timed) {
    internal::each_keyed(function, [&](auto& state, auto cell) {
      auto* const rule = ttl_.rules.of(cell());
      if (rule != nullptr) state.bind_ttl(*rule, layout::stamp_offset(cell()));
    });
  }
}

template <class Key, has_states Function, class Timing>
template <class Use>
void keyed_rows<Key, Function, Timing>::for_each_key(Use&& use) {
  const row_keeper keeper{*function_};
  typename table_type::cursor at;
  while (std::byte* row = table_.next(at)) {
    if (nothing_present(row)) continue;
    attach_states<layout>(*function_, row);
    use(*function_, table_type::key_of(row));
    if (!nothing_present(row)) continue;
    if (in_batch_) {
      emptied_.push_back(table_type::key_of(row));
    } else {
      table_.erase(at);
    }
  }
}

template <class Key, has_states Function, class Timing>
void keyed_rows<Key, Function, Timing>::erase_emptied() {
  for (const Key& key : std::exchange(emptied_, {})) {
    const auto hash = stable_hash(key);
    std::byte* row = table_.find(key, hash);
    if (row != nullptr && nothing_present(row)) table_.erase(row, hash);
  }
}

template <class Key, has_states Function, class Timing>
void keyed_rows<Key, Function, Timing>::clean_up_behind(std::size_t records) {
  const auto entries = ttl_.rules.take_incremental(records);
  if (ttl_.in_round || (entries > 0 && ttl_.rules.is_round_due())) clean_up(entries);
}

template <class Key, has_states Function, class Timing>
std::size_t keyed_rows<Key, Function, Timing>::clean_up(std::size_t entries) {
  if (!std::exchange(ttl_.in_round, true)) ttl_.rules.begin_round();
  std::size_t looked_at = 0;
  for (; looked_at < entries; ++looked_at) {
    std::byte* row = table_.next(ttl_.at);
    if (row == nullptr) {
      ttl_.at = {};
      ttl_.in_round = false;
      break;
    }
    layout::remove_expired(row, ttl_.rules);
    if (nothing_present(row)) table_.erase(ttl_.at);
  }
  ttl_.trims = table_.trim();
  return looked_at;
}

template <class Key, has_states Function, class Timing>
void keyed_rows<Key, Function, Timing>::clean_up_in_background() {
  constexpr std::size_t slice = 4096;
  const auto wanted = std::min(slice, ttl_.rules.background_left());
  const auto done = clean_up(wanted);
  ttl_.rules.background_done(done < wanted ? ttl_.rules.background_left() : done);
}

template <class Key, has_states Function, class Timing>
void keyed_rows<Key, Function, Timing>::begin_snapshot(snapshot_stream& out, std::string section) {
  std::string bytes;
  byte_writer list{bytes};
  declared().write(list);
  out.put({declarations_section(section), std::nullopt, std::move(bytes), {}});
  writer_.emplace(out, std::move(section), max_parallelism_);
  typename layout::write_options options;
  if constexpr (is_timed) {
    const auto formats = ttl_.rules.formats_at_barrier();
    std::copy_n(formats.begin(), options.formats.size(), options.formats.begin());
  }
  table_.begin_snapshot(*writer_, {}, std::move(options));
  if (!table_.snapshotting()) writer_.reset();
}

template <class Key, has_states Function, class Timing>
std::size_t keyed_rows<Key, Function, Timing>::sweep(std::size_t slots) {
  const auto done = table_.sweep(slots);
  if (writer_ && !table_.snapshotting()) {
    writer_->flush();
    writer_.reset();
  }
  return done;
}

template <class Key, has_states Function, class Timing>
stored_states keyed_rows<Key, Function, Timing>::declared() const {
  auto all = list_states(*function_);
  std::erase_if(all, [](const auto& state) { return state.mode != redistribution::none; });
  return {codec_identity<Key>(), std::move(all)};
}

/// What the former subtasks declared; none: there were none. Errors: corrupt.
template <class Key, has_states Function, class Timing>
result<std::optional<stored_states>> keyed_rows<Key, Function, Timing>::stored_list(
    const restored_chunks& chunks, std::string_view section) const {
  const auto wanted = declarations_section(section);
  std::optional<stored_states> first;
  for (const snapshot_chunk& chunk : chunks) {
    if (chunk.section != wanted) continue;
    byte_reader in{chunk.bytes};
    auto stored = stored_states::read(in);
    if (!stored) return std::move(stored).failure();
    if (first && (first->key_type != stored->key_type || first->states != stored->states))
      return error{errc::corrupt, "the subtasks stored different lists of states"};
    first = std::move(*stored);
  }
  return first;
}

template <class Key, has_states Function, class Timing>
auto keyed_rows<Key, Function, Timing>::read_as(const stored_states& stored)
    -> result<typename layout::read_options> {
  const auto now = declared();
  auto order = match_states(stored, now);
  if (!order) return std::move(order).failure();
  typename layout::read_options as{*order, stored_formats(stored, now, *order)};
  for (std::size_t i = 0; i < layout::count; ++i)
    if (const auto* rule = rule_of(i)) as.formats[i].restore_time = rule->now;
  warnings_ = lengthened_ttls(stored, now, *order);
  return as;
}

template <class Key, has_states Function, class Timing>
status keyed_rows<Key, Function, Timing>::restore(const restored_chunks& chunks,
                                                  std::string_view section) {
  const auto of_section = [&](const snapshot_chunk& chunk) { return chunk.section == section; };
  const auto done = [&]() -> status {
    auto stored = stored_list(chunks, section);
    if (!stored) return std::move(stored).failure();
    if (!*stored) {
      if (std::none_of(chunks.begin(), chunks.end(), of_section)) return {};
      return error{errc::corrupt, "the list of states is missing"};
    }
    const auto as = read_as(**stored);
    if (!as) return error{as.failure()};
    for (const snapshot_chunk& chunk : chunks) {
      if (!of_section(chunk)) continue;
      if (auto restored = restore_rows(chunk, *as); !restored) return restored;
    }
    return {};
  }();
  return done.ok() ? done : error{done.failure()}.within(section);
}

template <class Key, has_states Function, class Timing>
status keyed_rows<Key, Function, Timing>::restore_rows(const snapshot_chunk& chunk,
                                                       const typename layout::read_options& as) {
  if (!chunk.group) return error{errc::corrupt, "keyed state without a key group"};
  if (!groups_.contains(*chunk.group)) return {};
  byte_reader in{chunk.bytes};
  while (in.remaining() > 0) {
    const std::byte* row = table_.restore_row(in, as);
    if (row == nullptr)
      return error{errc::corrupt, "a row of key group " + std::to_string(chunk.group->value) +
                                      " is damaged, or its key is there twice"};
    if (key_group_of(stable_hash(table_type::key_of(row)), max_parallelism_) != *chunk.group)
      return error{errc::corrupt, "a key of key group " + std::to_string(chunk.group->value) +
                                      " belongs to another one: was the max parallelism changed?"};
  }
  return {};
}

}  // namespace weir::state
