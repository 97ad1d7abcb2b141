// SPDX-License-Identifier: Apache-2.0
#include "weir/state/state_declaration.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "weir/core/codec.hpp"

namespace weir::state {
namespace {

constexpr std::uint64_t format_version = 2;  // 1: without TTL

const state_declaration* find(const std::vector<state_declaration>& states,
                              const std::string& name) {
  const auto found = std::find_if(states.begin(), states.end(),
                                  [&](const state_declaration& s) { return s.name == name; });
  return found == states.end() ? nullptr : &*found;
}

std::string described(const state_declaration& state) { return state.kind + " of " + state.type; }

status check_ttl(const state_declaration& state) {
  if (!state.ttl) return {};
  if (state.mode != redistribution::none)
    return error{errc::invalid_argument, "state \"" + state.name + "\" (" + described(state) +
                                             ") has a TTL, and only keyed state can have one: "
                                             "leave it out"};
  if (auto valid = state.ttl->validate(); !valid)
    return std::move(valid).failure().within("state \"" + state.name + "\"");
  return {};
}

/// Keyed states share a row, whose last cell is not for rows with a TTL.
status check_count(const std::vector<state_declaration>& declarations) {
  const auto keyed = static_cast<std::size_t>(
      std::count_if(declarations.begin(), declarations.end(),
                    [](const auto& state) { return state.mode == redistribution::none; }));
  const bool timed = std::any_of(declarations.begin(), declarations.end(),
                                 [](const auto& state) { return state.ttl.has_value(); });
  const std::size_t most = timed ? std::size_t{never_present} : max_cells;
  if (keyed <= most) return {};
  return error{errc::invalid_argument, std::to_string(keyed) +
                                           " keyed states are listed in uses_states()" +
                                           (timed ? ", one of them with a TTL" : "") +
                                           ": list at most " + std::to_string(most)};
}

// The stored numbers of a state's TTL; never renumber.
constexpr std::uint64_t ttl_off = 0;
constexpr std::uint64_t ttl_by_processing_time = 1;
constexpr std::uint64_t ttl_by_event_time = 2;

void write_ttl(byte_writer& out, const std::optional<ttl_config>& ttl) {
  if (!ttl) return out.varint(ttl_off);
  out.varint(ttl->clock == ttl_clock::event_time ? ttl_by_event_time : ttl_by_processing_time);
  out.varint(static_cast<std::uint64_t>(ttl->lifetime.count()));
}

std::optional<ttl_config> read_ttl(byte_reader& in) {
  const auto kind = in.varint();
  if (kind == ttl_off) return std::nullopt;
  if (kind > ttl_by_event_time) in.fail();
  const auto stored = ttl(duration{static_cast<std::int64_t>(in.varint())});
  return stored.with_clock(kind == ttl_by_event_time ? ttl_clock::event_time
                                                     : ttl_clock::processing_time);
}

}  // namespace

status check_declarations(const std::vector<state_declaration>& declarations) {
  for (auto at = declarations.begin(); at != declarations.end(); ++at) {
    if (at->name.empty())
      return error{errc::invalid_argument,
                   "a state (" + described(*at) + ") has no name: give it one"};
    const auto twin = std::find_if(declarations.begin(), at, [&](const state_declaration& other) {
      return other.name == at->name;
    });
    if (twin != at)
      return error{errc::invalid_argument, "state \"" + at->name +
                                               "\" is listed twice in uses_states(), as " +
                                               described(*twin) + " and as " + described(*at) +
                                               ": give each state a name of its own"};
    if (auto valid = check_ttl(*at); !valid) return valid;
  }
  return check_count(declarations);
}

void stored_states::write(byte_writer& out) const {
  out.varint(format_version);
  out.block(key_type);
  out.varint(states.size());
  for (const state_declaration& state : states) {
    out.block(state.name);
    out.block(state.kind);
    out.block(state.type);
    out.varint(static_cast<std::uint64_t>(state.mode));
    write_ttl(out, state.ttl);
  }
}

result<stored_states> stored_states::read(byte_reader& in) {
  const auto version = in.varint();
  if (!in.failed() && (version == 0 || version > format_version))
    return error{errc::corrupt, "the list of states has format version " + std::to_string(version) +
                                    ", and this build reads versions up to " +
                                    std::to_string(format_version)};
  stored_states all;
  all.key_type = in.block();
  const auto count = in.varint();
  for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
    state_declaration state;
    state.name = in.block();
    state.kind = in.block();
    state.type = in.block();
    const auto mode = in.varint();
    if (mode > static_cast<std::uint64_t>(redistribution::identical)) in.fail();
    state.mode = static_cast<redistribution>(mode);
    if (version >= 2) state.ttl = read_ttl(in);
    all.states.push_back(std::move(state));
  }
  if (in.failed() || in.remaining() > 0)
    return error{errc::corrupt, "the list of states is damaged"};
  return all;
}

result<cell_order> match_states(const stored_states& stored, const stored_states& declared) {
  if (stored.key_type != declared.key_type)
    return error{errc::invalid_argument, "the snapshot has keys of type " + stored.key_type +
                                             ", and the function is given keys of type " +
                                             declared.key_type + ": keys cannot change"};
  cell_order order{};
  if (stored.states.size() > order.size())
    return error{errc::corrupt, "the snapshot lists " + std::to_string(stored.states.size()) +
                                    " states in a row, and a row has no more than " +
                                    std::to_string(order.size())};
  for (std::size_t i = 0; i < stored.states.size(); ++i) {
    const auto& old = stored.states[i];
    const auto* now = find(declared.states, old.name);
    if (now == nullptr)
      return error{errc::invalid_argument, "the snapshot holds state \"" + old.name + "\" (" +
                                               described(old) +
                                               "), which is not listed in uses_states() any more: "
                                               "list it, or start without this snapshot"};
    if (old.kind != now->kind || !fields_compatible(old.type, now->type))
      return error{errc::invalid_argument,
                   "state \"" + old.name + "\": the snapshot holds " + described(old) +
                       ", and the function declares " + described(*now) +
                       ": only plain structs may change, by fields at their end"};
    order[i] = static_cast<std::uint8_t>(now - declared.states.data());
  }
  return order;
}

}  // namespace weir::state
