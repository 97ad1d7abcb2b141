// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "weir/dataflow/functions.hpp"
#include "weir/dataflow/single_partition.hpp"
#include "weir/windowing/window_context.hpp"

namespace weir::windowing {

/// Whether windows have no keys: those of `window_all`.
template <class K>
inline constexpr bool is_unkeyed = std::is_same_v<K, dataflow::single_partition>;

namespace internal {

/// Calls `call(key, window)`, or `call(window)` where there are no keys.
template <class K, class W, class Call>
decltype(auto) with_window(const K& key, const W& window, Call&& call) {
  if constexpr (is_unkeyed<K>)
    return call(window);
  else
    return call(key, window);
}

template <class P, class K, class W, class R, class... More>
consteval bool is_callable_for_windows() {
  if constexpr (is_unkeyed<K>)
    return requires(P& p, const W& w, const R& result, More&... more) {
      p.process_record(w, result, more...);
    };
  else
    return requires(P& p, const K& k, const W& w, const R& result, More&... more) {
      p.process_record(k, w, result, more...);
    };
}

template <class P, class K, class W, class R>
consteval bool is_window_function() {
  if constexpr (dataflow::has_process_record<P>) {
    using O = dataflow::output_of<P>;
    if constexpr (!std::is_void_v<O>)
      return is_callable_for_windows<P, K, W, R, collector<O>>() ||
             is_callable_for_windows<P, K, W, R, collector<O>, window_context>();
  }
  return false;
}

template <class P, class K, class W>
consteval bool has_clear() {
  if constexpr (is_unkeyed<K>)
    return requires(P& p, const W& w, window_context& c) { p.clear(w, c); };
  else
    return requires(P& p, const K& k, const W& w, window_context& c) { p.clear(k, w, c); };
}

}  // namespace internal

/// A function of a key, a window and the result of that window. It may be called with a
/// `window_context&` as well, and have
///
/// - `uses_states()`: keyed states, which all windows of the key share;
/// - `uses_window_states()`: states per key and window, not for windows that merge;
/// - `clear(const K&, const W&, window_context&)`: called once for each window of a key that had a
///   record, when the window is cleaned up, before its states go;
/// - what other functions have: see function_operator.hpp.
///
/// There is no `const K&` where there are no keys.
template <class P, class K, class W, class R>
concept window_function = internal::is_window_function<P, K, W, R>();

/// A function with states per key and window.
template <class P>
concept has_window_states = requires(P& p) { p.uses_window_states(); };

/// Calls a window function, with a `window_context&` if there is one and it takes it.
template <class P, class K, class W, class R, class O, class... Context>
void call_window_function(P& p, const K& key, const W& window, const R& result, collector<O>& out,
                          Context&... context) {
  internal::with_window(key, window, [&](const auto&... of) {
    if constexpr (internal::is_callable_for_windows<P, K, W, R, collector<O>, Context...>())
      p.process_record(of..., result, out, context...);
    else
      p.process_record(of..., result, out);
  });
}

/// Stands where there is no window function: emits results as they are.
template <class K, class W, class R>
struct emit_results {
  void process_record(const K&, const W&, const R& result, collector<R>& out) {
    out.collect(result);
  }
};
template <class W, class R>
struct emit_results<dataflow::single_partition, W, R> {
  void process_record(const W&, const R& result, collector<R>& out) { out.collect(result); }
};

}  // namespace weir::windowing
