// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/dataflow/data_stream.hpp"
#include "weir/dataflow/single_partition.hpp"

namespace weir::dataflow {

namespace internal {

/// What a key is kept as, when the selector gives a view of it.
template <class K>
struct owned_key {
  using type = K;
};
template <>
struct owned_key<std::string_view> {
  using type = std::string;
};

/// Selects the key of a stream without keys.
struct whole_stream {
  template <class T>
  constexpr single_partition operator()(const T&) const {
    return single_partition::whole;
  }
};

}  // namespace internal

/// The type of the keys that `Select` gives for records of type T, as they are kept in state.
template <class Select, class T>
using key_of = typename internal::owned_key<
    std::remove_cvref_t<std::invoke_result_t<const Select&, const T&>>>::type;

/// A stream whose records are partitioned by key: all records of a key go to the same subtask,
/// and functions on it have state per key. A value.
template <class K, class T, class Select>
class keyed_stream {
 public:
  using key_type = K;
  using value_type = T;
  using select_type = Select;

  keyed_stream(data_stream<T> records, Select select, bool in_place = false)
      : records_{std::move(records)}, select_{std::move(select)}, in_place_{in_place} {}

  /// Calls f.process_record(record, collector<R>&[, keyed_context<K>&]) for each record, with two
  /// collectors for two outputs; see process_streams.hpp. The states of `f` are those of the
  /// record's key. Gives a stream that is not keyed, or a pair of them.
  template <class F>
  auto process(F f, call_site where = call_site::here()) const;

  /// The same, but what comes out is keyed, and is not moved to other subtasks for that: `select`
  /// must give the current key for every record that is emitted, or the job fails.
  template <class F, class NewSelect>
    requires(!std::is_same_v<NewSelect, call_site>)
  auto process(F f, NewSelect select, call_site where = call_site::here()) const;

  /// The same for a function with two outputs.
  template <class F, class First, class Second>
    requires(!std::is_same_v<Second, call_site>)
  auto process(F f, First first, Second second, call_site where = call_site::here()) const;

  /// This stream and another, for a function that is given both: a stream with keys of the same
  /// type, or a broadcast one.
  template <class Other>
  auto connect(const Other& other) const;

  /// Partitions by another key.
  template <class Other>
  auto key_by(Other select) const {
    return records_.key_by(std::move(select));
  }
  /// Each record to a subtask of the next operator in turn.
  data_stream<T> shuffle() const { return records_.shuffle(); }
  /// All records in one partition.
  auto global() const { return records_.global(); }
  /// All records to every subtask of an operator that is given another stream, too.
  auto broadcast() const { return records_.broadcast(); }

  /// Gathers the records of a key in windows: `spec` says which.
  template <class Spec>
  auto window(Spec spec, call_site where = call_site::here()) const {
    return spec.apply(*this, where);
  }

  const Select& select() const { return select_; }
  const data_stream<T>& records() const { return records_; }

  /// Adds a keyed operator of the caller's own; what `process` and windows are made of. Its name,
  /// kind, states and `make` are those of `node`; `make` gives an operator with an input of T and
  /// an output of R.
  template <class R>
  data_stream<R> add(graph_node node) const {
    return data_stream<R>{add_node(std::move(node))};
  }
  /// The same for an operator with any outputs; gives its first one.
  stream_origin add_node(graph_node node) const {
    node.keyed = true;
    node.inputs = edges();
    const auto& job = records_.origin().job;
    return {job, job->add(std::move(node)), 0};
  }

  /// The edges to a keyed operator.
  std::vector<graph_edge> edges() const {
    auto all = records_.edges(hasher());
    for (auto& edge : all) edge.keyed_already = in_place_;
    return all;
  }

  /// Fills a batch's hash column from the keys.
  batch_hasher<T> hasher() const {
    return [select = select_](batch<T>& data) { hash_keys(select, data); };
  }

  static void hash_keys(const Select& select, batch<T>& data) {
    std::uint64_t* const hashes = data.hash_column();
    for (std::size_t i = 0; i < data.rows(); ++i) {
      hashes[i] = stable_hash(std::invoke(select, std::as_const(data.values()[i])));
    }
    data.mark_hashed();
  }

 private:
  data_stream<T> records_;
  Select select_;
  bool in_place_;  ///< the records are where their keys are
};

template <class T>
template <class Select>
auto data_stream<T>::key_by(Select select) const {
  constexpr bool fits = std::is_invocable_v<const Select&, const T&>;
  static_assert(fits,
                "data_stream<T>::key_by(f): f must give the key of a record: a data member, "
                "a member function or a function `K f(const T&)`");
  if constexpr (fits) {
    return keyed_stream<key_of<Select, T>, T, Select>{*this, std::move(select)};
  } else {
    return *this;
  }
}

template <class T>
template <class Spec>
auto data_stream<T>::window_all(Spec spec, call_site where) const {
  using keyed = keyed_stream<single_partition, T, internal::whole_stream>;
  return keyed{*this, {}}.window(std::move(spec), where);
}

}  // namespace weir::dataflow

namespace weir {
using dataflow::keyed_stream;
}
