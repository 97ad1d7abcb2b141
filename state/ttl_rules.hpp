// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/time.hpp"
#include "weir/state/cell_format.hpp"
#include "weir/state/state_declaration.hpp"
#include "weir/state/ttl_rule.hpp"

namespace weir::state {

/// The TTLs of the keyed states of one function in one subtask while it runs: what time it is for
/// each, and how much there is to clean up. Owned and used by the subtask; must outlive the
/// function's use of its states.
class ttl_rules {
 public:
  /// `declared`: the keyed states in the order of their cells.
  explicit ttl_rules(const std::vector<state_declaration>& declared);
  ttl_rules(const ttl_rules&) = delete;
  ttl_rules& operator=(const ttl_rules&) = delete;

  /// The TTL of the state in cell `i`; null: it has none.
  ttl_rule* of(std::size_t i) noexcept { return rules_[i] ? &*rules_[i] : nullptr; }
  const ttl_rule* of(std::size_t i) const noexcept { return rules_[i] ? &*rules_[i] : nullptr; }

  /// From now on it is `now`, and `watermark` in event time. Before each batch, timer or clean-up.
  void set_time(clock_time now, event_time watermark) noexcept;

  /// The record in hand is of this event time; `min()`: of none.
  void set_record_time(event_time time) noexcept {
    for (ttl_rule* rule : by_event_time_) rule->touch = std::max(rule->now, time.ms);
  }

  /// How each cell is written now. What the formats refer to stays as it is until the next call.
  cell_formats formats_at_barrier();

  // -- clean-up ----------------------------------------------------------------------------------

  /// How many entries are to be looked at for the accesses since the last call, of which `records`
  /// records made some.
  std::size_t take_incremental(std::size_t records) noexcept;

  /// Whether another round over all entries is worth while because of the incremental clean-ups:
  /// since the last one began a tenth of a lifetime has passed, so that what has expired is a small
  /// part of what is there.
  bool is_round_due() const noexcept;
  /// A round over all entries begins.
  void begin_round() noexcept;

  /// The background clean-ups begin their first period.
  void start(clock_time now);
  /// When the next period ends; `max()`: never.
  clock_time next_alarm() const noexcept;
  /// The clock shows `now`: periods may have ended.
  void on_alarm(clock_time now) noexcept;
  /// How many entries are still to be looked at.
  std::size_t background_left() const noexcept { return background_left_; }
  /// So many have been. More than are left: all of them.
  void background_done(std::size_t entries) noexcept {
    background_left_ -= std::min(background_left_, entries);
  }

 private:
  struct background {
    ttl_background_cleanup cleanup;
    clock_time next;
  };
  struct incremental {
    ttl_rule* rule;
    ttl_incremental_cleanup cleanup;
    std::optional<std::int64_t> round_began;  // by the rule's clock
  };

  std::vector<std::optional<ttl_rule>> rules_;  // by cell
  std::vector<std::optional<ttl_rule>> at_barrier_;
  std::vector<bool> full_snapshot_;
  std::vector<ttl_rule*> by_event_time_;
  std::vector<ttl_rule*> by_processing_time_;
  std::vector<incremental> incremental_;
  std::vector<background> background_;
  std::size_t background_left_ = 0;
};

/// How cells stored as `stored` are read as `declared`, by the present order: with or without
/// stamps, which mean something or not. `restore_time` is left to be set.
cell_formats stored_formats(const stored_states& stored, const stored_states& declared,
                            const cell_order& order);

/// What to warn of when `stored` is restored as `declared`: each TTL that has become longer, as
/// what had expired may come back.
std::vector<std::string> lengthened_ttls(const stored_states& stored, const stored_states& declared,
                                         const cell_order& order);

}  // namespace weir::state
