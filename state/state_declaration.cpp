// SPDX-License-Identifier: Apache-2.0
#include "weir/state/state_declaration.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "weir/core/codec.hpp"

namespace weir::state {
namespace {

constexpr std::uint64_t format_version = 1;

const state_declaration* find(const std::vector<state_declaration>& states,
                              const std::string& name) {
  const auto found = std::find_if(states.begin(), states.end(),
                                  [&](const state_declaration& s) { return s.name == name; });
  return found == states.end() ? nullptr : &*found;
}

std::string described(const state_declaration& state) { return state.kind + " of " + state.type; }

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
  }
  return {};
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
  }
}

result<stored_states> stored_states::read(byte_reader& in) {
  if (const auto version = in.varint(); !in.failed() && version != format_version)
    return error{errc::corrupt, "the list of states has format version " + std::to_string(version) +
                                    ", and this build reads only version " +
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
