// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace weir::dataflow {

/// Names a side output and says what it carries. Two tags of one name are the same output.
template <class T>
struct output_tag {
  std::string_view name;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::output_tag;
}
