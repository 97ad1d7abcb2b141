// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "weir/dataflow/function_lifecycle.hpp"
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
    if constexpr (environment_source<S>) {
      reader_.emplace(definition_.make_reader(this->environment()));
    } else {
      reader_.emplace(definition_.make_reader(*environment.files));
    }
    life_.emplace(*reader_);
    life_->open(this->environment());
    if (environment.metrics) records_ = &environment.metrics->add_counter("source_records");
    return {};
  }

  /// The coordinator hands out what is left, to whoever asks. What was read before has to be in the
  /// next snapshots, too: the first subtask keeps it.
  status restore(const state::restored_chunks& chunks) override {
    if (auto done = life_->restore(chunks); !done) return done;
    if (environment().subtask.value != 0) return {};
    auto earlier = split_progress::restore(chunks);
    if (!earlier) return std::move(earlier).failure();
    earlier_ = *std::move(earlier);
    return {};
  }

  status start() override {
    life_->initialize();
    return {};
  }
  void close() override { life_->close(); }

  bool has_work() const override {
    if (!controls_.empty()) return true;
    if (held_ || ended_) return false;
    if (reading_) return !resting_;
    return !assigned_.empty() || no_more_;
  }

  clock_time next_alarm() const override { return resting_ ? next_poll_ : clock_time::max(); }
  void on_alarm(clock_time now) override {
    if (now >= next_poll_) resting_ = false;
  }
  void on_wake() override { resting_ = false; }

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
    life_->begin_snapshot(context);
    split_progress progress = progress_;
    if (reading_) progress.start(current_.number, encode(reader_->position()));
    for (const auto& split : assigned_) progress.start(split.number, split.position);
    context.stream().put({split_progress::section, std::nullopt, progress.encode(), {}});
    if (earlier_.empty()) return;
    context.stream().put({split_progress::earlier_section, std::nullopt, earlier_.encode(), {}});
  }

  bool snapshot_running() const override { return life_->snapshot_running(); }
  void sweep_snapshot(std::size_t slots) override { life_->sweep_snapshot(slots); }
  void abort_snapshot() override { life_->abort_snapshot(); }
  std::function<status()> on_checkpoint_complete(checkpoint_id id) override {
    life_->complete(id);
    return {};
  }
  void on_checkpoint_aborted(checkpoint_id id) override { life_->aborted(id); }

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

  result<poll_outcome> poll_reader() {
    const auto most = environment().limits.rows;
    if constexpr (watermark_source<S>) {
      watermark_manager watermarks{*this};
      return reader_->poll(out_, most, watermarks);
    } else {
      return reader_->poll(out_, most);
    }
  }

  status poll() {
    const auto before = out_.collected();
    auto outcome = poll_reader();
    if (!outcome) return std::move(outcome).failure();
    if (records_) records_->increment(out_.collected() - before);
    if (*outcome == poll_outcome::split_done) {
      reading_ = false;
      progress_.finish(current_.number);
    }
    if (*outcome == poll_outcome::nothing_now) return rest();
    return {};
  }

  status rest() {
    using reader = typename S::reader;
    static constexpr bool woken = environment_source<S>;
    if constexpr (!timed_reader<reader> && !woken) {
      return error{
          errc::invalid_argument,
          "the source has nothing now, and no way to be asked again: give its reader a "
          "`clock_time next_poll()`, or make it with the environment, and call its wake()"};
    }
    resting_ = true;
    next_poll_ = clock_time::max();
    if constexpr (timed_reader<reader>) next_poll_ = reader_->next_poll();
    return {};
  }

  S definition_;
  std::optional<typename S::reader> reader_;
  std::optional<function_lifecycle<typename S::reader>> life_;
  std::deque<control> controls_;
  std::deque<encoded_split> assigned_;
  encoded_split current_;
  split_progress progress_;  ///< since the attempt started
  split_progress earlier_;   ///< of all subtasks before
  counter* records_ = nullptr;
  clock_time next_poll_ = clock_time::max();
  bool reading_ = false;
  bool resting_ = false;  ///< the reader has nothing now
  bool requested_ = false;
  bool no_more_ = false;
  bool held_ = false;
  bool ended_ = false;
  element_queue<record> none_;
  collector<record> out_;
};

}  // namespace weir::dataflow
