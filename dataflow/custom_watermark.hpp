// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weir/dataflow/control.hpp"
#include "weir/dataflow/watermark_table.hpp"

namespace weir::dataflow {

/// What a function's `on_watermark` leaves to the engine.
enum class watermark_result {
  peek,  ///< The engine does as the declaration says: forwards or ignores it.
  poll   ///< Nothing: the function has taken it, and emits one itself if it wants to.
};

/// A custom watermark as a function gets it. Valid during that call only.
class custom_watermark {
 public:
  /// For the engine. `declaration` outlives it.
  custom_watermark(const watermark_declaration& declaration, std::int64_t value)
      : declaration_{&declaration}, value_{value} {}

  const std::string& identifier() const { return declaration_->identifier; }

  /// Its value; none if it is not that watermark.
  std::optional<std::int64_t> value_of(const long_watermark& which) const {
    if (!is(which.identifier, watermark_declaration::value_type::number)) return std::nullopt;
    return value_;
  }
  std::optional<bool> value_of(const bool_watermark& which) const {
    if (!is(which.identifier, watermark_declaration::value_type::truth)) return std::nullopt;
    return value_ != 0;
  }

 private:
  bool is(const std::string& identifier, watermark_declaration::value_type type) const {
    return declaration_->identifier == identifier && declaration_->type == type;
  }

  const watermark_declaration* declaration_;
  std::int64_t value_;
};

/// For operators that call a function: shows `c` to it by `call`, which takes a `custom_watermark`
/// and gives a `watermark_result`. True: the operator passes `c` on.
/// @pre c.kind() is custom and c.number() < table.size()
template <class Call>
bool goes_on(control c, const watermark_table& table, const Call& call) {
  const auto& declaration = table.at(c.number());
  return call(custom_watermark{declaration, c.value()}) == watermark_result::peek &&
         declaration.handling == watermark_handling::forward;
}

}  // namespace weir::dataflow

namespace weir {
using dataflow::custom_watermark;
using dataflow::watermark_result;
}  // namespace weir
