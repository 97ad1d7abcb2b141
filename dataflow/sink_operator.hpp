// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "weir/dataflow/function_lifecycle.hpp"
#include "weir/dataflow/graph.hpp"
#include "weir/dataflow/one_input_operator.hpp"
#include "weir/dataflow/prepared_commits.hpp"
#include "weir/dataflow/sink.hpp"

namespace weir::dataflow {

/// Runs a sink's writer. What a two-phase writer has prepared is in the snapshots until the commit
/// has succeeded.
template <sink S>
class sink_operator final : public one_input_operator<typename S::value_type> {
 public:
  using record = typename S::value_type;
  using writer = typename S::writer;

  explicit sink_operator(S definition) : definition_{std::move(definition)} {}

  /// What is to be done once, before an attempt starts. Errors: corrupt; those of the sink.
  static status prepare_attempt(const S& definition, const attempt_start& start) {
    auto prepared = prepared_commits::read_all(start.chunks);
    if (!prepared) return std::move(prepared).failure();
    return definition.prepare({start.job, start.current, start.files, *std::move(prepared)});
  }

  status open(const operator_environment& environment) override {
    if (auto done = operator_base::open(environment); !done) return done;
    auto made = definition_.make_writer(environment);
    if (!made) return std::move(made).failure();
    writer_.emplace(*std::move(made));
    life_.emplace(*writer_);
    life_->open(this->environment());
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    if (auto done = life_->restore(chunks); !done) return done;
    return prepared_.restore(chunks, this->environment().subtask, this->environment().parallelism);
  }

  status start() override {
    life_->initialize();
    return {};
  }
  void close() override { life_->close(); }

  bool has_work() const override {
    if (this->in().empty()) return false;
    return readiness_ == sink_readiness::ready || writer_->ready() == sink_readiness::ready;
  }

  void begin_snapshot(snapshot_context& context) override {
    if constexpr (two_phase_writer<writer>) {
      context.defer(prepared_.add(context.id(), writer_->prepare_commit(context.id())));
    }
    life_->begin_snapshot(context);
  }
  bool snapshot_running() const override { return life_->snapshot_running(); }
  void sweep_snapshot(std::size_t slots) override { life_->sweep_snapshot(slots); }
  void abort_snapshot() override { life_->abort_snapshot(); }

  std::function<status()> on_checkpoint_complete(checkpoint_id id) override {
    life_->complete(id);
    if constexpr (two_phase_writer<writer>) {
      auto due = prepared_.take(id);
      if (!due.empty()) return writer_->commit(std::move(due));
    }
    return {};
  }

  void on_committed(checkpoint_id id) override { prepared_.committed(id); }
  void on_checkpoint_aborted(checkpoint_id id) override { life_->aborted(id); }

 private:
  status on_batch() override {
    auto data = this->in().pop_data();
    auto written = writer_->write(*data);
    if (!written) return std::move(written).failure();
    readiness_ = *written;
    return {};
  }

  S definition_;
  std::optional<writer> writer_;
  std::optional<function_lifecycle<writer>> life_;
  sink_readiness readiness_ = sink_readiness::ready;
  prepared_commits prepared_;
};

}  // namespace weir::dataflow
