// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "weir/core/time.hpp"
#include "weir/state/state_error.hpp"
#include "weir/windowing/trigger_scope.hpp"
#include "weir/windowing/trigger_timers.hpp"

namespace weir::windowing {

/// The timers of one time that are due for one window of one key.
struct due_timers {
  timer_domain domain;
  std::int64_t time;    ///< milliseconds, on the domain's clock
  std::uint32_t slots;  ///< whose they are: a bit for each part of the trigger
};

/// What a trigger sees and can do while it is called for one window of one key. Handed to it by the
/// operator, valid during that call only.
///
/// Timers belong to the part of a trigger that registered them: no other part is called for them,
/// sees them or can delete them. The same time registered twice is one timer.
class trigger_context {
 public:
  /// The watermark, as the key has seen it; during `on_event_time` at least the time of the timer.
  event_time current_watermark() const { return scope_->watermark; }

  /// The processing clock.
  clock_time now() const { return scope_->now; }

  /// Asks for a call of `on_event_time`, when the watermark reaches `t`. A time that it has reached
  /// before is due when the watermark advances next.
  void register_timer(event_time t) { add({t.ms, timer_domain::event, slot_}); }

  /// Asks for a call of `on_processing_time`, when the clock reaches `t`.
  void register_timer(clock_time t) { add({t.ms, timer_domain::processing, slot_}); }

  /// Takes a registration back; nothing if there is none, or the call is being made.
  void delete_timer(event_time t) { remove({t.ms, timer_domain::event, slot_}); }
  void delete_timer(clock_time t) { remove({t.ms, timer_domain::processing, slot_}); }

  /// The next call of `on_event_time` that was asked for; none: there is none.
  std::optional<event_time> event_timer() const {
    const auto t = earliest(timer_domain::event);
    return t ? std::optional{event_time{*t}} : std::nullopt;
  }

  /// The next call of `on_processing_time` that was asked for.
  std::optional<clock_time> processing_timer() const {
    const auto t = earliest(timer_domain::processing);
    return t ? std::optional{clock_time{*t}} : std::nullopt;
  }

  // -- for the engine and for combinators --------------------------------------------------------

  /// `timers` is attached to the row of the window; null for a trigger without timers.
  trigger_context(trigger_scope& scope, trigger_timers* timers) : scope_{&scope}, timers_{timers} {}

  /// What a part gets that comes `slots` slots after this one.
  trigger_context at(unsigned slots) const {
    auto part = *this;
    part.slot_ = static_cast<std::uint8_t>(slot_ + slots);
    return part;
  }

  const trigger_scope& scope() const { return *scope_; }

  /// Whether timers of this part are due.
  bool concerned_by(const due_timers& due) const { return (due.slots >> slot_ & 1u) != 0; }

  /// Deletes all timers of this part.
  void delete_timers() {
    if (timers_ == nullptr) return;
    while (const auto t = timers_->any_of_slot(slot_)) remove(*t);
  }

 protected:
  trigger_timers* timers() const { return timers_; }
  unsigned slot() const { return slot_; }

 private:
  void add(const trigger_timer& t) {
    if (timers_ == nullptr) [[unlikely]]
      throw state::state_error{
          "a trigger that says `uses_timers = false` registers a timer: leave that out"};
    if (timers_->add(t)) scope_->change({t.domain, t.time, true});
  }

  void remove(const trigger_timer& t) {
    if (timers_ != nullptr && timers_->remove(t)) scope_->change({t.domain, t.time, false});
  }

  std::optional<std::int64_t> earliest(timer_domain domain) const {
    return timers_ == nullptr ? std::nullopt : timers_->earliest(domain, slot_);
  }

  trigger_scope* scope_;
  trigger_timers* timers_;
  std::uint8_t slot_ = 0;
};

}  // namespace weir::windowing

namespace weir {
using windowing::trigger_context;
}
