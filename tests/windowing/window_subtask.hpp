// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/timer_service_logic.hpp"
#include "weir/testing/manual_clock.hpp"
#include "weir/testing/operator_harness.hpp"

#include "windowing/readings.hpp"

namespace weir::testing {

inline constexpr std::uint32_t test_key_groups = 128;
inline constexpr key_group_range all_test_groups{key_group{0}, key_group{test_key_groups - 1}};

/// Keeps the rows that come to it. While it is closed it takes none.
class row_reader final : public dataflow::one_input_operator<window_row> {
 public:
  bool has_work() const override { return open && one_input_operator::has_work(); }

  std::vector<window_row> rows;
  bool open = true;

 private:
  status on_batch() override {
    const auto data = in().pop_data();
    rows.insert(rows.end(), data->values(), data->values() + data->rows());
    return {};
  }
};

/// A window operator with the key groups of one subtask among others: what the operator harness,
/// where an operator has them all, does not do.
class window_subtask final : dataflow::snapshot_context, state::snapshot_stream {
 public:
  explicit window_subtask(const operator_harness::factory& make,
                          key_group_range groups = all_test_groups,
                          const std::vector<state::snapshot_chunk>* from = nullptr) {
    chain_.add(make());
    chain_.add(std::make_unique<row_reader>());
    dataflow::operator_environment environment;
    environment.max_parallelism = test_key_groups;
    environment.groups = groups;
    environment.metrics = &metrics;
    environment.time = &clock;
    outcome = chain_.connect(0, 0, 1);
    chain_.seal([this](dataflow::operator_base& op, checkpoint_id) { op.begin_snapshot(*this); });
    for (std::size_t i = 0; i < 2 && outcome; ++i) outcome = chain_.at(i).open(environment);
    if (from != nullptr && outcome) outcome = op().restore(*from);
    if (op().timers() == nullptr) return;
    service_.add_operator(0, *op().make_timer_queue({}));
    static_cast<void>(service_.start({0}));
  }

  dataflow::operator_base& op() { return chain_.head(); }
  row_reader& reader() { return static_cast<row_reader&>(chain_.at(1)); }

  void push(const std::string& sensor, std::int64_t value, std::int64_t time) {
    push({{reading{sensor, value}, at(time)}});
  }
  void push(const std::vector<std::pair<reading, event_time>>& records) {
    using batch = dataflow::batch<reading>;
    auto data = batch::make(records.size());
    for (const auto& [r, time] : records) data->append(r, time);
    data->account();
    op().input(0).push_erased(dataflow::erased_batch{data.release()});
    run();
  }
  void watermark(event_time t) {
    chain_.admit(dataflow::control::watermark(t));
    run();
  }

  /// Steps of the chain until nothing can be done any more.
  void run() {
    while (outcome) {
      auto done = chain_.run(1000);
      if (!done) outcome = std::move(done).failure();
      dataflow::timer_message message;
      if (op().timers() != nullptr) op().timers()->add_to(message);
      if (message.empty() && outcome && *done == dataflow::chain::outcome::blocked) return;
      auto actions = service_.on_message(std::move(message), {0});
      for (auto& answer : actions.answers) op().timers()->on_answer(std::move(answer));
    }
  }

  void begin_snapshot() {
    chunks_.clear();
    chain_.admit(dataflow::control::barrier({1}));
    run();
    chain_.barrier_done();
  }
  std::vector<state::snapshot_chunk> finish_snapshot() {
    while (op().snapshot_running()) op().sweep_snapshot(7);
    return chunks_;
  }
  std::vector<state::snapshot_chunk> snapshot() {
    begin_snapshot();
    return finish_snapshot();
  }

  /// The rows emitted since the last call, by window and sensor.
  std::vector<window_row> take_rows() {
    op().flush();
    run();
    auto rows = std::exchange(reader().rows, {});
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
      return std::tie(a.end, a.sensor, a.result) < std::tie(b.end, b.sensor, b.result);
    });
    return rows;
  }

  std::uint64_t late() { return metrics.add_counter("late_records_dropped").value(); }
  std::size_t timers() const { return service_.size(); }

  manual_clock clock;
  metric_group metrics;
  status outcome;

 private:
  checkpoint_id id() const override { return {1}; }
  state::snapshot_stream& stream() override { return *this; }
  void defer(dataflow::snapshot_work) override {}
  void put(state::snapshot_chunk chunk) override { chunks_.push_back(std::move(chunk)); }

  dataflow::chain chain_;
  dataflow::timer_service_logic service_;
  std::vector<state::snapshot_chunk> chunks_;
};

/// A sensor whose key group is in `groups`.
inline std::string sensor_of(key_group_range groups) {
  for (int i = 0;; ++i) {
    auto name = "sensor " + std::to_string(i);
    if (groups.contains(key_group_of(stable_hash(name), test_key_groups))) return name;
  }
}

}  // namespace weir::testing
