// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/state/aggregate.hpp"
#include "weir/state/cell_format.hpp"
#include "weir/state/stamped_handle.hpp"

namespace weir::state {

/// One accumulator for each key, to which values are added. Declared, listed and used like a
/// `value_state`.
///
/// With a TTL a new accumulator is begun when the old one has expired. If that may be returned,
/// `get` returns its result once, and `add` goes on with it.
/// Errors: every access throws `state_error` where there is no current key, and when the state is
/// not listed.
template <class Aggregate>
class aggregating_state : public stamped_handle<typename Aggregate::accumulator> {
  static_assert(aggregate<Aggregate>,
                "aggregating_state<Aggregate>: Aggregate needs a default constructible type "
                "`accumulator`, `add(const In&, accumulator&)`, "
                "`merge(const accumulator& from, accumulator& into)` and "
                "`get_result(const accumulator&)`");
  using accumulator = typename Aggregate::accumulator;

 public:
  using output_type = aggregate_output<Aggregate>;
  static constexpr std::string_view kind = "aggregating";
  static constexpr redistribution mode = redistribution::none;

  explicit aggregating_state(std::string name, state_options options = {})
      : aggregating_state{std::move(name), Aggregate{}, std::move(options)} {}
  aggregating_state(std::string name, Aggregate function, state_options options = {})
      : stamped_handle<accumulator>{std::move(name), std::move(options)},
        function_{std::move(function)} {}

  /// The result so far; none when nothing was added.
  std::optional<output_type> get() const {
    const accumulator* so_far =
        this->present() ? &this->template value_at_row<accumulator>() : this->read_absent();
    if (so_far == nullptr) return std::nullopt;
    return function_.get_result(*so_far);
  }

  /// Adds a value to the accumulator, or to a new one.
  template <class In>
  void add(const In& in) {
    if (!this->present()) [[unlikely]]
      this->change_absent();
    function_.add(in, this->template value_at_row<accumulator>());
  }

  /// Removes the accumulator.
  void clear() { this->template drop<accumulator>(); }

  // -- asynchronously: see `state_future` --------------------------------------------------------

  auto async_get() const {
    return this->later([this] { return get(); });
  }
  template <class In>
  auto async_add(In in) {
    return this->later([this, in = std::move(in)]() mutable { return add(in); });
  }
  auto async_clear() {
    return this->later([this] { return clear(); });
  }

  // -- for the engine ----------------------------------------------------------------------------

  using cell_type = accumulator;
  static constexpr bool row_stamp = true;
  static std::string type() { return codec_identity<accumulator>(); }
  static void write_cell(byte_writer& out, const accumulator& value, const cell_format&) {
    codec<accumulator>::write(out, value);
  }
  static accumulator read_cell(byte_reader& in, const cell_format&) {
    return codec<accumulator>::read(in);
  }

  /// Merges `from` into `into`, with the function of `state`.
  static void merge_cell(accumulator& into, accumulator&& from, aggregating_state& state) {
    state.function_.merge(std::as_const(from), into);
  }

 private:
  [[no_unique_address]] mutable Aggregate function_;
};

}  // namespace weir::state
