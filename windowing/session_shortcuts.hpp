// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "weir/windowing/derived_end_trigger.hpp"
#include "weir/windowing/session_alarms.hpp"
#include "weir/windowing/session_rows.hpp"
#include "weir/windowing/triggered_windows.hpp"

namespace weir::windowing {

/// The sessions of all keys and their alarms, and the short ways for what happens most where the
/// ends of sessions say all about the trigger: a record begins the only session of its key, or
/// extends one that is still to fire and touches no other; an alarm comes for a session that has
/// moved on. They ask no trigger, and do nothing if it is anything else. `Self` derives from it.
template <class Self, class Definition>
class session_shortcuts : public triggered_windows<Self, Definition, session_timer> {
 protected:
  using base = triggered_windows<Self, Definition, session_timer>;
  using typename base::cells;
  using typename base::key;
  using typename base::record;
  using sessions = session_rows<key, cells>;
  using layout = typename sessions::layout;

  static constexpr timer_domain domain = *base::domain;
  /// Whether the ends of windows say all about the trigger.
  static constexpr bool derived =
      std::is_same_v<typename Definition::trigger_type, derived_end_trigger>;
  static constexpr bool has_shortcuts = derived && base::assigns_always;

 public:
  explicit session_shortcuts(Definition d) : base{std::move(d)}, sessions_{this->cells_} {}

  status open(const dataflow::operator_environment& environment) override {
    if (auto done = base::open(environment); !done) return done;
    sessions_.open(environment.groups, environment.max_parallelism);
    return {};
  }

 protected:
  /// Goes on with the batch as long as the short ways take the records.
  [[gnu::noinline]] void take_shortcuts(typename sessions::batch& keyed) {
    auto& in = this->cursor_;
    const std::size_t rows = in.rows();
    const record* const records = in.records();
    const event_time* const times = in.times();
    const std::uint64_t* const hashes = in.hashes();
    // Where key groups differ in their watermarks, no session is taken for one that is to fire.
    const auto watermark = this->time_.has_floors() ? event_time::max() : this->time_.watermark();
    local_count position{in.position};
    for (; position.value < rows; ++position.value) {
      const auto j = position.value;
      if (j + prefetch_ahead < rows) keyed.prefetch(hashes[j + prefetch_ahead]);
      if (!take_shortcut(keyed, records[j], times[j], hashes[j], watermark)) return;
    }
  }

  /// Sees to it that a session of the key has an alarm at `time`.
  void alarm(timer_domain d, std::int64_t time, std::uint64_t hash, const key& k) {
    if (!alarms_in(d).add(time, hash, k)) return;
    if (d == timer_domain::event)
      this->timers_->register_timer(event_time{time}, session_timer{time});
    else
      this->timers_->register_timer(clock_time{time}, session_timer{time});
  }

  /// An alarm of a key that has one session, which goes on beyond it. False: nothing has been done.
  bool goes_on(typename sessions::batch& keyed, timer_domain d, std::int64_t time,
               std::uint64_t hash, const key& k) {
    if constexpr (derived) {
      if (d != domain) return false;
      std::byte* const row = keyed.row_of(k, hash);
      if (!sessions::has_only_first(row)) return false;
      auto& span = sessions::span_of(row);
      if (span.armed_in(d) != time) return true;
      const auto end = base::due_at(d, span.window.max_time().ms, span.window);
      if (end <= time) return false;
      span.armed_in(d) = end;
      alarm(d, end, hash, k);
      return true;
    }
    return false;
  }

  session_alarms<key>& alarms_in(timer_domain d) { return alarms_[static_cast<std::size_t>(d)]; }

  sessions sessions_;

 private:
  /// False: nothing has been done.
  [[gnu::always_inline]] bool take_shortcut(typename sessions::batch& keyed, const record& r,
                                            event_time t, std::uint64_t hash,
                                            event_time watermark) {
    if (base::assigner::is_event_time && t == event_time::min()) [[unlikely]]
      return false;
    time_window w;
    static_cast<void>(this->assign(r, t, [&](const time_window& assigned) { w = assigned; }));
    std::byte* row = keyed.row_of(std::invoke(this->definition_.select, r), hash);
    const bool begins = state::nothing_present(row);
    if (begins ? !begin(row, w, watermark) : !extend(row, w, watermark)) return false;
    sessions::attach(this->cells_, row);
    this->cells_.contents.add(r, t);
    if (begins) {
      this->cells_.mark();
      alarm(domain, sessions::span_of(row).armed_in(domain), hash, sessions::key_of(row));
    }
    return true;
  }

  [[gnu::always_inline]] static bool begin(std::byte* row, const time_window& w,
                                           event_time watermark) {
    if (domain == timer_domain::event && w.max_time() <= watermark) return false;
    session_span span{w};
    span.armed_in(domain) = base::due_at(domain, w.max_time().ms, w);
    layout::template create<0>(row, span);
    return true;
  }

  /// `row` becomes that of the session.
  [[gnu::always_inline]] static bool extend(std::byte*& row, const time_window& w,
                                            event_time watermark) {
    row = sessions::only_touched(row, w);
    if (row == nullptr) return false;
    auto& span = sessions::span_of(row);
    const auto whole = cover(span.window, w);
    const auto end = whole.max_time();
    if (end.ms < span.armed_in(domain)) return false;
    if (domain == timer_domain::event && end <= watermark) return false;
    span.window = whole;
    return true;
  }

  std::array<session_alarms<key>, 2> alarms_;
};

}  // namespace weir::windowing
