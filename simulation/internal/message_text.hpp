// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <typeindex>
#include <unordered_map>

#include "weir/actors/internal/caf.hpp"

namespace weir::simulation::internal {

/// Writes messages as text that is the same in every run: "(tick, 7, weir::actors::data)". Atoms,
/// numbers and strings by value; of anything else only the type, as it may hold pointers.
class message_text {
 public:
  void append(std::string& text, const caf::type_erased_tuple& content);

 private:
  void append_element(std::string& text, const caf::type_erased_tuple& content, std::size_t index);
  const std::string& name_of(const std::type_info& type);

  std::unordered_map<std::type_index, std::string> names_;  // looked up only, never walked
};

}  // namespace weir::simulation::internal
