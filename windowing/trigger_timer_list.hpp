// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "weir/core/codec_base.hpp"
#include "weir/dataflow/timer.hpp"

namespace weir::windowing {

using dataflow::timer_domain;

/// The most parts that a trigger can have: bits of `due_timers::slots`.
inline constexpr unsigned max_trigger_slots = 32;

/// A timer that one part of a trigger has asked for. A value.
struct trigger_timer {
  std::int64_t time;  ///< milliseconds, on the domain's clock
  timer_domain domain;
  std::uint8_t slot;  ///< the part, see `trigger_context::at`

  friend bool operator==(const trigger_timer& a, const trigger_timer& b) {
    return a.time == b.time && a.domain == b.domain && a.slot == b.slot;
  }
  /// By domain, then by time.
  friend bool operator<(const trigger_timer& a, const trigger_timer& b) {
    return std::tie(a.domain, a.time, a.slot) < std::tie(b.domain, b.time, b.slot);
  }
};

/// The timers that a trigger waits for in one window of one key: those of one domain in the order
/// in which they are due, each once. Two need no memory of their own. Owned and used by one
/// subtask.
///
/// Stored: `count:varint (domain and slot:u8 time:i64)*`
class trigger_timer_list {
 public:
  trigger_timer_list() noexcept {}
  trigger_timer_list(trigger_timer_list&& other) noexcept { take(other); }
  trigger_timer_list& operator=(trigger_timer_list&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~trigger_timer_list() { release(); }

  const trigger_timer* begin() const noexcept { return timers(); }
  const trigger_timer* end() const noexcept { return timers() + size_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

  bool has(const trigger_timer& t) const {
    if (size_ > 4) [[unlikely]]
      return std::binary_search(begin(), end(), t);
    for (const auto& mine : *this)
      if (mine == t) return true;
    return false;
  }

  /// False: it is there already.
  bool add(const trigger_timer& t) {
    const auto at = static_cast<std::size_t>(std::lower_bound(begin(), end(), t) - begin());
    if (at < size_ && timers()[at] == t) return false;
    if (size_ == capacity_) grow();
    trigger_timer* const hole = timers() + at;
    std::copy_backward(hole, timers() + size_, timers() + size_ + 1);
    *hole = t;
    ++size_;
    return true;
  }

  /// False: it is not there.
  bool remove(const trigger_timer& t) {
    trigger_timer* const last = timers() + size_;
    trigger_timer* const at = std::lower_bound(timers(), last, t);
    if (at == last || !(*at == t)) return false;
    std::copy(at + 1, last, at);
    --size_;
    return true;
  }

  /// Whether any part waits for that time.
  bool waits_for(timer_domain domain, std::int64_t time) const {
    const auto* at = first_of(domain, time);
    return at != end() && at->domain == domain && at->time == time;
  }

  /// Removes the timers of that time. Returns the set of parts that had one, a bit for each slot.
  std::uint32_t take_due(timer_domain domain, std::int64_t time) {
    trigger_timer* const from = timers() + (first_of(domain, time) - begin());
    trigger_timer* to = from;
    std::uint32_t slots = 0;
    for (; to != timers() + size_ && to->domain == domain && to->time == time; ++to)
      slots |= 1u << to->slot;
    std::copy(to, timers() + size_, from);
    size_ -= static_cast<std::uint32_t>(to - from);
    return slots;
  }

  /// For rows of states of which others have a TTL: timers do not expire.
  template <class Rule>
  static bool any_live(const Rule&) {
    return true;
  }

  /// The next timer of a part; null: it has none in that domain.
  const trigger_timer* earliest(timer_domain domain, unsigned slot) const {
    const auto* at = std::find_if(begin(), end(), [&](const trigger_timer& t) {
      return t.domain == domain && t.slot == slot;
    });
    return at == end() ? nullptr : at;
  }

 private:
  static constexpr std::uint32_t few = 2;

  trigger_timer* timers() noexcept { return capacity_ == few ? few_ : many_; }
  const trigger_timer* timers() const noexcept { return capacity_ == few ? few_ : many_; }

  const trigger_timer* first_of(timer_domain domain, std::int64_t time) const {
    return std::lower_bound(begin(), end(), trigger_timer{time, domain, 0});
  }

  void grow() {
    auto* const larger = new trigger_timer[2 * capacity_];
    std::copy(begin(), end(), larger);
    const auto count = size_, doubled = 2 * capacity_;
    release();
    many_ = larger;
    size_ = count;
    capacity_ = doubled;
  }

  void release() noexcept {
    if (capacity_ != few) delete[] many_;
    size_ = 0;
    capacity_ = few;
  }

  /// @pre this one has no memory
  void take(trigger_timer_list& other) noexcept {
    if (other.capacity_ == few)
      std::copy(other.few_, other.few_ + other.size_, few_);
    else
      many_ = other.many_;
    size_ = std::exchange(other.size_, 0u);
    capacity_ = std::exchange(other.capacity_, few);
  }

  union {
    trigger_timer few_[few];
    trigger_timer* many_;
  };
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = few;
};

}  // namespace weir::windowing

template <>
struct weir::codec<weir::windowing::trigger_timer_list> {
  using list = windowing::trigger_timer_list;

  static void write(byte_writer& out, const list& timers) {
    out.varint(timers.size());
    for (const auto& t : timers) {
      out.fixed(static_cast<std::uint8_t>(static_cast<unsigned>(t.domain) << 5 | t.slot));
      out.fixed(t.time);
    }
  }

  static list read(byte_reader& in) {
    list timers;
    const auto count = in.varint();
    for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
      const auto head = in.fixed<std::uint8_t>();
      const auto time = in.fixed<std::int64_t>();
      const bool known = head >> 5 <= static_cast<unsigned>(windowing::timer_domain::processing);
      const auto domain = static_cast<windowing::timer_domain>(head >> 5);
      const auto slot = static_cast<std::uint8_t>(head & 31u);
      if (!in.failed() && (!known || !timers.add({time, domain, slot}))) in.fail();
    }
    if (!in.failed() && timers.empty()) in.fail();
    return timers;
  }

  static std::string identity() { return "trigger timers"; }
};
