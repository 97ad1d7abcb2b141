// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "weir/dataflow/emitters.hpp"
#include "weir/state/key_equal.hpp"

namespace weir::dataflow {

/// Thrown when a keyed function whose output is keyed without being moved emits a record of another
/// key.
class output_key_error : public std::logic_error {
 public:
  output_key_error()
      : std::logic_error{
            "the key of an emitted record must be the key of the record or timer that it was "
            "emitted for, because the output is keyed without being moved: emit such records only, "
            "or call key_by(...) behind process(...)"} {}
};

/// The records that a keyed function emits may have any keys.
struct any_output_keys {
  static constexpr bool checked = false;
};

/// The records that a keyed function emits have the key of the record or timer that they are
/// emitted for: `Select`, one for each output, gives it. Owned by the operator.
template <class... Select>
class same_output_keys {
 public:
  static constexpr bool checked = true;

  explicit same_output_keys(Select... select) : select_{std::move(select)...} {}

  /// From now on each record that is emitted to `out` is compared with `*current`; null: there is
  /// no key. `current` and this object must not move.
  template <class K, class... R>
  void watch(emitters<R...>& out, const K* const& current) {
    static_assert(sizeof...(Select) == sizeof...(R));
    out.with([&](collector<R>&... each) { watch_each(current, each...); });
  }

 private:
  template <class K, class... R>
  void watch_each(const K* const& current, collector<R>&... out) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (watch_one(current, out, std::get<I>(select_)), ...);
    }(std::index_sequence_for<R...>{});
  }

  template <class K, class R, class S>
  static void watch_one(const K* const& current, collector<R>& out, const S& select) {
    out.set_observer([&current, &select](const R* first, event_time*, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        if (current != nullptr && state::key_equal(*current, std::invoke(select, first[i])))
          continue;
        throw output_key_error{};
      }
    });
  }

  std::tuple<Select...> select_;
};

}  // namespace weir::dataflow
