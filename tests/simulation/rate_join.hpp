// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <iterator>
#include <map>
#include <memory>
#include <optional>

#include "weir/core/codec.hpp"
#include "weir/core/hash.hpp"
#include "weir/core/key_groups.hpp"
#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/two_input_operator.hpp"
#include "weir/dataflow/watermark_declaration.hpp"

namespace weir::testing {

struct amount {
  std::int64_t key = 0;
  event_time time;
  std::int64_t cents = 0;
};

struct rate {
  std::int64_t key = 0;
  event_time time;
  std::string currency;
};

struct priced {
  std::int64_t key = 0;
  event_time time;
  std::int64_t cents = 0;
  std::string currency;
  friend auto operator<=>(const priced&, const priced&) = default;
};

/// Tells up to which time all records of an input have been sent.
inline const long_watermark promise{.identifier = "promise", .wait_for_all = true};

/// What a `rate_join` has seen beyond its results; outlives it.
struct rate_join_report {
  std::uint64_t promises = 0;
  std::uint64_t ends = 0;
};

/// Gives each amount the newest rate of its key at the amount's time: when the watermark, that of
/// both inputs, says that all earlier rates are there. Checks on the way that no record breaks what
/// the custom watermark `promise` of its input says, that none comes behind its input's end, and
/// that the end of input comes when both have ended.
class rate_join final : public dataflow::two_input_operator<amount, rate> {
 public:
  explicit rate_join(std::shared_ptr<rate_join_report> report) : report_{std::move(report)} {
    add_output(out_);
  }

  status restore(const state::restored_chunks& chunks) override {
    for (const auto& chunk : chunks) {
      if (chunk.section != "rows") continue;
      auto rows = decode<std::pair<std::vector<amount>, std::vector<rate>>>(chunk.bytes);
      if (!rows) return std::move(rows).failure();
      for (const auto& a : rows->first) amounts_.emplace(a.time, a);
      for (const auto& r : rows->second) rates_[r.key].emplace(r.time, r.currency);
    }
    return {};
  }

  void begin_snapshot(dataflow::snapshot_context& context) override {
    std::map<key_group, std::pair<std::vector<amount>, std::vector<rate>>> groups;
    for (const auto& [time, a] : amounts_) groups[group_of(a.key)].first.push_back(a);
    for (const auto& [key, by_time] : rates_) {
      for (const auto& [time, currency] : by_time) {
        groups[group_of(key)].second.push_back({key, time, currency});
      }
    }
    for (const auto& [group, rows] : groups) {
      context.stream().put({"rows", group, encode(rows), {}});
    }
  }

 private:
  key_group group_of(std::int64_t key) const {
    return key_group_of(stable_hash(key), environment().max_parallelism);
  }

  status on_first_batch() override {
    const auto data = first().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) {
      const auto& a = data->values()[i];
      if (auto kept = check(0, a.time); !kept) return kept;
      amounts_.emplace(a.time, a);
    }
    return {};
  }
  status on_second_batch() override {
    const auto data = second().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) {
      const auto& r = data->values()[i];
      if (auto kept = check(1, r.time); !kept) return kept;
      rates_[r.key].emplace(r.time, r.currency);
    }
    return {};
  }

  status check(std::size_t port, event_time time) const {
    if (ended_[port]) return error{errc::corrupt, "a record came behind the end of its input"};
    if (promised_[port] && time.ms <= *promised_[port]) {
      return error{errc::corrupt, "a record of input " + std::to_string(port) +
                                      " came behind the custom watermark that excludes it"};
    }
    return {};
  }

  result<handled> on_control(dataflow::control c) override {
    switch (c.kind()) {
      case dataflow::control_kind::watermark:
        return price(c.time()) ? handled::pass_on : handled::not_yet;
      case dataflow::control_kind::custom:
        promised_[c.port()] = c.value();
        ++report_->promises;
        return handled::ends_here;
      case dataflow::control_kind::end_of_input:
        if (!ended_[0] || !ended_[1]) {
          return error{errc::corrupt, "the end came before those of both inputs"};
        }
        return handled::pass_on;
      default: return handled::pass_on;
    }
  }
  result<handled> on_input_ended(std::size_t port) override {
    if (std::exchange(ended_[port], true)) return error{errc::corrupt, "an input ended twice"};
    ++report_->ends;
    return handled::ends_here;
  }

  /// False: the output is full before all is done.
  bool price(event_time watermark) {
    while (!amounts_.empty() && amounts_.begin()->first <= watermark) {
      const auto& a = amounts_.begin()->second;
      const auto& by_time = rates_[a.key];
      const auto after = by_time.upper_bound(a.time);
      const std::string currency = after == by_time.begin() ? "none" : std::prev(after)->second;
      out_.collect({a.key, a.time, a.cents, currency}, a.time);
      amounts_.erase(amounts_.begin());
      if (!out_.has_room()) return false;
    }
    return true;
  }

  std::shared_ptr<rate_join_report> report_;
  std::multimap<event_time, amount> amounts_;
  std::map<std::int64_t, std::map<event_time, std::string>> rates_;
  std::optional<std::int64_t> promised_[2];
  bool ended_[2] = {false, false};
  dataflow::collector<priced> out_;
};

}  // namespace weir::testing
