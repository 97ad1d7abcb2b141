// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::dataflow {

/// What several numbers come to.
enum class combine_long { min, max };

/// What several truth values come to.
enum class combine_bool {
  all_of,  ///< true if all are
  any_of   ///< true if one is
};

/// What an operator does with a custom watermark that its function has seen and left to it.
enum class watermark_handling {
  forward,  ///< Sends it on.
  ignore    ///< Drops it.
};

/// A custom watermark that carries a number: a message from function to function, in order with the
/// records, that every subtask behind the sender gets. Given by a function's
/// `declare_watermarks()`; the same declaration names it in `watermark_manager` and
/// `custom_watermark`. A value.
///
/// Where several channels meet, the newest values of all of them are combined; the result is handed
/// on when it differs from the last one, and may be lower than that. Combined values are not part
/// of checkpoints: after a restore a channel counts again when it has sent again.
struct long_watermark {
  std::string identifier;  ///< one declaration per identifier and job; capitals count
  combine_long combine = combine_long::min;
  bool wait_for_all = false;  ///< hand on nothing before every channel has sent
  watermark_handling handling = watermark_handling::forward;
  bool aligned = false;  ///< not available: refused when the graph is built
};

/// A custom watermark that carries a truth value; else as `long_watermark`.
struct bool_watermark {
  std::string identifier;
  combine_bool combine = combine_bool::all_of;
  bool wait_for_all = false;
  watermark_handling handling = watermark_handling::forward;
  bool aligned = false;
};

/// The declaration of a custom watermark of either type. A value.
struct watermark_declaration {
  enum class value_type : std::uint8_t { number, truth };

  std::string identifier;
  value_type type = value_type::number;
  bool largest = false;  ///< max or any_of; else min or all_of
  bool wait_for_all = false;
  watermark_handling handling = watermark_handling::forward;
  bool aligned = false;

  watermark_declaration(const long_watermark& w)
      : identifier{w.identifier},
        largest{w.combine == combine_long::max},
        wait_for_all{w.wait_for_all},
        handling{w.handling},
        aligned{w.aligned} {}
  watermark_declaration(const bool_watermark& w)
      : identifier{w.identifier},
        type{value_type::truth},
        largest{w.combine == combine_bool::any_of},
        wait_for_all{w.wait_for_all},
        handling{w.handling},
        aligned{w.aligned} {}

  friend bool operator==(const watermark_declaration&, const watermark_declaration&) = default;
};

/// For people: "long, max, waits for all, forwarded".
std::string to_string(const watermark_declaration& declaration);

/// What a function declares: `auto declare_watermarks() { return weir::watermarks(level, closed);
/// }`
template <class... Declaration>
std::vector<watermark_declaration> watermarks(const Declaration&... declarations) {
  return {watermark_declaration{declarations}...};
}

/// The custom watermarks that `f`, a function or a source, declares; none if it does not.
template <class F>
std::vector<watermark_declaration> declared_watermarks(F& f) {
  if constexpr (requires { f.declare_watermarks(); }) {
    return f.declare_watermarks();
  } else {
    return {};
  }
}

}  // namespace weir::dataflow

namespace weir {
using dataflow::bool_watermark;
using dataflow::combine_bool;
using dataflow::combine_long;
using dataflow::long_watermark;
using dataflow::watermark_handling;
using dataflow::watermarks;
}  // namespace weir
