// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir::dataflow {

/// Identity of a record type within one process: what an erased batch or port is checked by,
/// once, before it is cast back.
using type_tag = const char*;

namespace internal {
template <class T>
inline constexpr char type_anchor = 0;
}

template <class T>
constexpr type_tag tag_of() {
  return &internal::type_anchor<T>;
}

}  // namespace weir::dataflow
