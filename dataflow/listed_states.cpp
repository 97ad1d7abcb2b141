// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/listed_states.hpp"

#include "weir/state/state_error.hpp"

namespace weir::dataflow {

const listed_states::entry* listed_states::find_named(std::string_view name) const {
  for (const auto& e : entries_) {
    if (e->name == name) return e.get();
  }
  return nullptr;
}

void listed_states::fail_as_other_class(const entry& listed, const std::string& wanted) {
  throw state::state_error{"state \"" + listed.name + "\" is asked for as " + wanted +
                           ", and uses_states() lists it as " + listed.described +
                           ": declare it the same way in both places"};
}

void listed_states::fail_as_not_listed(const std::string& name) {
  throw state::state_error{"state \"" + name +
                           "\" is used but not listed in uses_states(): list it there"};
}

}  // namespace weir::dataflow
