// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "weir/windowing/session_shortcuts.hpp"

namespace weir::windowing {

/// Gathers the records of each key in windows that merge when they touch, sessions for instance,
/// and asks a trigger of any kind, for each record and for its timers, what is to become of them.
///
/// A key has one row, see `session_rows`. A session asks for its next alarm only: one that comes
/// when the session has moved on asks for the next one, so that a record that extends a session
/// costs none. Sessions with something due at the same time share a timer. The timers are in no
/// snapshot, but follow from the sessions.
///
/// Source: the rules are those of Apache Flink's WindowOperator for windows that merge, except that
/// the state of the earliest of the windows goes on.
template <class Definition>
class merging_window_operator final
    : public session_shortcuts<merging_window_operator<Definition>, Definition> {
  using base = session_shortcuts<merging_window_operator, Definition>;
  friend typename base::base;
  using base::derived;
  using base::domain;
  using base::sessions_;
  using typename base::key;
  using typename base::layout;
  using typename base::record;
  using typename base::root;
  using typename base::sessions;
  using current = typename sessions::current;

 public:
  using base::base;

 private:
  sessions& rows() { return sessions_; }
  const sessions& rows() const { return sessions_; }
  static void tidy_up() {}  // the rows do so behind each batch

  status take_records() {
    auto& in = this->cursor_;
    const std::size_t rows = in.rows();
    const std::uint64_t* const hashes = in.hashes();
    auto keyed = sessions_.make_batch();
    for (std::size_t j = in.position; j < std::min(rows, in.position + prefetch_ahead); ++j)
      keyed.prefetch(hashes[j]);
    for (; in.position < rows && this->has_room(); ++in.position) {
      if constexpr (base::has_shortcuts) {
        this->take_shortcuts(keyed);
        if (in.position == rows) break;
      }
      if (in.position + prefetch_ahead < rows) keyed.prefetch(hashes[in.position + prefetch_ahead]);
      if (auto done = this->take_record(keyed); !done) return done;
    }
    return {};
  }

  /// Puts a record in its windows. False: none has taken it.
  result<bool> take(typename sessions::batch& keyed, const record& r, event_time t,
                    std::uint64_t hash) {
    bool taken = false;
    status done;
    sessions_.with_key(
        keyed, std::invoke(this->definition_.select, r), hash, [&](current of, const key& k) {
          done =
              this->assign(r, t, [&](const time_window& w) { taken |= add(r, t, hash, w, of, k); });
        });
    if (!done) return std::move(done).failure();
    return taken;
  }

  [[gnu::noinline]] bool add(const record& r, event_time t, std::uint64_t hash,
                             const time_window& w, current of, const key& k) {
    std::byte* const row = session_for(w, of);
    if (row == nullptr) return false;
    sessions::attach(this->cells_, row);
    this->cells_.contents.add(r, t);
    this->cells_.mark();
    const time_window window = sessions::span_of(row).window;
    const auto what =
        this->cells_.trigger.on_element(this->scope_, added_element<record>{r, t}, window);
    this->answer(what, k, hash, window);
    arm(row, hash, k, ended_until());
    return true;
  }

  /// The session that `w` belongs to from now on. Null: it is late.
  std::byte* session_for(const time_window& w, current of) {
    members_.clear();
    time_window merged = w;
    of.for_each([&](std::byte* row) {
      const auto& window = sessions::span_of(row).window;
      if (!intersects(window, w)) return;
      merged = cover(merged, window);
      members_.push_back(row);
    });
    if (members_.empty()) return this->is_late(w) ? nullptr : of.add({w});
    if (members_.size() == 1 && sessions::span_of(members_[0]).window == merged) return members_[0];
    std::sort(members_.begin(), members_.end(), [](std::byte* a, std::byte* b) {
      return sessions::span_of(a).window < sessions::span_of(b).window;
    });
    return merge(merged, of);
  }

  /// Makes one of the sessions `members_`, which are in order, and of the time between them.
  std::byte* merge(const time_window& merged, current of) {
    session_span span{merged};
    for (std::byte* const member : members_)
      for (std::size_t d = 0; d < span.armed.size(); ++d)
        span.armed[d] = std::min(span.armed[d], sessions::span_of(member).armed[d]);
    single_row<layout> whole;
    sessions::attach(this->cells_, whole.get());
    this->cells_.trigger.on_merge(this->scope_, merged, members_);
    layout::template create<0>(whole.get(), span);
    for (std::byte* const member : members_) {
      forget(member);
      sessions_.merge_contents(whole.get(), member, this->cells_.contents);
    }
    sessions::attach(this->cells_, whole.get());
    this->cells_.mark();
    of.replace(members_[0], whole.get());
    return of.keep_first(members_);
  }

  /// Lets the trigger forget a session that is absorbed.
  void forget(std::byte* member) {
    sessions::attach(this->cells_, member);
    this->cells_.trigger.clear(this->scope_, sessions::span_of(member).window);
    this->scope_.changes().clear();
  }

  /// Windows whose `max_time` is no greater have ended, as the key of `scope_` sees it between two
  /// watermarks.
  std::int64_t ended_until() const {
    return domain == timer_domain::event ? this->scope_.watermark.ms
                                         : std::numeric_limits<std::int64_t>::min();
  }

  /// When something is due next in a session, in domain `d`. What was due until `done` is done.
  std::int64_t next_due(const std::byte* row, const time_window& w, timer_domain d,
                        [[maybe_unused]] std::int64_t done) const {
    std::int64_t next = session_span::never;
    if (d == domain) next = base::due_at(d, this->scope_.cleanup_time(w), w);
    if constexpr (derived) {
      const auto end = base::due_at(d, w.max_time().ms, w);
      if (d == domain && end > done) next = end;
    }
    if constexpr (root::uses_timers) {
      if (const auto* waiting = this->cells_.trigger.timers().in_row(row))
        for (const auto& t : *waiting)
          if (t.domain == d) next = std::min(next, base::due_at(d, t.time, w));
    }
    return next;
  }

  /// Sees to it that the next alarms of a session come. Its states are attached.
  void arm(std::byte* row, std::uint64_t hash, const key& k, std::int64_t done) {
    this->scope_.changes().clear();
    arm_in(timer_domain::event, row, hash, k, done);
    arm_in(timer_domain::processing, row, hash, k, done);
  }

  void arm_in(timer_domain d, std::byte* row, std::uint64_t hash, const key& k, std::int64_t done) {
    if (!root::uses_timers && d != domain) return;
    auto& span = sessions::span_of(row);
    const auto next = next_due(row, span.window, d, done);
    if (next >= span.armed_in(d)) return;
    span.armed_in(d) = next;
    this->alarm(d, next, hash, k);
  }

  void on_timer(const dataflow::timer<session_timer>& due) {
    firing_.emplace(due.domain, due.time, this->alarms_in(due.domain).take(due.time));
  }

  /// Goes on with the keys of a timer, if there are some. True: all are done.
  bool go_on(std::size_t& left) {
    if (!firing_) return true;
    auto& [d, time, keys, position] = *firing_;
    {
      auto keyed = sessions_.make_batch();
      for (; position < keys.size() && left > 0 && !this->out_.full(); --left) {
        if (position + prefetch_ahead < keys.size())
          keyed.prefetch_erasure(keys[position + prefetch_ahead].hash);
        const auto& [hash, k] = keys[position++];
        if (this->goes_on(keyed, d, time, hash, k)) continue;
        this->set_clocks(hash);
        sessions_.with_key(keyed, k, hash, [&, h = hash](current of, const key& stored) {
          on_alarm_of(of, d, time, h, stored);
        });
      }
    }
    if (position < keys.size()) return false;
    this->alarms_in(d).give_back(std::move(keys));
    firing_.reset();
    return true;
  }

  void on_alarm_of(current of, timer_domain d, std::int64_t time, std::uint64_t hash,
                   const key& k) {
    members_.clear();
    of.for_each([&](std::byte* row) {
      auto& armed = sessions::span_of(row).armed_in(d);
      if (armed != time) return;  // it has moved on
      armed = session_span::never;
      if (ends(row, d, time, hash, k)) members_.push_back(row);
    });
    // The row of the key goes last: another session moves into it.
    std::reverse(members_.begin(), members_.end());
    for (std::byte* const row : members_) of.remove(row);
  }

  /// Calls what is due in a session. True: it has ended.
  bool ends(std::byte* row, timer_domain d, std::int64_t time, std::uint64_t hash, const key& k) {
    sessions::attach(this->cells_, row);
    const time_window w = sessions::span_of(row).window;
    const auto asked = base::asked_for(d, time, w);
    this->answer(this->cells_.trigger.on_timers(this->scope_, d, asked, w), k, hash, w);
    const bool ended = d == domain && this->scope_.cleanup_time(w) == asked;
    if (ended) {
      this->clear(k, hash, w);
      this->scope_.changes().clear();
    } else {
      // During an advance the watermark is ahead of what has been done.
      arm(row, hash, k, d == domain ? time : ended_until());
    }
    return ended;
  }

  status restore_rows(const state::restored_chunks& chunks) {
    return sessions_.restore(chunks, [&](current of, const key& k) {
      const auto hash = stable_hash(k);
      this->set_clocks(hash);
      of.for_each([&](std::byte* row) {
        sessions::attach(this->cells_, row);
        arm(row, hash, k, ended_until());
      });
    });
  }

  std::optional<fired_alarms<key>> firing_;
  std::vector<std::byte*> members_;
};

}  // namespace weir::windowing
