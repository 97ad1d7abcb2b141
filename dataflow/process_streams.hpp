// SPDX-License-Identifier: Apache-2.0
// `process` of keyed, non-keyed and global streams.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "weir/dataflow/function_outputs.hpp"
#include "weir/dataflow/global_stream.hpp"
#include "weir/dataflow/keyed_process_operator.hpp"
#include "weir/dataflow/process_operator.hpp"

namespace weir::dataflow {

namespace internal {

/// The node of a user's function; its inputs are still to be set.
///
/// `make(Timing, Outputs, const F&)` makes the operator of one subtask, where `Timing` is a
/// `std::type_identity` of `state::timed` if a keyed state of `f` has a TTL, else of
/// `state::untimed`, and `Outputs` is `output_types<R...>{}`.
template <class Outputs, class F, class Make>
graph_node function_node(F f, function_input input, const char* kind, call_site where, Make make) {
  static_assert(Outputs::count == 1 || Outputs::count == 2,
                "process(f): f must take one `collector<R>&`, or two for two outputs");
  graph_node node;
  node.kind = node.name = kind;
  node.where = where;
  node.function = input;
  node.main_outputs = Outputs::count;
  stateful<F> declared{f};
  node.states = state::list_states(declared);
  node.watermarks = declared_watermarks(declared);
  const bool has_ttl = state::has_ttl(declared);
  node.make = [f = std::move(f), make = std::move(make),
               has_ttl]() -> std::unique_ptr<operator_base> {
    constexpr auto cells = state::state_count<stateful<F>>;
    if constexpr (cells > 0 && cells <= state::never_present) {
      if (has_ttl) return make(std::type_identity<state::timed>{}, Outputs{}, f);
    }
    static_cast<void>(has_ttl);  // not looked at where there can be no TTL
    return make(std::type_identity<state::untimed>{}, Outputs{}, f);
  };
  return node;
}

/// The streams that leave an operator, each a `Stream`: one, or a pair.
template <template <class> typename Stream, class... R>
auto streams_of(const stream_origin& from, output_types<R...>) {
  if constexpr (sizeof...(R) == 1) {
    return Stream<R...>{from};
  } else {
    std::size_t output = 0;
    return std::pair<Stream<R>...>{Stream<R>{stream_origin{from.job, from.node, output++}}...};
  }
}

/// Whether `F` can be given to `process`; says what is missing if not.
template <class F>
consteval bool check_process_record() {
  static_assert(has_process_record<F>,
                "process(f): f needs a member function `void process_record(const T&, "
                "collector<R>&)`, not overloaded");
  if constexpr (has_process_record<F>) {
    constexpr auto outputs = outputs_of<decltype(&F::process_record)>::count;
    static_assert(outputs == 1 || outputs == 2,
                  "process(f): process_record takes a `collector<R>&`, from which R is known, or "
                  "two for two outputs");
    return outputs == 1 || outputs == 2;
  }
  return false;
}

/// Adds the operator of a keyed function; gives its place.
template <class Outputs, class Stream, class F, class Keys>
stream_origin add_keyed(const Stream& stream, F f, Keys keys, call_site where) {
  auto node = function_node<Outputs>(std::move(f), function_input::keyed, "process", where,
                                     [select = stream.select(), keys]<class Timing, class... R>(
                                         std::type_identity<Timing>, output_types<R...>,
                                         const F& function) -> std::unique_ptr<operator_base> {
                                       using made =
                                           keyed_process_operator<Stream, F, Timing, Keys, R...>;
                                       return std::make_unique<made>(select, function, keys);
                                     });
  return stream.add_node(std::move(node));
}

/// Adds the operator of a function without keys.
template <class Outputs, class T, class F>
stream_origin add_unkeyed(const data_stream<T>& stream, F f, function_input input,
                          call_site where) {
  auto node = function_node<Outputs>(
      std::move(f), input, "process", where,
      []<class Timing, class... R>(std::type_identity<Timing>, output_types<R...>,
                                   const F& function) -> std::unique_ptr<operator_base> {
        return std::make_unique<process_operator<T, F, Timing, R...>>(function);
      });
  node.single = input == function_input::global;
  node.inputs = stream.edges();
  const auto& job = stream.origin().job;
  return {job, job->add(std::move(node)), 0};
}

}  // namespace internal

template <class T>
template <class F>
auto data_stream<T>::process(F f, call_site where) const {
  constexpr bool keyed =
      !declares_legally<F>(function_input::non_keyed, state::redistribution::none);
  constexpr bool shared =
      !declares_legally<F>(function_input::non_keyed, state::redistribution::identical);
  static_assert(!keyed,
                "data_stream<T>::process(f): f declares keyed state; call key_by(...) first");
  static_assert(!shared,
                "data_stream<T>::process(f): f declares IDENTICAL (broadcast) state; connect a "
                "broadcast stream first");
  if constexpr (!keyed && !shared && internal::check_process_record<F>()) {
    using outputs = internal::outputs_of<decltype(&F::process_record)>;
    const auto made =
        internal::add_unkeyed<outputs>(*this, std::move(f), function_input::non_keyed, where);
    return internal::streams_of<dataflow::data_stream>(made, outputs{});
  }
}

template <class T>
template <class F>
auto global_stream<T>::process(F f, call_site where) const {
  constexpr bool fits =
      declares_legally<F>(function_input::global, state::redistribution::identical);
  static_assert(fits,
                "global_stream<T>::process(f): f declares IDENTICAL (broadcast) state, which a "
                "global stream cannot have");
  if constexpr (fits && internal::check_process_record<F>()) {
    using outputs = internal::outputs_of<decltype(&F::process_record)>;
    const auto made =
        internal::add_unkeyed<outputs>(records_, std::move(f), function_input::global, where);
    return internal::streams_of<dataflow::global_stream>(made, outputs{});
  }
}

namespace internal {

/// `records`, keyed by `select`; they are where their keys are.
template <class R, class Select>
auto keyed_in_place(data_stream<R> records, Select select) {
  return keyed_stream<key_of<Select, R>, R, Select>{std::move(records), std::move(select), true};
}

template <class F>
consteval bool check_keyed_function() {
  constexpr bool fits =
      declares_legally<F>(function_input::keyed, state::redistribution::identical);
  static_assert(fits,
                "keyed_stream<K, T>::process(f): f declares IDENTICAL (broadcast) state; connect a "
                "broadcast stream first");
  return fits && check_process_record<F>();
}

}  // namespace internal

template <class K, class T, class Select>
template <class F>
auto keyed_stream<K, T, Select>::process(F f, call_site where) const {
  if constexpr (internal::check_keyed_function<F>()) {
    using outputs = internal::outputs_of<decltype(&F::process_record)>;
    const auto made = internal::add_keyed<outputs>(*this, std::move(f), any_output_keys{}, where);
    return internal::streams_of<data_stream>(made, outputs{});
  }
}

template <class K, class T, class Select>
template <class F, class NewSelect>
  requires(!std::is_same_v<NewSelect, call_site>)
auto keyed_stream<K, T, Select>::process(F f, NewSelect select, call_site where) const {
  if constexpr (internal::check_keyed_function<F>()) {
    using outputs = internal::outputs_of<decltype(&F::process_record)>;
    static_assert(outputs::count == 1,
                  "keyed_stream<K, T>::process(f, select): f has two outputs; give a selector for "
                  "both or for none");
    if constexpr (outputs::count == 1) {
      const auto made = internal::add_keyed<outputs>(*this, std::move(f),
                                                     same_output_keys<NewSelect>{select}, where);
      return internal::keyed_in_place(internal::streams_of<data_stream>(made, outputs{}), select);
    }
  }
}

template <class K, class T, class Select>
template <class F, class First, class Second>
  requires(!std::is_same_v<Second, call_site>)
auto keyed_stream<K, T, Select>::process(F f, First first, Second second, call_site where) const {
  if constexpr (internal::check_keyed_function<F>()) {
    using outputs = internal::outputs_of<decltype(&F::process_record)>;
    static_assert(outputs::count == 2,
                  "keyed_stream<K, T>::process(f, first, second): f must have two outputs");
    if constexpr (outputs::count == 2) {
      const auto made = internal::add_keyed<outputs>(
          *this, std::move(f), same_output_keys<First, Second>{first, second}, where);
      auto [a, b] = internal::streams_of<data_stream>(made, outputs{});
      return std::pair{internal::keyed_in_place(a, first), internal::keyed_in_place(b, second)};
    }
  }
}

}  // namespace weir::dataflow
