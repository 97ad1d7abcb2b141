// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/codec.hpp"
#include "weir/core/result.hpp"
#include "weir/state/row_layout.hpp"
#include "weir/state/state_declaration.hpp"

namespace weir::state {

/// The list that `uses_states()` returns. `uses_states()` is called for every record and must
/// inline away: it returns `auto`, is visible, and does nothing else.
template <class... State>
auto states(State&... state) {
  return std::tie(state...);
}

/// A function that declares states.
template <class F>
concept has_states = requires(F& f) { f.uses_states(); };

namespace internal {

template <class List>
struct listed;
template <class... State>
struct listed<std::tuple<State&...>> {
  static constexpr std::size_t count = sizeof...(State);
  using layout = row_layout<typename State::value_type...>;
};

}  // namespace internal

/// How many states `F` lists.
template <has_states F>
inline constexpr std::size_t state_count =
    internal::listed<decltype(std::declval<F&>().uses_states())>::count;

/// The row of the states that `F` lists, in their order.
template <has_states F>
using layout_of = typename internal::listed<decltype(std::declval<F&>().uses_states())>::layout;

/// Makes the states of `f` views of the cells of `row`, from cell `First` on. Once a record: after
/// inlining, the accesses of the function are loads and stores at constant offsets of `row`.
template <class Layout, std::size_t First = 0, has_states F>
[[gnu::always_inline]] inline void attach_states(F& f, std::byte* row) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] auto listed = f.uses_states();
    (std::get<I>(listed).attach(row, Layout::offset(First + I),
                                static_cast<std::uint32_t>(First + I)),
     ...);
  }(std::make_index_sequence<state_count<F>>{});
}

/// Takes the current key from the states of `f`: using one is an error from now on.
template <has_states F>
void detach_states(F& f) {
  std::apply([](auto&... state) { (state.detach(), ...); }, f.uses_states());
}

/// Tells the states of `f` that they are listed; before anything of `f` runs.
template <has_states F>
void bind_states(F& f) {
  std::apply([](auto&... state) { (state.bind(), ...); }, f.uses_states());
}

/// What `f` lists, in its order, not checked.
template <has_states F>
std::vector<state_declaration> list_states(F& f) {
  return std::apply(
      []<class... State>(State&... state) {
        return std::vector<state_declaration>{{state.name(), std::string{State::kind},
                                               codec_identity<typename State::value_type>(),
                                               State::mode}...};
      },
      f.uses_states());
}

/// What `f` declares, in its order.
/// Errors: those of `check_declarations`.
template <has_states F>
result<std::vector<state_declaration>> declarations_of(F& f) {
  auto all = list_states(f);
  if (auto checked = check_declarations(all); !checked) return std::move(checked).failure();
  return all;
}

}  // namespace weir::state
