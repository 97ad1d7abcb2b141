// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/memory_file_system.hpp"
#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/source_operator.hpp"
#include "weir/testing/manual_clock.hpp"

#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::testing {

/// A source with a recorder behind it, and the strategy of its watermarks, if it makes some.
template <class S, class Watermarks = dataflow::no_source_watermarks>
struct source_chain {
  template <class... Strategy>
  explicit source_chain(S definition = {}, Strategy... strategy) {
    it.add(std::make_unique<dataflow::source_operator<S, Watermarks>>(std::move(definition),
                                                                      std::move(strategy)...));
    it.add(std::make_unique<recorder<typename S::value_type>>(seen, open));
    REQUIRE(it.connect(0, 0, 1).ok());
    it.seal([this](dataflow::operator_base& op, checkpoint_id) {
      if (op.as_source()) op.begin_snapshot(taken);
    });
    dataflow::operator_environment environment;
    environment.files = &files;
    environment.time = &clock;
    environment.metrics = &metrics;
    environment.wake = [this] { woken = true; };
    REQUIRE(it.head().open(environment).ok());
    port = it.head().as_source();
  }

  status run(std::size_t steps = 1'000) {
    auto done = it.run(steps);
    if (!done) return std::move(done).failure();
    return {};
  }
  void settle() {
    REQUIRE(run().ok());
    REQUIRE(it.flush(1'000).ok());
  }
  void give(std::uint64_t number, int split, std::string position = {},
            std::string watermark = {}) {
    REQUIRE(
        port->add_split({number, encode(split), std::move(position), std::move(watermark)}).ok());
  }

  /// Moves the clock on, then does what is to be done.
  void advance(duration by) {
    clock.advance(by);
    if (clock.now() >= it.head().next_alarm()) it.head().on_alarm(clock.now());
    settle();
  }

  /// Takes a snapshot: what it says was read.
  dataflow::split_progress snapshot() {
    taken.chunks.clear();
    it.admit(dataflow::control::barrier({++barriers}));
    REQUIRE(run().ok());
    REQUIRE(it.no_control_inside());
    it.barrier_done();
    while (it.head().snapshot_running()) it.head().sweep_snapshot(1);
    return dataflow::split_progress::restore(taken.chunks).value();
  }

  class chunks_taken final : public dataflow::snapshot_context, public state::snapshot_stream {
   public:
    checkpoint_id id() const override { return {1}; }
    state::snapshot_stream& stream() override { return *this; }
    void defer(dataflow::snapshot_work) override {}
    void put(state::snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }
    std::vector<state::snapshot_chunk> chunks;
  };

  memory_file_system files;
  dataflow::chain it;
  std::vector<std::string> seen;
  bool open = true;
  dataflow::source_port* port = nullptr;
  chunks_taken taken;
  std::uint64_t barriers = 0;
  manual_clock clock;
  metric_group metrics;
  bool woken = false;
};

}  // namespace weir::testing
