// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "weir/dataflow/keyed_stream.hpp"
#include "weir/windowing/evictors.hpp"
#include "weir/windowing/trigger_root.hpp"
#include "weir/windowing/window_functions.hpp"
#include "weir/windowing/window_plan.hpp"

namespace weir::windowing {

/// Stands for the trigger that the assigner's windows have unless another is asked for.
struct assigners_trigger {};

/// The records of a keyed stream, gathered per key in the windows that `Assigner` says. A value;
/// what is to become of a window's records ends it: `reduce`, `aggregate` or `process`.
///
/// Where that takes a second function `p`, it is called as p.process_record(key, window, result,
/// collector<R>&[, window_context&]) for each result, without the key if the stream had none; see
/// window_function.hpp. What is emitted has the window's last time. A window of a key without
/// records, or whose records have all been evicted, emits nothing.
template <class K, class T, class Select, class Assigner, class Trigger, class Evictor>
class windowed_stream {
 public:
  using keyed = dataflow::keyed_stream<K, T, Select>;
  using call_site = dataflow::call_site;
  using window = typename Assigner::window_type;

  windowed_stream(keyed records, Assigner assigner, Trigger trigger = {}, Evictor evictor = {},
                  window_options options = {})
      : records_{std::move(records)},
        assigner_{std::move(assigner)},
        trigger_{std::move(trigger)},
        evictor_{std::move(evictor)},
        options_{std::move(options)} {}

  /// Says when a window's result is emitted, instead of the assigner's trigger, which has no say
  /// any more. See triggers.hpp.
  /// Errors, in the graph: windows that merge and a trigger that cannot; those of the trigger.
  template <class Other>
  auto trigger(Other other, call_site where = call_site::here()) const {
    report(where, check_trigger<Assigner>(other));
    return windowed_stream<K, T, Select, Assigner, Other, Evictor>{
        records_, assigner_, std::move(other), evictor_, options_};
  }

  /// Removes records of a window whenever its trigger fires. The window then keeps all records,
  /// also for `reduce` and `aggregate`, which do their work for each firing anew.
  /// Errors, in the graph: those of the evictor.
  template <class Other>
  auto evictor(Other other, call_site where = call_site::here()) const {
    report(where, other.validate());
    return windowed_stream<K, T, Select, Assigner, Trigger, Other>{records_, assigner_, trigger_,
                                                                   std::move(other), options_};
  }

  /// How long after a window has ended, by the watermark, records for it are still taken. With the
  /// assigner's trigger each of them fires it once more for its key. 0 unless set; windows of the
  /// processing clock have none. Error, in the graph: less than 0.
  windowed_stream allowed_lateness(duration lateness, call_site where = call_site::here()) const {
    if (lateness < duration::zero()) {
      report(where, error{errc::invalid_argument, "allowed lateness of " +
                                                      std::to_string(lateness.count()) +
                                                      " ms, needs 0 or more"});
    }
    auto copy = *this;
    copy.options_.allowed_lateness = lateness;
    return copy;
  }

  /// Emits records that come too late, with their times, to the side output `tag` of the result.
  /// Without it they are dropped, and counted in the metric `late_records_dropped`.
  template <class U>
  windowed_stream late_output(const output_tag<U>& tag) const {
    static_assert(std::is_same_v<U, T>,
                  "windowed_stream<K, T>::late_output(tag): tag must be an output_tag<T>");
    auto copy = *this;
    copy.options_.late_output = tag.name;
    return copy;
  }

  /// Emits, for each key and window, its records made one by f(f(first, second), third)…
  template <class F>
  auto reduce(F f, call_site where = call_site::here()) const {
    if constexpr (check_reduce<F>()) {
      return add<T>(window_reduce<T, F>{std::move(f)}, emit_results<K, window, T>{}, where);
    } else {
      return records_.records();
    }
  }

  /// Calls `p` with the reduced record.
  template <class F, class P>
    requires(!std::is_same_v<P, call_site>)
  auto reduce(F f, P p, call_site where = call_site::here()) const {
    if constexpr (check_reduce<F>() && check_function<P, T>()) {
      return add<T>(window_reduce<T, F>{std::move(f)}, std::move(p), where);
    } else {
      return records_.records();
    }
  }

  /// Adds the records of each key and window to an accumulator, and emits a.get_result of it.
  template <class A>
  auto aggregate(A a, call_site where = call_site::here()) const {
    if constexpr (check_aggregate<A>()) {
      using result = state::aggregate_output<A>;
      return add<result>(window_aggregate<T, A>{std::move(a)}, emit_results<K, window, result>{},
                         where);
    } else {
      return records_.records();
    }
  }

  /// Calls `p` with the result of the aggregate.
  template <class A, class P>
    requires(!std::is_same_v<P, call_site>)
  auto aggregate(A a, P p, call_site where = call_site::here()) const {
    if constexpr (check_aggregate<A>()) {
      using result = state::aggregate_output<A>;
      if constexpr (check_function<P, result>()) {
        return add<result>(window_aggregate<T, A>{std::move(a)}, std::move(p), where);
      } else {
        return records_.records();
      }
    } else {
      return records_.records();
    }
  }

  /// Calls `p` with all records of the window, in the order in which they came: a
  /// `std::span<const T>`, valid during the call. They are kept until the window is cleaned up.
  template <class P>
  auto process(P p, call_site where = call_site::here()) const {
    if constexpr (check_function<P, std::span<const T>>()) {
      return add<std::span<const T>>(window_records<T>{}, std::move(p), where);
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

  template <class P, class Result>
  static consteval bool check_function() {
    constexpr bool fits = window_function<P, K, window, Result>;
    static_assert(fits,
                  "windowed_stream<K, T>: a window function must have `process_record(const K&, "
                  "const W&, const Result&, collector<R>&)`, with a window_context& behind it if "
                  "you like, and without the key after window_all; Result is what the first "
                  "function gives, or std::span<const T>");
    static_assert(!(Assigner::merging && has_window_states<P>),
                  "windowed_stream<K, T>: windows that merge have no states of their own: leave "
                  "uses_window_states() out");
    return fits && !(Assigner::merging && has_window_states<P>);
  }

  void report(call_site where, const status& fits) const {
    if (!fits) records_.records().origin().job->report(where, fits.error_text());
  }

  auto chosen_trigger() const {
    if constexpr (std::is_same_v<Trigger, assigners_trigger>)
      return assigner_.default_trigger();
    else
      return trigger_;
  }

  template <class Result, class Work, class P>
  auto add(Work work, P p, call_site where) const {
    auto plan = plan_windows<keyed>(assigner_, std::move(work), chosen_trigger(), evictor_,
                                    std::move(p), options_, records_.select());
    report(where, plan.check());
    dataflow::graph_node node;
    node.kind = Assigner::kind;
    node.name = Assigner::kind;
    node.where = where;
    node.states = plan.states();
    node.single = is_unkeyed<K>;
    node.make = [plan] { return plan.make(); };
    return records_.template add<dataflow::output_of<P>>(std::move(node));
  }

  keyed records_;
  Assigner assigner_;
  Trigger trigger_;
  Evictor evictor_;
  window_options options_;
};

}  // namespace weir::windowing

namespace weir {
using windowing::windowed_stream;
}
