// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/state/states.hpp"
#include "weir/state/value_state_with_default.hpp"

namespace weir::testing {

/// Event timers: each record, of a key of its own, registers three, and deletes one of them, at
/// once or when another one is called; each call registers the next. Over a union of two sources
/// with watermarks after every record.
class event_timer_job {
 public:
  struct order {
    std::uint32_t id = 0;
    event_time time;
  };
  struct call {
    std::uint32_t id = 0;
    event_time time;
    std::uint32_t number = 0;
    friend auto operator<=>(const call&, const call&) = default;
  };

  static constexpr std::uint32_t orders_of_source = 250;
  static constexpr duration disorder{7};

 private:
  struct call_in_turn {
    state::value_state_with_default<std::uint32_t> calls{"calls", 0};
    state::value_state_with_default<event_time> began{"began", event_time::min()};
    auto uses_states() { return state::states(calls, began); }

    void process_record(const order& o, collector<call>&, keyed_context<std::uint32_t>& context) {
      auto timers = context.timers();
      began.update(o.time);
      for (const int after : {5, 11, 17}) timers.register_timer(o.time + duration{after});
      if (o.id % 2 == 0) timers.delete_timer(o.time + duration{11});
    }
    void on_event_timer(event_time time, collector<call>& rows,
                        keyed_context<std::uint32_t>& context) {
      auto timers = context.timers();
      const auto number = calls.edit([](std::uint32_t& n) { return ++n; });
      const auto id = context.current_key();
      rows.collect({id, time, number});
      if (number == 1 && id % 2 == 1) timers.delete_timer(began.value() + duration{17});
      if (number < 6) timers.register_timer(time + duration{20});
    }
  };

  static std::vector<order> orders(std::uint32_t source) {
    random_generator random{source};
    std::vector<order> all;
    for (std::uint32_t n = 0; n < orders_of_source; ++n) {
      const auto late = static_cast<std::int64_t>(random.below(disorder.count()));
      all.push_back({source * orders_of_source + n, {2 * std::int64_t{n} - late}});
    }
    return all;
  }

 public:
  void describe(environment& env) const {
    env.parallelism(2);
    const auto watermarks =
        bounded_out_of_orderness(disorder).timestamps(&order::time).per_record();
    const auto left = env.from_collection(orders(0)).assign_timestamps_and_watermarks(watermarks);
    const auto right = env.from_collection(orders(1)).assign_timestamps_and_watermarks(watermarks);
    left.union_with(right).key_by(&order::id).process(call_in_turn{}).sink_to(out_);
  }

  std::vector<call> rows() const {
    auto rows = out_.rows();
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  /// What the rows must be: the same by hand, one record after the other.
  static std::vector<call> expected() {
    std::vector<call> rows;
    for (const std::uint32_t source : {0, 1}) {
      for (const auto& o : orders(source)) call_by_hand(o, rows);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

 private:
  static void call_by_hand(const order& o, std::vector<call>& rows) {
    std::vector<std::int64_t> due{5, o.id % 2 == 0 ? 17 : 11};
    for (std::uint32_t number = 1; !due.empty(); ++number) {
      const auto next = std::min_element(due.begin(), due.end());
      const auto after = *next;
      due.erase(next);
      rows.push_back({o.id, o.time + duration{after}, number});
      if (number < 6) due.push_back(after + 20);
    }
  }

  collect_sink<call> out_{"calls"};
};

}  // namespace weir::testing
