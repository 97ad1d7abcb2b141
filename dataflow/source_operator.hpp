// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "weir/dataflow/operator_base.hpp"
#include "weir/dataflow/source.hpp"
#include "weir/dataflow/split_progress.hpp"

namespace weir::dataflow {

/// The head of a chain that reads a source: polls its split when the chain is idle, and asks for
/// the next split while it reads the last that it has. Its state is which splits it has read, and
/// how far.
template <source S>
class source_operator final : public operator_base, public source_port {
 public:
  using record = typename S::value_type;

  explicit source_operator(S definition) : definition_{std::move(definition)} { add_output(out_); }

  std::size_t inputs() const override { return 0; }
  element_queue_base& input(std::size_t) override { return none_; }
  void push_control(control c) override { controls_.push_back(c); }

  status open(const operator_environment& environment) override {
    if (auto done = operator_base::open(environment); !done) return done;
    reader_.emplace(definition_.make_reader(*environment.files));
    if (environment.metrics) records_ = &environment.metrics->add_counter("source_records");
    return {};
  }

  /// The coordinator hands out what is left, to whoever asks. What was read before has to be in the
  /// next snapshots, too: the first subtask keeps it.
  status restore(const state::restored_chunks& chunks) override {
    if (environment().subtask.value != 0) return {};
    auto earlier = split_progress::restore(chunks);
    if (!earlier) return std::move(earlier).failure();
    earlier_ = *std::move(earlier);
    return {};
  }

  bool has_work() const override {
    if (!controls_.empty()) return true;
    if (held_ || ended_) return false;
    return reading_ || !assigned_.empty() || no_more_;
  }

  status step() override {
    if (!controls_.empty()) {
      const control c = controls_.front();
      controls_.pop_front();
      forward(c);
      return {};
    }
    if (reading_) return poll();
    if (!assigned_.empty()) return open_next();
    ended_ = true;
    originate(control::watermark(event_time::max()));
    originate(control::end_of_input());
    return {};
  }

  void begin_snapshot(snapshot_context& context) override {
    split_progress progress = progress_;
    if (reading_) progress.start(current_.number, encode(reader_->position()));
    for (const auto& split : assigned_) progress.start(split.number, split.position);
    context.stream().put({split_progress::section, std::nullopt, progress.encode(), {}});
    if (earlier_.empty()) return;
    context.stream().put({split_progress::earlier_section, std::nullopt, earlier_.encode(), {}});
  }

  source_port* as_source() override { return this; }

  bool take_split_request() override {
    if (requested_ || no_more_ || !assigned_.empty()) return false;
    return requested_ = true;
  }
  status add_split(encoded_split split) override {
    requested_ = false;
    assigned_.push_back(std::move(split));
    return {};
  }
  void no_more_splits() override {
    requested_ = false;
    no_more_ = true;
  }
  void hold(bool held) override { held_ = held; }
  bool ended() const override { return ended_; }

 private:
  status open_next() {
    current_ = std::move(assigned_.front());
    assigned_.pop_front();
    auto split = decode<typename S::split_type>(current_.split);
    if (!split) return std::move(split).failure();
    typename S::position_type position{};
    if (!current_.position.empty()) {
      auto stored = decode<typename S::position_type>(current_.position);
      if (!stored) return std::move(stored).failure();
      position = *std::move(stored);
    }
    if (auto done = reader_->open(*split, position); !done) return done;
    reading_ = true;
    return {};
  }

  status poll() {
    const auto before = out_.collected();
    auto outcome = reader_->poll(out_, environment().limits.rows);
    if (!outcome) return std::move(outcome).failure();
    if (records_) records_->increment(out_.collected() - before);
    if (*outcome == poll_outcome::split_done) {
      reading_ = false;
      progress_.finish(current_.number);
    }
    return {};
  }

  S definition_;
  std::optional<typename S::reader> reader_;
  std::deque<control> controls_;
  std::deque<encoded_split> assigned_;
  encoded_split current_;
  split_progress progress_;  ///< since the attempt started
  split_progress earlier_;   ///< of all subtasks before
  counter* records_ = nullptr;
  bool reading_ = false;
  bool requested_ = false;
  bool no_more_ = false;
  bool held_ = false;
  bool ended_ = false;
  element_queue<record> none_;
  collector<record> out_;
};

}  // namespace weir::dataflow
