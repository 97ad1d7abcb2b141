// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/state/cell_format.hpp"
#include "weir/state/state_handle.hpp"
#include "weir/windowing/trigger_timer_list.hpp"

namespace weir::windowing {

/// The timers that the parts of a trigger wait for: a keyed state of the engine, declared, stored
/// and restored like those of the trigger. A window whose trigger waits for nothing has none.
class trigger_timers : public state::state_handle {
 public:
  static constexpr std::string_view kind = "trigger timers";
  static constexpr state::redistribution mode = state::redistribution::none;

  explicit trigger_timers(std::string name) : state_handle{std::move(name)} {}

  /// Adds a timer of a part. True if no part has waited for that time so far.
  bool add(const trigger_timer& t) {
    // Most elements find the timer that the first one of their window has registered.
    if (present() && list().has(t)) [[likely]]
      return false;
    return add_new(t);
  }

  /// Removes a timer of a part. True if it had it, and no part waits for that time now.
  bool remove(const trigger_timer& t) {
    if (!present()) return false;
    auto& timers = value_at_row<trigger_timer_list>();
    if (!timers.remove(t)) return false;
    const bool last = !timers.waits_for(t.domain, t.time);
    if (timers.empty()) drop<trigger_timer_list>();
    return last;
  }

  /// Removes all timers of that time. Returns the parts that had one, a bit for each slot.
  std::uint32_t take_due(timer_domain domain, std::int64_t time) {
    if (!present()) return 0;
    auto& timers = value_at_row<trigger_timer_list>();
    const auto slots = timers.take_due(domain, time);
    if (timers.empty()) drop<trigger_timer_list>();
    return slots;
  }

  /// When the next timer of a part is due.
  std::optional<std::int64_t> earliest(timer_domain domain, unsigned slot) const {
    const auto* first = present() ? list().earliest(domain, slot) : nullptr;
    return first == nullptr ? std::nullopt : std::optional{first->time};
  }

  /// A timer of that part, of either domain.
  std::optional<trigger_timer> any_of_slot(unsigned slot) const {
    if (!present()) return std::nullopt;
    const auto* first = list().earliest(timer_domain::event, slot);
    if (first == nullptr) first = list().earliest(timer_domain::processing, slot);
    return first == nullptr ? std::nullopt : std::optional{*first};
  }

  /// All timers in `row`, which is one that the handle could be attached to; null: none.
  const trigger_timer_list* in_row(const std::byte* row) const {
    if (!state::is_present(row, row_cell())) return nullptr;
    return &state::cell<trigger_timer_list>::value(row + row_offset());
  }

  void clear() { drop<trigger_timer_list>(); }

  // -- for the engine ----------------------------------------------------------------------------

  using cell_type = trigger_timer_list;
  static constexpr bool row_stamp = false;
  static std::string type() { return codec<cell_type>::identity(); }
  static void write_cell(byte_writer& out, const cell_type& cell, const state::cell_format&) {
    codec<cell_type>::write(out, cell);
  }
  static cell_type read_cell(byte_reader& in, const state::cell_format&) {
    return codec<cell_type>::read(in);
  }
  static bool remove_expired(cell_type&, const state::ttl_rule&) { return false; }

 private:
  [[gnu::noinline]] bool add_new(const trigger_timer& t) {
    auto& timers = present() ? value_at_row<trigger_timer_list>() : create<trigger_timer_list>();
    const bool news = !timers.waits_for(t.domain, t.time);
    timers.add(t);
    return news;
  }

  const trigger_timer_list& list() const { return value_at_row<trigger_timer_list>(); }
};

}  // namespace weir::windowing
