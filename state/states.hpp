// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/state/state_declaration.hpp"
#include "weir/state/state_layout.hpp"

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

template <class... State>
struct cells {
  template <class Timing>
  using layout = state_layout<Timing, State...>;
};

template <class Chosen, class... Rest>
struct keyed_cells : Chosen {};
template <class... Chosen, class Next, class... Rest>
struct keyed_cells<cells<Chosen...>, Next, Rest...>
    : keyed_cells<std::conditional_t<keyed_state<Next>, cells<Chosen..., Next>, cells<Chosen...>>,
                  Rest...> {};

/// The keyed ones of the states of a list. They lie in the row, in the order of the list.
template <class List>
struct listed;
template <class... State>
struct listed<std::tuple<State&...>> : keyed_cells<cells<>, State...> {
  static constexpr std::size_t all = sizeof...(State);
  static constexpr std::size_t count = (std::size_t{0} + ... + (keyed_state<State> ? 1 : 0));

  /// The cell of the `i`-th state of the list; none if it is not keyed.
  static constexpr std::optional<std::size_t> cell(std::size_t i) {
    constexpr std::array<bool, all + 1> keyed{keyed_state<State>...};
    if (!keyed[i]) return std::nullopt;
    std::size_t before = 0;
    for (std::size_t j = 0; j < i; ++j) before += keyed[j] ? 1 : 0;
    return before;
  }
};

template <class F>
using listed_by = listed<decltype(std::declval<F&>().uses_states())>;

/// Calls `use(state, cell)` for each keyed state of `f`; `cell` is a `std::integral_constant`.
template <class F, class Use>
[[gnu::always_inline]] inline void each_keyed(F& f, Use&& use) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] auto all = f.uses_states();
    (([&] {
       if constexpr (constexpr auto cell = listed_by<F>::cell(I); cell.has_value())
         use(std::get<I>(all), std::integral_constant<std::size_t, *cell>{});
     }()),
     ...);
  }(std::make_index_sequence<listed_by<F>::all>{});
}

}  // namespace internal

/// How many keyed states `F` lists.
template <has_states F>
inline constexpr std::size_t state_count = internal::listed_by<F>::count;

/// The row of the keyed states that `F` lists, in their order; `timed` if one has a TTL.
template <has_states F, class Timing = untimed>
using layout_of = typename internal::listed_by<F>::template layout<Timing>;

/// Makes the keyed states of `f` views of the cells of `row`, from cell `First` on. Once a record:
/// after inlining, the accesses of the function are loads and stores at constant offsets of `row`.
template <class Layout, std::size_t First = 0, has_states F>
[[gnu::always_inline]] inline void attach_states(F& f, std::byte* row) {
  internal::each_keyed(f, [&](auto& state, auto cell) {
    constexpr std::size_t index = First + decltype(cell)::value;
    if constexpr (Layout::is_timed)
      state.attach_timed(row, Layout::offset(index), static_cast<std::uint32_t>(index));
    else
      state.attach(row, Layout::offset(index), static_cast<std::uint32_t>(index));
  });
}

/// Takes the current key from the keyed states of `f`: using one is an error from now on.
template <has_states F>
void detach_states(F& f) {
  internal::each_keyed(f, [](auto& state, auto) { state.detach(); });
}

/// The row that the keyed states of `f` are views of; null: there is no current key.
template <has_states F>
std::byte* attached_row(F& f) {
  std::byte* row = nullptr;
  internal::each_keyed(f, [&](auto& state, auto) { row = state.attached_row(); });
  return row;
}

/// Tells the keyed states of `f` where asynchronous accesses lead. `port` must outlive `f`.
template <has_states F>
void bind_async(F& f, const async_port& port) {
  internal::each_keyed(f, [&](auto& state, auto) { state.bind_async(port); });
}

/// Tells the keyed states of `f` that they are listed; before anything of `f` runs.
template <has_states F>
void bind_states(F& f) {
  internal::each_keyed(
      f, [](auto& state, auto cell) { state.bind(static_cast<std::uint32_t>(cell())); });
}

/// Whether a keyed state of `f` has a TTL.
template <has_states F>
bool has_ttl(F& f) {
  bool any = false;
  internal::each_keyed(f,
                       [&](auto& state, auto) { any |= state.options().active_ttl().has_value(); });
  return any;
}

/// What `f` lists, keyed or not, in its order, not checked.
template <has_states F>
std::vector<state_declaration> list_states(F& f) {
  return std::apply(
      []<class... State>(State&... state) {
        return std::vector<state_declaration>{{state.name(), std::string{State::kind},
                                               State::type(), State::mode,
                                               state.options().active_ttl()}...};
      },
      f.uses_states());
}

/// What `f` declares, keyed or not, in its order.
/// Errors: those of `check_declarations`.
template <has_states F>
result<std::vector<state_declaration>> declarations_of(F& f) {
  auto all = list_states(f);
  if (auto checked = check_declarations(all); !checked) return std::move(checked).failure();
  return all;
}

}  // namespace weir::state
