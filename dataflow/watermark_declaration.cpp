// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_declaration.hpp"

namespace weir::dataflow {

std::string to_string(const watermark_declaration& declaration) {
  const bool number = declaration.type == watermark_declaration::value_type::number;
  std::string text = number ? "long" : "bool";
  if (number) {
    text += declaration.largest ? ", max" : ", min";
  } else {
    text += declaration.largest ? ", any of" : ", all of";
  }
  if (declaration.wait_for_all) text += ", waits for all";
  return text + (declaration.handling == watermark_handling::forward ? ", forwarded" : ", ignored");
}

}  // namespace weir::dataflow
