// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/dataflow/broadcast_stream.hpp"
#include "weir/dataflow/global_stream.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/dataflow/state_legality.hpp"

namespace weir::dataflow {

/// Two streams for one function. `Input` says which kinds they are; a broadcast stream is the
/// second, whichever was connected to the other. A value.
template <function_input Input, class First, class Second>
class connected_streams {
 public:
  using first_type = typename First::value_type;
  using second_type = typename Second::value_type;

  connected_streams(First first, Second second)
      : first_{std::move(first)}, second_{std::move(second)} {}

  /// With two streams of one kind: calls f.process_first(record, collector<R>&[, context]) and
  /// f.process_second(…) for their records. With a broadcast stream: f.process_record(…) for those
  /// of the other one and f.process_broadcast(record, collector<R>&[, broadcast_context&]). See
  /// process_streams.hpp. Gives a global stream for global ones, else a stream that is not keyed.
  template <class F>
  auto process(F f, call_site where = call_site::here()) const;

  /// The same for keyed streams, and what comes out is keyed by `select` without being moved: see
  /// `keyed_stream::process`.
  template <class F, class Select>
    requires(!std::is_same_v<Select, call_site>)
  auto process(F f, Select select, call_site where = call_site::here()) const;

  const First& first() const { return first_; }
  const Second& second() const { return second_; }

  const std::shared_ptr<graph>& job() const {
    if constexpr (requires { first_.origin(); }) {
      return first_.origin().job;
    } else {
      return first_.records().origin().job;
    }
  }

  /// The edges to the operator, those of the second stream to its port 1.
  std::vector<graph_edge> edges() const {
    auto all = edges_of(first_);
    for (auto& edge : edges_of(second_)) {
      edge.port = 1;
      all.push_back(std::move(edge));
    }
    return all;
  }

 private:
  template <class Stream>
  static std::vector<graph_edge> edges_of(const Stream& stream) {
    if constexpr (requires { stream.edges(); }) {
      return stream.edges();
    } else {
      return stream.records().edges();
    }
  }

  First first_;
  Second second_;
};

namespace internal {

template <class Stream>
inline constexpr bool is_broadcast = false;
template <class T>
inline constexpr bool is_broadcast<broadcast_stream<T>> = true;

template <class Stream>
inline constexpr bool is_non_keyed = false;
template <class T>
inline constexpr bool is_non_keyed<data_stream<T>> = true;

template <class K, class Stream>
inline constexpr bool is_keyed_by = false;
template <class K, class T, class Select>
inline constexpr bool is_keyed_by<K, keyed_stream<K, T, Select>> = true;

}  // namespace internal

template <class T>
template <class Other>
auto data_stream<T>::connect(const Other& other) const {
  constexpr bool broadcast = internal::is_broadcast<Other>;
  static_assert(broadcast || internal::is_non_keyed<Other>,
                "data_stream<T>::connect(other): a non-keyed stream can be connected to another "
                "non-keyed stream or to a broadcast stream");
  constexpr auto input =
      broadcast ? function_input::non_keyed_and_broadcast : function_input::two_non_keyed;
  return connected_streams<input, data_stream, Other>{*this, other};
}

template <class K, class T, class Select>
template <class Other>
auto keyed_stream<K, T, Select>::connect(const Other& other) const {
  constexpr bool broadcast = internal::is_broadcast<Other>;
  static_assert(broadcast || internal::is_keyed_by<K, Other>,
                "keyed_stream<K, T>::connect(other): a keyed stream can be connected to a stream "
                "with keys of the same type or to a broadcast stream");
  constexpr auto input =
      broadcast ? function_input::keyed_and_broadcast : function_input::two_keyed;
  return connected_streams<input, keyed_stream, Other>{*this, other};
}

template <class T>
template <class U>
auto global_stream<T>::connect(const global_stream<U>& other) const {
  return connected_streams<function_input::two_global, global_stream, global_stream<U>>{*this,
                                                                                        other};
}

}  // namespace weir::dataflow
