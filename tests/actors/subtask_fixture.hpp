// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "weir/actors/internal/job_blueprint.hpp"
#include "weir/actors/internal/subtask.hpp"
#include "weir/actors/internal/wiring.hpp"
#include "weir/core/memory_file_system.hpp"
#include "weir/testing/manual_clock.hpp"

#include "support/catch.hpp"

namespace weir::actors::internal {

/// Writes down what a subtask does to the world; works of the executor wait for the test.
class recording_host final : public subtask_host {
 public:
  void send_element(subtask_id, channel_message message) override {
    elements.push_back(std::move(message));
  }
  void send_credit(subtask_id, credit_message message) override { credits.push_back(message); }
  void report(subtask_report what) override { reports.push_back(std::move(what)); }
  void send_to_timers(dataflow::timer_message message) override {
    to_timers.push_back(std::move(message));
  }
  void call_self(self_call what) override { self_calls.push_back(what); }
  void call_self_at(clock_time at) override { alarms.push_back(at); }
  void run_io(std::function<std::function<void()>()> work) override {
    works.push_back(std::move(work));
  }
  void point(std::string_view name) override { points.emplace_back(name); }

  /// The reports of kind T.
  template <class T>
  std::vector<T> reports_of() const {
    std::vector<T> found;
    for (const auto& r : reports) {
      if (const auto* one = std::get_if<T>(&r)) found.push_back(*one);
    }
    return found;
  }

  /// "2 rows", "barrier 3" and so on, in order.
  std::vector<std::string> sent() const {
    std::vector<std::string> all;
    for (const auto& e : elements) {
      if (e.data) {
        all.push_back(std::to_string(e.data->rows()) + " rows");
        continue;
      }
      switch (e.signal.kind()) {
        case dataflow::control_kind::watermark: all.push_back("watermark"); break;
        case dataflow::control_kind::barrier:
          all.push_back("barrier " + std::to_string(e.signal.checkpoint().value));
          break;
        case dataflow::control_kind::end_of_input: all.push_back("end"); break;
        default: all.push_back("status");
      }
    }
    return all;
  }

  std::vector<channel_message> elements;
  std::vector<credit_message> credits;
  std::vector<subtask_report> reports;
  std::vector<dataflow::timer_message> to_timers;
  std::vector<self_call> self_calls;
  std::vector<clock_time> alarms;
  std::vector<std::function<std::function<void()>()>> works;
  std::vector<std::string> points;
};

/// Subtask 0 of a task of a job, with a recording host and a disk in memory.
class subtask_fixture {
 public:
  explicit subtask_fixture(const std::function<void(environment&)>& describe,
                           std::uint32_t task = 0, log_sink& log = null_log_sink(),
                           snapshot_limits snapshots = {})
      : log_{&log} {
    environment described{"job"};
    described.options().limits.rows = 2;
    describe(described);
    auto job = job_blueprint::make(described);
    REQUIRE(job);
    auto built = dataflow::build_chain(job->graph, job->plan, task);
    REQUIRE(built);
    const subtask_id self{task, {0}};
    auto wiring = wire(job->plan, self);
    subtask_spec spec;
    spec.self = self;
    spec.attempt = attempt;
    spec.built = *std::move(built);
    spec.inputs = std::move(wiring.inputs);
    spec.outputs = std::move(wiring.outputs);
    spec.credit = 2;
    spec.snapshots = snapshots;
    spec.time = &clock;
    spec.metrics = &metrics;
    spec.folder.emplace(disk, "/checkpoints", epoch_id{1}, attempt);
    for (std::size_t place = 0; place < spec.built.operators->size(); ++place) {
      spec.environments.push_back(environment_of(*job, spec.built, place));
    }
    subject = std::make_unique<subtask>(std::move(spec), host);
  }

  void open() { REQUIRE(subject->open(std::nullopt)); }
  void start() { subject->on_command(start_command{}); }
  void start_opened() {
    open();
    start();
  }

  /// Gives the source of the task, if it is its head, a split, and then no more.
  void give_split(std::uint64_t number = 0, std::uint64_t first_record = 0) {
    subject->on_command(
        split_command{0, dataflow::encoded_split{number, encode(first_record), ""}});
    subject->on_command(split_command{0, std::nullopt});
  }

  void give_credit(std::uint32_t batches) { subject->on_credit({attempt, 0, 0, batches}); }

  /// A batch of integers through a channel.
  void send(std::uint32_t channel, const std::vector<int>& values) {
    auto data = dataflow::batch<int>::make(std::max<std::size_t>(1, values.size()));
    for (const int v : values) data->append(v, at(v));
    data->account();
    send({attempt, channel, next_[channel]++, dataflow::erased_batch{data.release()}});
  }
  void send(std::uint32_t channel, dataflow::control c) {
    send({attempt, channel, next_[channel]++, {}, c});
  }
  void send(channel_message message) { subject->on_element(std::move(message)); }

  /// Does what the subtask asked itself and the executor for, until there is nothing left.
  void run() {
    while (!host.self_calls.empty() || !host.works.empty()) {
      for (const auto call : std::exchange(host.self_calls, {})) subject->on_self(call);
      for (const auto& work : std::exchange(host.works, {})) subject->on_io(work());
    }
  }

  attempt_id attempt{3};
  testing::manual_clock clock;
  memory_file_system disk;
  metric_group metrics;
  recording_host host;
  std::unique_ptr<subtask> subject;

 private:
  dataflow::operator_environment environment_of(const job_blueprint& job,
                                                const dataflow::built_chain& built,
                                                std::size_t place) {
    dataflow::operator_environment made;
    made.job = job.name;
    made.name = "channel";
    made.place = static_cast<std::uint32_t>(place);
    made.current = {epoch_id{1}, attempt};
    made.limits = job.options.limits;
    made.time = &clock;
    made.files = &disk;
    made.metrics = &metrics;
    made.log = log_;
    made.wake = [] {};
    if (place >= built.nodes.size()) return made;
    const auto& node = job.graph.at(built.nodes[place]);
    made.uid = node.uid;
    made.name = node.name;
    made.parallelism = node.parallelism;
    made.max_parallelism = node.max_parallelism;
    made.groups = range_of({0}, node.parallelism, node.max_parallelism);
    return made;
  }

  log_sink* log_;
  std::map<std::uint32_t, std::uint64_t> next_;
};

}  // namespace weir::actors::internal
