// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::dataflow {

/// When an operator that makes watermarks emits them.
enum class watermark_emission {
  periodic,   ///< At most once per interval of the processing clock, between batches.
  per_record  ///< After every record that moves it: exact, and slow.
};

/// How watermarks follow from the records' times: records may be up to `bound` late behind the
/// newest time seen, so the watermark is that time − bound − 1 ms. `Extract` gives a record's time;
/// without one the times that the source gave are used.
template <class Extract = std::nullptr_t>
class watermark_strategy {
 public:
  explicit constexpr watermark_strategy(duration bound, Extract extract = {})
      : bound_{bound}, extract_{std::move(extract)} {}

  /// Takes the event time of a record from `f`: a data member, member function or function that
  /// gives an `event_time`.
  template <class F>
  watermark_strategy<F> timestamps(F f) const {
    watermark_strategy<F> other{bound_, std::move(f)};
    other.emit(emission_, interval_);
    return other;
  }

  watermark_strategy& emit(watermark_emission when, duration interval = duration{200}) {
    emission_ = when;
    interval_ = interval;
    return *this;
  }
  watermark_strategy per_record() const {
    auto other = *this;
    return other.emit(watermark_emission::per_record);
  }

  status validate() const {
    if (bound_ < duration::zero()) {
      return error{errc::invalid_argument, "the bound of out-of-orderness must not be negative"};
    }
    if (interval_ <= duration::zero()) {
      return error{errc::invalid_argument, "the watermark interval must be positive"};
    }
    return {};
  }

  duration bound() const { return bound_; }
  duration interval() const { return interval_; }
  watermark_emission emission() const { return emission_; }
  const Extract& extract() const { return extract_; }

 private:
  duration bound_;
  Extract extract_;
  watermark_emission emission_ = watermark_emission::periodic;
  duration interval_{200};
};

/// Records come at most `bound` behind the newest.
constexpr watermark_strategy<> bounded_out_of_orderness(duration bound) {
  return watermark_strategy<>{bound};
}

/// Times never decrease within a stream.
constexpr watermark_strategy<> monotonous_timestamps() {
  return watermark_strategy<>{duration::zero()};
}

}  // namespace weir::dataflow

namespace weir {
using dataflow::bounded_out_of_orderness;
using dataflow::monotonous_timestamps;
using dataflow::watermark_emission;
using dataflow::watermark_strategy;
}  // namespace weir
