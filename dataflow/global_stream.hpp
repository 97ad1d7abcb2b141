// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "weir/dataflow/broadcast_stream.hpp"
#include "weir/dataflow/data_stream.hpp"

namespace weir::dataflow {

/// A stream that is one partition: whatever takes it has a single subtask, whatever the parallelism
/// of the job. A value.
template <class T>
class global_stream : public stream_base<global_stream<T>> {
 public:
  using value_type = T;

  explicit global_stream(data_stream<T> records)
      : stream_base<global_stream<T>>{records.origin()},
        records_{records.repartitioned(partitioning::global)} {}
  explicit global_stream(stream_origin origin) : global_stream{data_stream<T>{std::move(origin)}} {}

  /// Calls f.process_record(record, collector<R>&[, partitioned_context&]) for each record, with
  /// two collectors for two outputs; see process_streams.hpp. Its states are those of the one
  /// partition. Gives a global stream, or a pair of them.
  template <class F>
  auto process(F f, call_site where = call_site::here()) const;

  /// This stream and another global one, for a function that is given both.
  template <class U>
  auto connect(const global_stream<U>& other) const;

  /// Partitions by the key `select(record)`.
  template <class Select>
  auto key_by(Select select) const {
    return records_.repartitioned(partitioning::forward).key_by(std::move(select));
  }
  /// Each record to a subtask of the next operator in turn.
  data_stream<T> shuffle() const { return records_.repartitioned(partitioning::rebalance); }
  /// All records to every subtask of an operator that is given another stream, too.
  broadcast_stream<T> broadcast() const { return broadcast_stream<T>{records_}; }

  /// Ends in a sink with one writer.
  template <sink S>
  data_sink sink_to(S definition, call_site where = call_site::here()) const {
    auto end = records_.sink_to(std::move(definition), where);
    end.origin().job->at(end.origin().node).single = true;
    return end;
  }
  /// Writes each record as a line, at once.
  data_sink print(std::ostream& out = std::cout, call_site where = call_site::here()) const {
    return sink_to(print_sink<T>{out}, where).name("print");
  }

  /// What the operator emitted for `tag`.
  template <class U>
  global_stream<U> side_output(const output_tag<U>& tag) const {
    return global_stream<U>{records_.side_output(tag)};
  }

  const data_stream<T>& records() const { return records_; }

 private:
  data_stream<T> records_;
};

template <class T>
global_stream<T> data_stream<T>::global() const {
  return global_stream<T>{*this};
}

}  // namespace weir::dataflow

namespace weir {
using dataflow::global_stream;
}
