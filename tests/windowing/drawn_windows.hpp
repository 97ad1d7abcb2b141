// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <span>
#include <variant>
#include <vector>

#include "weir/dataflow/environment.hpp"
#include "weir/windowing/dynamic_session_windows.hpp"
#include "weir/windowing/global_windows.hpp"
#include "weir/windowing/session_windows.hpp"
#include "weir/windowing/sliding_windows.hpp"
#include "weir/windowing/triggers.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "windowing/window_subjects.hpp"

namespace weir::testing {

using windowing::timer_domain;

// -- functions -----------------------------------------------------------------------------------

struct join_samples {
  sample operator()(const sample& a, const sample& b) const {
    sample both = a;
    both.seen.insert(both.seen.end(), b.seen.begin(), b.seen.end());
    return both;
  }
};

struct values_of_samples {
  struct accumulator {
    std::vector<int> seen;
  };
  void add(const sample& s, accumulator& to) const { to.seen.push_back(s.value); }
  void merge(const accumulator& from, accumulator& to) const {
    to.seen.insert(to.seen.end(), from.seen.begin(), from.seen.end());
  }
  std::vector<int> get_result(const accumulator& a) const { return a.seen; }
};

inline std::vector<int> values_in(const sample& joined) { return joined.seen; }
inline std::vector<int> values_in(const std::vector<int>& seen) { return seen; }
inline std::vector<int> values_in(const std::span<const sample>& all) {
  std::vector<int> seen;
  for (const auto& s : all) seen.push_back(s.value);
  return seen;
}

template <class W, class Result>
struct to_window_values {
  void process_record(const std::int64_t& key, const W& window, const Result& result,
                      collector<window_values>& out) const {
    if constexpr (std::is_same_v<W, global_window>)
      out.collect({key, event_time::min().ms, event_time::max().ms, values_in(result)});
    else
      out.collect({key, window.start.ms, window.end.ms, values_in(result)});
  }
};

/// One kind of contents: so that a program is no more than the operators that are wanted.
template <contents_kind Kind>
struct with_contents {
  template <class Windows>
  auto operator()(const Windows& windows) const {
    using window = typename Windows::window;
    if constexpr (Kind == contents_kind::reduce)
      return windows.reduce(join_samples{}, to_window_values<window, sample>{});
    else if constexpr (Kind == contents_kind::aggregate)
      return windows.aggregate(values_of_samples{}, to_window_values<window, std::vector<int>>{});
    else
      return windows.process(to_window_values<window, std::span<const sample>>{});
  }
};

// -- assigners and evictors, each as one type
// ------------------------------------------------------

struct gap_of_sample {
  duration operator()(const sample& s) const { return duration{s.gap}; }
};

/// One of several assigners.
template <class Self, timer_domain Domain, bool Merging, class... Assigner>
class any_assigner : public windowing::window_assigner<Self> {
 public:
  using window_type = time_window;
  static constexpr bool is_event_time = Domain == timer_domain::event;
  static constexpr bool merging = Merging;

  template <class One>
  explicit any_assigner(One one) : which_{std::move(one)} {}

  status validate() const {
    return std::visit([](const auto& one) { return one.validate(); }, which_);
  }
  template <class Assign>
  status assign(const sample& s, event_time time, clock_time now, Assign&& assign) {
    return std::visit(
        [&](auto& one) -> status {
          if constexpr (std::is_void_v<decltype(one.assign(s, time, now, assign))>) {
            one.assign(s, time, now, assign);
            return {};
          } else {
            return one.assign(s, time, now, assign);
          }
        },
        which_);
  }
  template <class Trigger = windowing::time_trigger<Domain>>
  Trigger default_trigger() const {
    return {};
  }

 private:
  std::variant<Assigner...> which_;
};

template <timer_domain Domain>
class any_windows final
    : public any_assigner<any_windows<Domain>, Domain, false, windowing::tumbling_windows<Domain>,
                          windowing::sliding_windows<Domain>> {
 public:
  using any_windows::any_assigner::any_assigner;
  static constexpr const char* kind = "any window";
};

template <timer_domain Domain>
class any_sessions final
    : public any_assigner<any_sessions<Domain>, Domain, true, windowing::session_windows<Domain>,
                          windowing::dynamic_session_windows<Domain, gap_of_sample>> {
 public:
  using any_sessions::any_assigner::any_assigner;
  static constexpr const char* kind = "any session";
};

template <timer_domain Domain>
any_windows<Domain> windows_of(const model::assignment& w) {
  const duration size{w.size}, slide{w.slide}, offset{w.offset};
  if (w.what == model::assignment::kind::tumbling)
    return any_windows<Domain>{
        windowing::tumbling_windows<Domain>{size, offset, windowing::window_stagger::aligned}};
  return any_windows<Domain>{windowing::sliding_windows<Domain>{size, slide, offset}};
}

template <timer_domain Domain>
any_sessions<Domain> sessions_of(const model::assignment& w) {
  if (w.what == model::assignment::kind::session)
    return any_sessions<Domain>{windowing::session_windows<Domain>{duration{w.size}}};
  return any_sessions<Domain>{
      windowing::dynamic_session_windows<Domain, gap_of_sample>{gap_of_sample{}}};
}

struct difference {
  double operator()(const sample& a, const sample& b) const { return std::abs(a.value - b.value); }
};

/// One of weir's evictors.
class any_evictor : public evictor_defaults {
 public:
  explicit any_evictor(const model::eviction& e) : which_{made(e)} {}

  template <class W>
  void evict_before(std::vector<timed_element<sample>>& all, const W& w,
                    const evictor_context& context) {
    std::visit([&](auto& one) { one.evict_before(all, w, context); }, which_);
  }
  template <class W>
  void evict_after(std::vector<timed_element<sample>>& all, const W& w,
                   const evictor_context& context) {
    std::visit([&](auto& one) { one.evict_after(all, w, context); }, which_);
  }

 private:
  using one_of = std::variant<count_evictor, time_evictor, delta_evictor<difference>>;

  static one_of made(const model::eviction& e) {
    const auto when = e.after ? evict_when::after : evict_when::before;
    if (e.what == model::eviction::kind::count) return count_evictor{e.bound, when};
    if (e.what == model::eviction::kind::time) return time_evictor{duration{e.bound}, when};
    return delta_evictor<difference>{static_cast<double>(e.bound), difference{}, when};
  }

  one_of which_;
};

// -- operators -----------------------------------------------------------------------------------

/// The operator that `finish` makes of the windows of `assigner`, to which `dress` adds a trigger
/// and an evictor.
template <class Assigner, class Dress, class Finish>
operator_harness::factory operator_with(const window_subject& subject, Assigner assigner,
                                        Dress dress, Finish finish) {
  dataflow::environment env{"test"};
  const auto windows = dress(env.from_collection<sample>({}).key_by(&sample::key).window(assigner))
                           .allowed_lateness(duration{subject.rules.lateness});
  const auto results = subject.rules.late_output
                           ? finish(windows.late_output(output_tag<sample>{late_samples}))
                           : finish(windows);
  return env.job().at(results.origin().node).make;
}

/// With the trigger that is drawn, one of these kinds of contents: the last, if it is another.
template <contents_kind First, contents_kind... Others, class Assigner>
operator_harness::factory triggered(const window_subject& subject, const Assigner& assigner) {
  if constexpr (sizeof...(Others) > 0)
    if (subject.contents != First) return triggered<Others...>(subject, assigner);
  const auto dress = [&](const auto& windows) { return windows.trigger(*subject.trigger); };
  return operator_with(subject, assigner, dress, with_contents<First>{});
}

/// The same with an evictor.
template <contents_kind First, contents_kind... Others, class Assigner>
operator_harness::factory evicting(const window_subject& subject, const Assigner& assigner) {
  if constexpr (sizeof...(Others) > 0)
    if (subject.contents != First) return evicting<Others...>(subject, assigner);
  const auto dress = [&](const auto& windows) {
    return windows.trigger(*subject.trigger).evictor(any_evictor{subject.rules.evicts});
  };
  return operator_with(subject, assigner, dress, with_contents<First>{});
}

/// With the trigger that the windows have by themselves, and no evictor.
template <contents_kind First, contents_kind... Others, class Assigner>
operator_harness::factory plain(const window_subject& subject, const Assigner& assigner) {
  if constexpr (sizeof...(Others) > 0)
    if (subject.contents != First) return plain<Others...>(subject, assigner);
  const auto dress = [](const auto& windows) { return windows; };
  return operator_with(subject, assigner, dress, with_contents<First>{});
}

/// With the trigger that the windows have by themselves, and an evictor.
template <class Assigner>
operator_harness::factory plain_evicting(const window_subject& subject, const Assigner& assigner) {
  const auto dress = [&](const auto& windows) {
    return windows.evictor(any_evictor{subject.rules.evicts});
  };
  return operator_with(subject, assigner, dress, with_contents<contents_kind::process>{});
}

inline bool evicts(const window_subject& subject) {
  return subject.rules.evicts.what != model::eviction::kind::none;
}

}  // namespace weir::testing
