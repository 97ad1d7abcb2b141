// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::windowing {

/// A record in a window that keeps them all, with its time; `event_time::min()`: it has none.
template <class T>
struct timed_element {
  T value;
  event_time time;
};

/// What an evictor is told beside the elements.
struct evictor_context {
  event_time watermark;
  clock_time now;
};

/// The functions of an evictor, which removes elements of a window when its trigger fires: before
/// the window function gets them, or after it. What it removes is gone for later firings, too.
/// Elements are in the order in which they came, and must stay in it. `W` is the type of the
/// windows.
///
/// These remove nothing: your own evictor derives from them, and has one of them or both itself. It
/// is a value, and remembers nothing: a subtask uses one for all keys and windows.
struct evictor_defaults {
  static status validate() { return {}; }

  template <class T, class W>
  void evict_before(std::vector<timed_element<T>>&, const W&, const evictor_context&) {}
  template <class T, class W>
  void evict_after(std::vector<timed_element<T>>&, const W&, const evictor_context&) {}
};

/// Whether an evictor removes elements before the window function, or after it.
enum class evict_when : std::uint8_t { before, after };

/// Evicts at one of the two moments, by `evict(elements)` of `Self`: what weir's own derive from.
template <class Self>
class evictor_at {
 public:
  explicit constexpr evictor_at(evict_when when) : when_{when} {}

  template <class T, class W>
  void evict_before(std::vector<timed_element<T>>& elements, const W&, const evictor_context&) {
    if (when_ == evict_when::before) static_cast<Self&>(*this).evict(elements);
  }
  template <class T, class W>
  void evict_after(std::vector<timed_element<T>>& elements, const W&, const evictor_context&) {
    if (when_ == evict_when::after) static_cast<Self&>(*this).evict(elements);
  }

 private:
  evict_when when_;
};

/// Keeps the last `count` elements.
class count_evictor : public evictor_at<count_evictor> {
 public:
  explicit constexpr count_evictor(std::int64_t count, evict_when when = evict_when::before)
      : evictor_at{when}, count_{count} {}

  /// Errors: invalid_argument if count < 0.
  status validate() const {
    if (count_ >= 0) return {};
    return error{errc::invalid_argument,
                 "a count evictor of " + std::to_string(count_) + ": it keeps 0 or more elements"};
  }

  template <class T>
  void evict(std::vector<timed_element<T>>& elements) const {
    const auto kept = static_cast<std::size_t>(count_);
    if (elements.size() <= kept) return;
    const auto evicted = static_cast<std::ptrdiff_t>(elements.size() - kept);
    elements.erase(elements.begin(), elements.begin() + evicted);
  }

 private:
  std::int64_t count_;
};

/// Keeps the elements that are less than `window` older than the newest. If the first element has
/// no time, it keeps all.
class time_evictor : public evictor_at<time_evictor> {
 public:
  explicit constexpr time_evictor(duration window, evict_when when = evict_when::before)
      : evictor_at{when}, window_{window} {}

  /// Errors: invalid_argument if window < 0.
  status validate() const {
    if (window_ >= duration::zero()) return {};
    return error{errc::invalid_argument, "a time evictor of " + std::to_string(window_.count()) +
                                             " ms: it needs 0 or more"};
  }

  template <class T>
  void evict(std::vector<timed_element<T>>& elements) const {
    if (elements.empty() || elements.front().time == event_time::min()) return;
    event_time newest = event_time::min();
    for (const auto& e : elements) newest = std::max(newest, e.time);
    const event_time cutoff = newest + -window_;
    std::erase_if(elements, [cutoff](const auto& e) { return e.time <= cutoff; });
  }

 private:
  duration window_;
};

/// Keeps the elements whose difference to the last one, `delta(element, last)`, is below
/// `threshold`; the last is compared with itself, too.
template <class Delta>
class delta_evictor : public evictor_at<delta_evictor<Delta>> {
 public:
  explicit constexpr delta_evictor(double threshold, Delta delta,
                                   evict_when when = evict_when::before)
      : evictor_at<delta_evictor>{when}, threshold_{threshold}, delta_{std::move(delta)} {}

  static status validate() { return {}; }

  template <class T>
  void evict(std::vector<timed_element<T>>& elements) {
    constexpr bool fits = std::is_invocable_r_v<double, Delta&, const T&, const T&>;
    static_assert(fits,
                  "delta_evictor(threshold, f): f must be callable as `double f(const T&, const "
                  "T&)`");
    if constexpr (fits) {
      if (elements.empty()) return;
      // It stays where it is until it is looked at itself.
      const T& last = elements.back().value;
      std::erase_if(elements, [&](const timed_element<T>& e) {
        return std::invoke(delta_, e.value, last) >= threshold_;
      });
    }
  }

 private:
  double threshold_;
  Delta delta_;
};

}  // namespace weir::windowing

namespace weir {
using windowing::count_evictor;
using windowing::delta_evictor;
using windowing::evict_when;
using windowing::evictor_context;
using windowing::evictor_defaults;
using windowing::time_evictor;
using windowing::timed_element;
}  // namespace weir
