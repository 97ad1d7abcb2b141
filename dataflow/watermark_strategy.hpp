// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"
#include "weir/dataflow/watermark_alignment.hpp"
#include "weir/dataflow/watermark_generators.hpp"

namespace weir::dataflow {

/// When an operator that makes watermarks emits them.
enum class watermark_emission {
  periodic,   ///< At most once per interval of the processing clock, between batches.
  per_record  ///< After every record that moves it: exact, and slow.
};

/// What a strategy says besides how watermarks follow from records.
struct watermark_options {
  watermark_emission emission = watermark_emission::periodic;
  duration interval{200};
  std::optional<duration> idle_after;
  std::optional<alignment_options> alignment;

  status validate() const {
    if (interval <= duration::zero()) {
      return error{errc::invalid_argument, "the watermark interval must be positive"};
    }
    if (idle_after && *idle_after <= duration::zero()) {
      return error{errc::invalid_argument, "idle_after needs a time above 0"};
    }
    return alignment ? alignment->validate() : status{};
  }
};

/// How watermarks follow from the records' times. `Extract` gives a record's time; without one the
/// times that the source gave are used. `Generator` makes watermarks: watermark_generators.hpp.
template <class Extract = std::nullptr_t, class Generator = bounded_watermarks>
class watermark_strategy {
 public:
  explicit watermark_strategy(Generator generator, Extract extract = {},
                              watermark_options options = {})
      : generator_{std::move(generator)},
        extract_{std::move(extract)},
        options_{std::move(options)} {}

  /// Takes the event time of a record from `f`: a data member, member function or function that
  /// gives an `event_time`.
  template <class F>
  watermark_strategy<F, Generator> timestamps(F f) const {
    return watermark_strategy<F, Generator>{generator_, std::move(f), options_};
  }

  watermark_strategy& emit(watermark_emission when, duration interval = duration{200}) {
    options_.emission = when;
    options_.interval = interval;
    return *this;
  }
  watermark_strategy per_record() const {
    auto other = *this;
    return other.emit(watermark_emission::per_record);
  }

  /// What says nothing for longer than `timeout` of the processing clock is idle until its next
  /// record: nothing waits for it. The time during which it is held back does not count.
  watermark_strategy idle_after(duration timeout) const {
    auto other = *this;
    other.options_.idle_after = timeout;
    return other;
  }

  /// For sources: a split that is more than `max_drift` ahead of the slowest subtask of all sources
  /// of `group` waits.
  watermark_strategy with_alignment(std::string group, duration max_drift,
                                    duration interval = duration{1'000}) const {
    auto other = *this;
    other.options_.alignment = alignment_options{std::move(group), max_drift, interval};
    return other;
  }

  status validate() const {
    if constexpr (requires { generator_.validate(); }) {
      if (auto fits = generator_.validate(); !fits) return fits;
    }
    return options_.validate();
  }

  const Generator& generator() const { return generator_; }
  const Extract& extract() const { return extract_; }
  const watermark_options& options() const { return options_; }

 private:
  Generator generator_;
  Extract extract_;
  watermark_options options_;
};

/// Records come at most `bound` behind the newest.
inline watermark_strategy<> bounded_out_of_orderness(duration bound) {
  return watermark_strategy<>{bounded_watermarks{bound}};
}

/// Times never decrease within a stream, or a split.
inline watermark_strategy<> monotonous_timestamps() {
  return watermark_strategy<>{bounded_watermarks{duration::zero()}};
}

/// `f(record, time)` gives the watermark behind that record, or none.
template <class F>
watermark_strategy<std::nullptr_t, punctuated_by<F>> punctuated_watermarks(F f) {
  return watermark_strategy<std::nullptr_t, punctuated_by<F>>{punctuated_by<F>{std::move(f)}};
}

/// Watermarks by a generator of the program's own.
template <class Generator>
watermark_strategy<std::nullptr_t, Generator> watermarks_by(Generator generator) {
  return watermark_strategy<std::nullptr_t, Generator>{std::move(generator)};
}

}  // namespace weir::dataflow

namespace weir {
using dataflow::bounded_out_of_orderness;
using dataflow::monotonous_timestamps;
using dataflow::punctuated_watermarks;
using dataflow::watermark_emission;
using dataflow::watermark_strategy;
using dataflow::watermarks_by;
}  // namespace weir
