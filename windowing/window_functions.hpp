// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/state/aggregate.hpp"
#include "weir/state/row_layout.hpp"
#include "weir/state/state_declaration.hpp"

namespace weir::windowing {

/// A function that makes one record out of two.
template <class F, class T>
concept reduces = std::is_invocable_r_v<T, F&, const T&, const T&> && std::is_move_assignable_v<T>;

/// An aggregate of records of type `T`.
template <class A, class T>
concept aggregates =
    state::aggregate<A> &&
    requires(A& a, const T& record, typename A::accumulator& into) { a.add(record, into); };

/// What `reduce` keeps for a key in a window: the records so far, as one.
template <class T, class F>
class reducing {
 public:
  using accumulator = T;
  using result_type = T;
  static constexpr const char* kind = "reduced window";

  explicit reducing(F function) : function_{std::move(function)} {}

  void add(const T& record, std::byte* row) {
    using layout = state::row_layout<accumulator>;
    if (!state::is_present(row, 0)) [[unlikely]] {
      state::cell<accumulator>::construct(row + layout::offset(0), record);
      state::set_present(row, 0);
      return;
    }
    auto& so_far = layout::template value<0>(row);
    so_far = function_(std::as_const(so_far), record);
  }

  /// What was gathered apart, `into` before `from`, becomes one.
  void merge(const accumulator& from, accumulator& into) {
    into = function_(std::as_const(into), from);
  }

  const T& result(const accumulator& a) { return a; }

 private:
  F function_;
};

/// What `aggregate` keeps for a key in a window: the accumulator of the user's function.
template <class T, class A>
class aggregating {
 public:
  using accumulator = typename A::accumulator;
  using result_type = state::aggregate_output<A>;
  static constexpr const char* kind = "aggregated window";

  explicit aggregating(A function) : function_{std::move(function)} {}

  void add(const T& record, std::byte* row) {
    using layout = state::row_layout<accumulator>;
    if (!state::is_present(row, 0)) [[unlikely]] {
      state::cell<accumulator>::construct(row + layout::offset(0), accumulator{});
      state::set_present(row, 0);
    }
    function_.add(record, layout::template value<0>(row));
  }

  /// What was gathered apart, `into` before `from`, becomes one.
  void merge(const accumulator& from, accumulator& into) { function_.merge(from, into); }

  decltype(auto) result(const accumulator& a) { return function_.get_result(a); }

 private:
  A function_;
};

/// The state that `Contents` keeps, as it is declared.
template <class Contents>
state::state_declaration declaration_of() {
  return {"contents", Contents::kind, codec_identity<typename Contents::accumulator>()};
}

}  // namespace weir::windowing
