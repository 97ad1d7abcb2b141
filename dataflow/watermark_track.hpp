// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/dataflow/watermark_strategy.hpp"

namespace weir::dataflow {

/// A strategy at work on one sequence of records, a stream's or a split's: gives records their
/// times, and keeps the newest watermark that follows. Owned and used by one subtask.
template <class T, class Extract, class Generator>
class watermark_track {
  static constexpr bool at_events = gives_at_events<Generator, T>;
  static constexpr bool notes = notes_events<Generator, T>;
  static constexpr bool known = requires(const Generator& g) {
    { g.watermark() } -> std::same_as<event_time>;
  };
  static_assert(known || at_events || gives_periodically<Generator>,
                "a watermark generator for records of T needs `std::optional<event_time> "
                "on_event(const T&, event_time)` or `std::optional<event_time> on_periodic()`");

 public:
  using strategy = watermark_strategy<Extract, Generator>;

  /// `s` outlives this object.
  explicit watermark_track(const strategy& s) : strategy_{&s}, generator_{s.generator()} {}

  static constexpr bool extracts = !std::is_same_v<Extract, std::nullptr_t>;

  /// Whether `take_one` is to be called for each record, since watermarks come between records.
  static bool one_by_one(const strategy& s) {
    return at_events || s.options().emission == watermark_emission::per_record;
  }
  /// Whether `on_interval` may give something although no record came.
  static constexpr bool ticks = gives_periodically<Generator>;

  /// Records, none of which has a watermark behind it. Writes the times if it extracts them.
  void take(const T* records, event_time* times, std::size_t count) {
    if constexpr (extracts) {
      for (std::size_t i = 0; i < count; ++i) {
        times[i] = std::invoke(strategy_->extract(), records[i]);
      }
    }
    if constexpr (notes) {
      for (std::size_t i = 0; i < count; ++i) generator_.on_event(records[i], times[i]);
    } else if constexpr (known) {
      generator_.on_times(times, count);
    }
    if constexpr (known) raise(generator_.watermark());
  }

  /// A record; then `watermark()` is that behind it.
  void take_one(const T& record, event_time& time) {
    if constexpr (at_events) {
      if constexpr (extracts) time = std::invoke(strategy_->extract(), record);
      raise(generator_.on_event(record, time));
    } else {
      take(&record, &time, 1);
    }
    if (strategy_->options().emission == watermark_emission::per_record) on_interval();
  }

  void on_interval() {
    if constexpr (ticks) raise(generator_.on_periodic());
  }

  /// The newest watermark; `min()`: none yet.
  event_time watermark() const { return watermark_; }

  Generator& generator() { return generator_; }

  /// What goes on in another subtask after a restore.
  std::string snapshot() const {
    std::string state;
    if constexpr (storable_generator<Generator>) state = encode(generator_.snapshot());
    return encode(std::pair{watermark_, state});
  }

  /// Errors: corrupt.
  status restore(std::string_view bytes) {
    auto stored = decode<std::pair<event_time, std::string>>(bytes);
    if (!stored) return std::move(stored).failure().within("restoring the watermark of a split");
    watermark_ = stored->first;
    if constexpr (storable_generator<Generator>) {
      auto state = decode<std::remove_cvref_t<decltype(generator_.snapshot())>>(stored->second);
      if (!state) return std::move(state).failure().within("restoring a watermark generator");
      generator_.restore(*std::move(state));
    }
    return {};
  }

 private:
  /// Only the end of input says that there is nothing more: `max()` is its watermark.
  void raise(std::optional<event_time> watermark) {
    if (!watermark) return;
    watermark_ = std::max(watermark_, std::min(*watermark, {event_time::max().ms - 1}));
  }

  const strategy* strategy_;
  Generator generator_;
  event_time watermark_ = event_time::min();
};

}  // namespace weir::dataflow
