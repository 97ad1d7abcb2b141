// SPDX-License-Identifier: Apache-2.0
#include "weir/state/ttl_rules.hpp"

#include <string>

namespace weir::state {
namespace {

/// What is chosen, or else the default, if it is on.
template <class Cleanup>
std::optional<Cleanup> chosen(const ttl_config& config, const std::optional<Cleanup>& cleanup,
                              const Cleanup& by_default) {
  return cleanup || !config.default_cleanup ? cleanup : by_default;
}

}  // namespace

ttl_rules::ttl_rules(const std::vector<state_declaration>& declared) : rules_(declared.size()) {
  for (std::size_t i = 0; i < declared.size(); ++i) {
    full_snapshot_.push_back(declared[i].ttl && declared[i].ttl->full_snapshot);
    if (!declared[i].ttl) continue;
    const ttl_config& config = *declared[i].ttl;
    ttl_rule& rule = rules_[i].emplace();
    rule.lifetime = config.lifetime.count();
    rule.update = config.update;
    rule.visibility = config.visibility;
    auto& same_clock = config.clock == ttl_clock::event_time ? by_event_time_ : by_processing_time_;
    same_clock.push_back(&rule);
    const auto while_used = chosen(config, config.incremental, ttl_config::default_incremental);
    if (while_used) incremental_.push_back({&rule, *while_used, {}});
    const auto at_times = chosen(config, config.background, ttl_config::default_background);
    if (at_times) background_.push_back({*at_times, {}});
  }
}

void ttl_rules::set_time(clock_time now, event_time watermark) noexcept {
  for (ttl_rule* rule : by_processing_time_) rule->now = rule->touch = now.ms;
  for (ttl_rule* rule : by_event_time_) rule->now = rule->touch = watermark.ms;
}

cell_formats ttl_rules::formats_at_barrier() {
  at_barrier_ = rules_;
  cell_formats formats{};
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    formats[i].timed = rules_[i].has_value();
    if (full_snapshot_[i]) formats[i].keep_live_only = &*at_barrier_[i];
  }
  return formats;
}

/// An entry is looked at for all states at once: so the state that asks for most is enough.
std::size_t ttl_rules::take_incremental(std::size_t records) noexcept {
  std::size_t most = 0;
  for (const auto& [rule, cleanup, round_began] : incremental_) {
    const std::size_t steps = rule->accesses + (cleanup.every_record ? records : 0);
    most = std::max(most, steps * cleanup.entries);
    rule->accesses = 0;
  }
  return most;
}

bool ttl_rules::is_round_due() const noexcept {
  return std::any_of(incremental_.begin(), incremental_.end(), [](const incremental& each) {
    const auto pause = std::max<std::int64_t>(each.rule->lifetime / 10, 1);
    return !each.round_began || saturating_add(*each.round_began, pause) <= each.rule->now;
  });
}

void ttl_rules::begin_round() noexcept {
  for (auto& each : incremental_) each.round_began = each.rule->now;
}

void ttl_rules::start(clock_time now) {
  for (auto& [cleanup, next] : background_) next = now + cleanup.period;
}

clock_time ttl_rules::next_alarm() const noexcept {
  auto first = clock_time::max();
  for (const auto& [cleanup, next] : background_) first = std::min(first, next);
  return first;
}

/// What has not been looked at in one period is not owed in the next.
void ttl_rules::on_alarm(clock_time now) noexcept {
  for (auto& [cleanup, next] : background_) {
    if (next > now) continue;
    next = now + cleanup.period;
    background_left_ = std::max(background_left_, cleanup.entries);
  }
}

cell_formats stored_formats(const stored_states& stored, const stored_states& declared,
                            const cell_order& order) {
  cell_formats formats{};
  for (std::size_t i = 0; i < declared.states.size(); ++i)
    formats[i].timed = declared.states[i].ttl.has_value();
  for (std::size_t i = 0; i < stored.states.size(); ++i) {
    const auto& before = stored.states[i].ttl;
    const auto& now = declared.states[order[i]].ttl;
    formats[order[i]].stored_timed = before.has_value();
    formats[order[i]].restamp = before && now && before->clock != now->clock;
  }
  return formats;
}

std::vector<std::string> lengthened_ttls(const stored_states& stored, const stored_states& declared,
                                         const cell_order& order) {
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < stored.states.size(); ++i) {
    const auto& before = stored.states[i].ttl;
    const auto& now = declared.states[order[i]].ttl;
    if (!before || !now || before->clock != now->clock || now->lifetime <= before->lifetime)
      continue;
    warnings.push_back("state \"" + stored.states[i].name + "\" was stored with a TTL of " +
                       to_string(*before) + " and is restored with one of " + to_string(*now) +
                       ": what had expired but was not cleaned up is there again");
  }
  return warnings;
}

}  // namespace weir::state
