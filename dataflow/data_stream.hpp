// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iostream>
#include <type_traits>
#include <vector>

#include "weir/dataflow/data_sink.hpp"
#include "weir/dataflow/filter_operator.hpp"
#include "weir/dataflow/flat_map_operator.hpp"
#include "weir/dataflow/functions.hpp"
#include "weir/dataflow/map_operator.hpp"
#include "weir/dataflow/output_tag.hpp"
#include "weir/dataflow/print_sink.hpp"
#include "weir/dataflow/sink_operator.hpp"
#include "weir/dataflow/watermark_operator.hpp"

namespace weir::dataflow {

template <class K, class T, class Select>
class keyed_stream;
template <class T>
class global_stream;
template <class T>
class broadcast_stream;

/// A stream of records of type T. A value: it stands for a place in the job's graph, and its
/// functions add operators there.
template <class T>
class data_stream : public stream_base<data_stream<T>> {
 public:
  using value_type = T;

  static_assert(std::is_copy_constructible_v<T> && std::is_nothrow_move_constructible_v<T>,
                "data_stream<T>: T must be copyable, and movable without an exception");

  explicit data_stream(stream_origin origin) : stream_base<data_stream<T>>{std::move(origin)} {}

  /// f(record) for each record.
  template <class F>
  auto map(F f, call_site where = call_site::here()) const {
    constexpr bool fits = [] {
      if constexpr (std::is_invocable_v<F&, const T&>) {
        return !std::is_void_v<std::invoke_result_t<F&, const T&>>;
      } else {
        return false;
      }
    }();
    static_assert(fits,
                  "data_stream<T>::map(f): f must be callable as `R f(const T&)`, with R not void");
    static_assert(!has_declared_states<F>,
                  "data_stream<T>::map(f): f declares state, which map cannot give it; use "
                  "process(f)");
    if constexpr (fits) {
      using R = std::remove_cvref_t<std::invoke_result_t<F&, const T&>>;
      return add<R>("map", where,
                    [f = std::move(f)] { return std::make_unique<map_operator<T, R, F>>(f); });
    } else {
      return *this;
    }
  }

  /// The records for which f(record) is true.
  template <class F>
  data_stream filter(F f, call_site where = call_site::here()) const {
    constexpr bool fits = std::is_invocable_r_v<bool, F&, const T&>;
    static_assert(fits, "data_stream<T>::filter(f): f must be callable as `bool f(const T&)`");
    static_assert(!has_declared_states<F>,
                  "data_stream<T>::filter(f): f declares state, which filter cannot give it; use "
                  "process(f)");
    if constexpr (fits) {
      return add<T>("filter", where,
                    [f = std::move(f)] { return std::make_unique<filter_operator<T, F>>(f); });
    } else {
      return *this;
    }
  }

  /// f(record, collector<R>&) for each record; emits any number of records. R is to be named.
  template <class R, class F>
  data_stream<R> flat_map(F f, call_site where = call_site::here()) const {
    constexpr bool fits = std::is_invocable_v<F&, const T&, collector<R>&>;
    static_assert(
        fits, "data_stream<T>::flat_map<R>(f): f must be callable as `f(const T&, collector<R>&)`");
    static_assert(
        !has_declared_states<F>,
        "data_stream<T>::flat_map<R>(f): f declares state, which flat_map cannot give it; "
        "use process(f)");
    if constexpr (fits) {
      return add<R>("flat map", where,
                    [f = std::move(f)] { return std::make_unique<flat_map_operator<T, R, F>>(f); });
    } else {
      return data_stream<R>{this->origin()};
    }
  }

  /// Gives records their times and makes watermarks. The alignment of a strategy is for sources.
  template <class Extract, class Generator>
  data_stream assign_timestamps_and_watermarks(watermark_strategy<Extract, Generator> strategy,
                                               call_site where = call_site::here()) const {
    if (auto fits = strategy.validate(); !fits) {
      this->origin().job->report(where, fits.error_text());
    }
    if (strategy.options().alignment) {
      this->origin().job->report(where,
                                 "with_alignment holds a source back, which a stream cannot: give "
                                 "the strategy to from_source(source, strategy)");
    }
    return add<T>("watermarks", where, [strategy = std::move(strategy)] {
      return std::make_unique<watermark_operator<T, Extract, Generator>>(strategy);
    });
  }

  /// All records of this stream and the others, in no particular order among them.
  template <class... Others>
  data_stream union_with(const Others&... others) const {
    static_assert((std::is_same_v<Others, data_stream<T>> && ...),
                  "data_stream<T>::union_with(others): the others must be data_stream<T>, too");
    auto all = *this;
    (all.append(others), ...);
    return all;
  }

  /// Partitions by the key `select(record)`: a data member, member function or function.
  template <class Select>
  auto key_by(Select select) const;

  /// Gathers all records in windows, whatever their keys, in a single subtask: `spec` says which.
  /// Functions of such windows are not given a key.
  template <class Spec>
  auto window_all(Spec spec, call_site where = call_site::here()) const;

  /// What the operator emitted for `tag`. Nothing if it never does.
  template <class U>
  data_stream<U> side_output(const output_tag<U>& tag) const {
    auto from = this->origin();
    from.output = from.job->side_output(from.node, {std::string{tag.name}, tag_of<U>(), [] {
                                                      return std::make_unique<collector<U>>();
                                                    }});
    return data_stream<U>{std::move(from)};
  }

  /// Calls f.process_record(record, collector<R>&[, partitioned_context&]) for each record, with
  /// two collectors for two outputs; see process_operator.hpp. Gives a stream, or a pair of them.
  template <class F>
  auto process(F f, call_site where = call_site::here()) const;

  /// Each record to a subtask of the next operator in turn.
  data_stream rebalance() const { return repartitioned(partitioning::rebalance); }
  /// The same by the name that DataStream V2 gives it.
  data_stream shuffle() const { return rebalance(); }
  /// A copy of each record to every subtask of the next operator.
  data_stream replicate() const { return repartitioned(partitioning::broadcast); }
  /// All records to every subtask of an operator that is given another stream, too.
  broadcast_stream<T> broadcast() const;
  /// All records in one partition.
  global_stream<T> global() const;

  /// This stream and another, for a function that is given both: a non-keyed or a broadcast one.
  template <class Other>
  auto connect(const Other& other) const;

  /// Ends in a sink.
  template <sink S>
  data_sink sink_to(S definition, call_site where = call_site::here()) const {
    static_assert(std::is_same_v<typename S::value_type, T>,
                  "data_stream<T>::sink_to(sink): the sink's value_type must be T");
    const auto job = this->origin().job;
    const auto index = add_node(
        "sink", where, [definition] { return std::make_unique<sink_operator<S>>(definition); });
    if constexpr (attempt_preparing<S>) {
      job->at(index).before_attempt = [definition](const attempt_start& start) {
        return sink_operator<S>::prepare_attempt(definition, start);
      };
    }
    return data_sink{{job, index, 0}};
  }

  /// Writes each record as a line, at once.
  data_sink print(std::ostream& out = std::cout, call_site where = call_site::here()) const {
    return sink_to(print_sink<T>{out}, where).name("print");
  }

  /// Adds an operator of the caller's own behind this stream; what `map` and the others are made
  /// of. `make` gives a `std::unique_ptr` to an operator with an input of T and an output of R.
  template <class R, class Make>
  data_stream<R> add(std::string kind, call_site where, Make make) const {
    return data_stream<R>{{this->origin().job, add_node(std::move(kind), where, make), 0}};
  }

  /// The edges to the next operator: one, or more for a union.
  std::vector<graph_edge> edges(batch_hasher<T> hasher = {}) const {
    std::vector<graph_edge> all;
    const auto add_edge = [&](const part& p) {
      all.push_back(edge_from<T>(p.origin, hasher ? partitioning::hash : p.how, hasher));
    };
    add_edge({this->origin(), how_});
    for (const auto& other : also_) add_edge(other);
    return all;
  }

  /// The same records, which get to the next operator in another way.
  data_stream repartitioned(partitioning how) const {
    auto copy = *this;
    copy.how_ = how;
    for (auto& other : copy.also_) other.how = how;
    return copy;
  }

 private:
  /// A stream of a union, and how its records get to the next operator.
  struct part {
    stream_origin origin;
    partitioning how = partitioning::forward;
  };

  void append(const data_stream& other) {
    const auto more = other.also_;  // of a copy: a stream may be united with itself
    also_.push_back({other.origin(), other.how_});
    also_.insert(also_.end(), more.begin(), more.end());
  }

  template <class Make>
  node_index add_node(std::string kind, call_site where, Make make) const {
    graph_node node;
    node.kind = kind;
    node.name = std::move(kind);
    node.where = where;
    node.make = std::move(make);
    node.inputs = edges();
    return this->origin().job->add(std::move(node));
  }

  partitioning how_ = partitioning::forward;
  std::vector<part> also_;  ///< the other streams of a union
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::data_stream;
}
