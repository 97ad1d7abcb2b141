// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "weir/dataflow/data_stream.hpp"

namespace weir::dataflow {

/// A stream of which every subtask of the next operator gets all records: rules, settings. It can
/// only be connected to a keyed or a non-keyed stream. A value.
template <class T>
class broadcast_stream {
 public:
  using value_type = T;

  explicit broadcast_stream(data_stream<T> records)
      : records_{records.repartitioned(partitioning::broadcast)} {}

  /// Together with a keyed or a non-keyed stream; see connected_streams.hpp.
  template <class Other>
  auto connect(const Other& other) const {
    return other.connect(*this);
  }

  /// Not possible: says so.
  template <class F>
  void process(F) const {
    static_assert(!std::is_object_v<F>,
                  "broadcast_stream<T>::process(f): a broadcast stream cannot be processed alone; "
                  "connect it to a keyed or a non-keyed stream");
  }

  const data_stream<T>& records() const { return records_; }

 private:
  data_stream<T> records_;
};

template <class T>
broadcast_stream<T> data_stream<T>::broadcast() const {
  return broadcast_stream<T>{*this};
}

}  // namespace weir::dataflow

namespace weir {
using dataflow::broadcast_stream;
}
