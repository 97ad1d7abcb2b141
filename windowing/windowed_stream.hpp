// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weir/dataflow/keyed_stream.hpp"
#include "weir/windowing/event_time_trigger.hpp"
#include "weir/windowing/window_functions.hpp"
#include "weir/windowing/window_operator.hpp"

namespace weir::windowing {

/// The records of a keyed stream, gathered per key in the windows that `Assigner` says. A value;
/// what is to become of a window's records ends it: `reduce` or `aggregate`.
template <class K, class T, class Select, class Assigner>
class windowed_stream {
 public:
  using keyed = dataflow::keyed_stream<K, T, Select>;
  using call_site = dataflow::call_site;

  windowed_stream(keyed records, Assigner assigner)
      : records_{std::move(records)}, assigner_{std::move(assigner)} {}

  /// How long after a window has fired, by the watermark, records for it are still taken: each
  /// fires it once more for its key. 0 unless set. Error, in the graph: less than 0.
  windowed_stream allowed_lateness(duration lateness, call_site where = call_site::here()) const {
    if (lateness < duration::zero()) {
      records_.records().origin().job->report(
          where,
          "allowed lateness of " + std::to_string(lateness.count()) + " ms, needs 0 or more");
    }
    auto copy = *this;
    copy.lateness_ = lateness;
    return copy;
  }

  /// Emits records that come too late, with their times, to the side output `tag` of the result.
  /// Without it they are dropped, and counted in the metric `late_records_dropped`.
  template <class U>
  windowed_stream late_output(const output_tag<U>& tag) const {
    static_assert(std::is_same_v<U, T>,
                  "windowed_stream<K, T>::late_output(tag): tag must be an output_tag<T>");
    auto copy = *this;
    copy.late_output_ = tag.name;
    return copy;
  }

  /// Emits, for each key and window, its records made one by f(f(first, second), third)…, with the
  /// window's last time.
  template <class F>
  auto reduce(F f, call_site where = call_site::here()) const {
    if constexpr (check_reduce<F>()) {
      return add(reducing<T, F>{std::move(f)}, emit_result<T>{}, where);
    } else {
      return records_.records();
    }
  }

  /// Calls p.process_record(key, window, reduced record, collector<R>&) for each key and window.
  template <class F, class P>
  auto reduce(F f, P p, call_site where = call_site::here()) const {
    if constexpr (check_reduce<F>()) {
      return process(reducing<T, F>{std::move(f)}, std::move(p), where);
    } else {
      return records_.records();
    }
  }

  /// Adds the records of each key and window to an accumulator, and emits a.get_result of it, with
  /// the window's last time.
  template <class A>
  auto aggregate(A a, call_site where = call_site::here()) const {
    if constexpr (check_aggregate<A>()) {
      using contents = aggregating<T, A>;
      return add(contents{std::move(a)}, emit_result<typename contents::result_type>{}, where);
    } else {
      return records_.records();
    }
  }

  /// Calls p.process_record(key, window, result, collector<R>&) for each key and window.
  template <class A, class P>
  auto aggregate(A a, P p, call_site where = call_site::here()) const {
    if constexpr (check_aggregate<A>()) {
      return process(aggregating<T, A>{std::move(a)}, std::move(p), where);
    } else {
      return records_.records();
    }
  }

 private:
  template <class F>
  static consteval bool check_reduce() {
    static_assert(reduces<F, T>,
                  "windowed_stream<K, T>::reduce(f): f must be callable as `T f(const T&, const "
                  "T&)`, and a T assigned");
    return reduces<F, T>;
  }

  template <class A>
  static consteval bool check_aggregate() {
    static_assert(
        aggregates<A, T>,
        "windowed_stream<K, T>::aggregate(a): a must have a type `accumulator`, `add(const "
        "T&, accumulator&)`, `merge(const accumulator& from, accumulator& into)` and `R "
        "get_result(const accumulator&)`, with R not void");
    return aggregates<A, T>;
  }

  template <class Contents, class P>
  auto process(Contents contents, P p, call_site where) const {
    constexpr bool fits = processes_windows<P, K, typename Contents::result_type>;
    static_assert(fits,
                  "windowed_stream<K, T>: the second function must have `process_record(const K&, "
                  "const time_window&, const Result&, collector<R>&)`, where Result is what the "
                  "first one gives");
    if constexpr (fits) {
      return add(std::move(contents), process_result<P>{std::move(p)}, where);
    } else {
      return records_.records();
    }
  }

  template <class Contents, class Emit>
  auto add(Contents contents, Emit emit, call_site where) const {
    using made = window_operator<keyed, Assigner, Contents, Emit, event_time_trigger>;
    dataflow::graph_node node;
    node.kind = Assigner::kind;
    node.name = Assigner::kind;
    node.where = where;
    node.states = {declaration_of<Contents>()};
    node.make = [definition = typename made::definition{records_.select(),
                                                        assigner_,
                                                        std::move(contents),
                                                        std::move(emit),
                                                        {},
                                                        lateness_,
                                                        late_output_}] {
      return std::make_unique<made>(definition);
    };
    return records_.template add<typename Emit::output>(std::move(node));
  }

  keyed records_;
  Assigner assigner_;
  duration lateness_ = duration::zero();
  std::optional<std::string> late_output_;
};

}  // namespace weir::windowing

namespace weir {
using windowing::windowed_stream;
}
