// SPDX-License-Identifier: Apache-2.0
#include "weir/core/codec.hpp"

namespace weir {
namespace {

constexpr std::string_view struct_opening = "agg{";

/// Where the struct ends that is open at `place`: the index of its closing brace, or the end.
std::size_t closing_brace(std::string_view identity, std::size_t place) {
  for (std::size_t depth = 0; place < identity.size(); ++place) {
    if (identity[place] == '{') ++depth;
    if (identity[place] == '}' && depth-- == 0) break;
  }
  return place;
}

}  // namespace

bool fields_compatible(std::string_view stored_identity, std::string_view wanted_identity) {
  std::size_t wanted = 0;
  std::size_t open_structs = 0;
  for (std::size_t stored = 0; stored < stored_identity.size(); ++stored, ++wanted) {
    const bool closes = stored_identity[stored] == '}' && open_structs > 0;
    if (closes && wanted > 0 && wanted < wanted_identity.size()) {
      // The stored struct ends here. What the wanted one has beyond, it can do without.
      const bool at_end_of_field =
          wanted_identity[wanted] == ',' || wanted_identity[wanted - 1] == '{';
      if (at_end_of_field) wanted = closing_brace(wanted_identity, wanted);
    }
    if (wanted >= wanted_identity.size()) return false;
    if (stored_identity[stored] != wanted_identity[wanted]) return false;
    if (closes) --open_structs;
    if (stored_identity.substr(0, stored + 1).ends_with(struct_opening)) ++open_structs;
  }
  return wanted == wanted_identity.size();
}

error not_decodable(std::string_view identity, std::size_t size, std::size_t left_over) {
  std::string text =
      std::to_string(size) + " bytes are not a value of type " + std::string{identity};
  if (left_over > 0) text += ": " + std::to_string(left_over) + " are left over";
  return error{errc::corrupt, std::move(text)};
}

}  // namespace weir
