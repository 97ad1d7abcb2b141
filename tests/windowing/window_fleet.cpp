// SPDX-License-Identifier: Apache-2.0
#include "windowing/window_fleet.hpp"

#include <algorithm>
#include <utility>

#include "weir/core/key_groups.hpp"
#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/timer_client_base.hpp"
#include "weir/dataflow/timer_service_logic.hpp"

namespace weir::testing {
namespace {

constexpr std::uint32_t key_groups = 128;

/// Keeps what comes to it, with its time.
template <class R>
class keeper final : public dataflow::one_input_operator<R> {
 public:
  explicit keeper(bool small) {
    if (small) this->in().set_capacity(1);
  }

  std::vector<std::pair<R, event_time>> rows;

 private:
  status on_batch() override {
    const auto data = this->in().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i)
      rows.emplace_back(data->values()[i], data->times()[i]);
    return {};
  }
};

}  // namespace

struct window_fleet::subtask final : dataflow::snapshot_context, state::snapshot_stream {
  subtask(const fleet_options& options, subtask_index number, std::uint32_t parallelism,
          const weir::clock& time)
      : time_{time}, late_output_{options.late_output}, shares_batches_{options.small_batches} {
    environment_.subtask = number;
    environment_.parallelism = parallelism;
    environment_.max_parallelism = key_groups;
    environment_.groups = range_of(number, parallelism, key_groups);
    environment_.time = &time;
    environment_.metrics = &metrics_;
    environment_.log = &null_log_sink();
    if (options.small_batches) environment_.limits.rows = 1;
    chain_.add(options.make());
    if (late_output_)
      op().add_side_output(late_samples, std::make_unique<dataflow::collector<sample>>());
    chain_.add(std::make_unique<keeper<window_values>>(options.small_batches));
    outcome = chain_.connect(0, 0, 1);
    if (late_output_) {
      chain_.add(std::make_unique<keeper<sample>>(options.small_batches));
      if (outcome) outcome = chain_.connect(0, 1, 2);
    }
    chain_.seal([this](dataflow::operator_base& passed, checkpoint_id) {
      if (&passed == &op()) passed.begin_snapshot(*this);
    });
  }

  dataflow::operator_base& op() { return chain_.head(); }

  void start(const std::vector<state::snapshot_chunk>* snapshot) {
    state::restored_chunks chunks;
    if (snapshot != nullptr) {
      environment_.restored = checkpoint_id{1};
      for (const auto& chunk : *snapshot)
        if (!chunk.group || environment_.groups.contains(*chunk.group)) chunks.push_back(chunk);
    }
    if (outcome) outcome = op().open(environment_);
    if (outcome && snapshot != nullptr) outcome = op().restore(chunks);
    if (outcome && has_timers()) add_timers(chunks);
    if (!outcome) return;
    outcome = op().start();
    carry_out(service_.start(time_.now()));
    run();
  }

  /// Windows that need the watermark only have none.
  bool has_timers() { return op().timers() != nullptr; }

  void add_timers(const state::restored_chunks& chunks) {
    auto queue = op().make_timer_queue(chunks);
    if (queue)
      service_.add_operator(op().timers()->operator_index(), *std::move(queue));
    else
      outcome = std::move(queue).failure();
  }

  void push(const std::vector<model::element>& elements) {
    using batch = dataflow::batch<sample>;
    if (elements.empty() || !outcome) return;
    auto data = batch::make(elements.size());
    for (const auto& e : elements)
      data->append(sample{e.key, e.value, e.gap, {e.value}}, event_time{e.time});
    data->account();
    dataflow::erased_batch one{data.release()};
    const auto held = shares_batches_ ? one : dataflow::erased_batch{};
    op().input(0).push_erased(std::move(one));
    run();
  }

  void admit(dataflow::control c) {
    if (!outcome) return;
    chain_.admit(c);
    run();
  }

  /// Does whatever can be done.
  void run() {
    do {
      while (outcome && go_on()) continue;
    } while (outcome && op().flush());
  }

  bool go_on() {
    auto done = chain_.run(1000);
    if (!done) {
      outcome = std::move(done).failure();
      return false;
    }
    if (*done == dataflow::chain::outcome::more_to_do) return true;
    if (!has_timers()) return false;
    dataflow::timer_message message;
    op().timers()->add_to(message);
    if (!message.empty()) {
      carry_out(service_.on_message(std::move(message), time_.now()));
      return true;
    }
    if (next_alarm() > time_.now()) return false;
    const auto due = *std::exchange(alarm_, std::nullopt);
    carry_out(service_.on_alarm(due.number, time_.now()));
    return true;
  }

  clock_time next_alarm() const { return alarm_ ? alarm_->at : clock_time::max(); }

  void begin_snapshot() {
    chunks.clear();
    admit(dataflow::control::barrier({1}));
    if (!outcome) return;
    chain_.barrier_done();
    if (!has_timers()) return;
    dataflow::timer_message message;
    op().timers()->add_to(message);
    message.snapshot = checkpoint_id{1};
    carry_out(service_.on_message(std::move(message), time_.now()));
    run();
  }

  void finish_snapshot() {
    while (outcome && op().snapshot_running()) op().sweep_snapshot(7);
    for (auto& chunk : chunks) chunk.from = environment_.subtask;
  }

  std::vector<model::emission> take_results() {
    std::vector<model::emission> all;
    auto& from = static_cast<keeper<window_values>&>(chain_.at(1)).rows;
    for (auto& [r, time] : std::exchange(from, {}))
      all.push_back({r.key, r.start, r.end, std::move(r.values), time.ms, false});
    return all;
  }

  std::vector<model::emission> take_late() {
    std::vector<model::emission> all;
    if (!late_output_) return all;
    auto& from = static_cast<keeper<sample>&>(chain_.at(2)).rows;
    for (auto& [r, time] : std::exchange(from, {}))
      all.push_back({r.key, 0, 0, {r.value}, time.ms, true});
    return all;
  }

  int dropped() { return static_cast<int>(metrics_.add_counter("late_records_dropped").value()); }
  std::size_t timers() const { return service_.size(); }

  status outcome;
  std::vector<state::snapshot_chunk> chunks;

 private:
  checkpoint_id id() const override { return {1}; }
  state::snapshot_stream& stream() override { return *this; }
  void defer(dataflow::snapshot_work work) override {
    auto made = work();
    if (!made) return static_cast<void>(outcome = std::move(made).failure());
    for (auto& chunk : *made) chunks.push_back(std::move(chunk));
  }
  void put(state::snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }

  void carry_out(dataflow::timer_actions actions) {
    for (auto& answer : actions.answers) op().timers()->on_answer(std::move(answer));
    if (actions.alarm) alarm_ = actions.alarm;
    if (!actions.snapshot) return;
    for (auto& part : actions.snapshot->operators)
      for (auto& chunk : part.chunks) chunks.push_back(std::move(chunk));
  }

  const weir::clock& time_;
  bool late_output_;
  bool shares_batches_;
  metric_group metrics_;
  dataflow::operator_environment environment_;
  dataflow::chain chain_;
  dataflow::timer_service_logic service_;
  std::optional<dataflow::timer_alarm> alarm_;
};

window_fleet::window_fleet(fleet_options options, std::uint32_t parallelism)
    : options_{std::move(options)} {
  start(parallelism, false);
}
window_fleet::~window_fleet() = default;

void window_fleet::start(std::uint32_t parallelism, bool restored) {
  subtasks_.clear();
  for (std::uint32_t i = 0; i < parallelism; ++i) {
    subtasks_.push_back(std::make_unique<subtask>(options_, subtask_index{i}, parallelism, clock_));
    subtasks_.back()->start(restored ? &snapshot_ : nullptr);
  }
}

std::size_t window_fleet::subtask_of(std::int64_t key) const {
  const auto groups = static_cast<std::uint32_t>(parallelism());
  return owner_of(key_group_of(stable_hash(key), key_groups), groups, key_groups).value;
}

void window_fleet::push(const std::vector<model::element>& elements) {
  std::vector<std::vector<model::element>> by_subtask(parallelism());
  for (const auto& e : elements) by_subtask[subtask_of(e.key)].push_back(e);
  for (std::size_t i = 0; i < parallelism(); ++i) subtasks_[i]->push(by_subtask[i]);
}

void window_fleet::watermark(std::int64_t to) {
  for (auto& s : subtasks_) s->admit(dataflow::control::watermark(event_time{to}));
}

void window_fleet::clock(std::int64_t to) {
  for (;;) {
    auto next = clock_time::max();
    for (const auto& s : subtasks_) next = std::min(next, s->next_alarm());
    if (next.ms > to || !failure().empty()) break;
    clock_.set(next);
    for (auto& s : subtasks_) s->run();
  }
  clock_.set({to});
}

void window_fleet::begin_snapshot() {
  for (auto& s : subtasks_) s->begin_snapshot();
  dropped_at_cut_ = dropped();
}

void window_fleet::finish_snapshot() {
  snapshot_.clear();
  for (auto& s : subtasks_) {
    s->finish_snapshot();
    std::move(s->chunks.begin(), s->chunks.end(), std::back_inserter(snapshot_));
  }
  dropped_in_snapshot_ = dropped_at_cut_;
}

void window_fleet::abort_snapshot() {
  for (auto& s : subtasks_) s->op().abort_snapshot();
}

void window_fleet::restore(std::uint32_t parallelism) {
  if (!failure().empty()) return;
  dropped_before_ = dropped_in_snapshot_;
  start(parallelism, true);
}

std::vector<model::emission> window_fleet::take(std::size_t subtask, bool late) {
  return late ? subtasks_[subtask]->take_late() : subtasks_[subtask]->take_results();
}

std::optional<std::int64_t> window_fleet::restored_watermark() const {
  std::optional<std::int64_t> agreed;
  for (const auto& s : subtasks_) {
    const auto one = s->op().restored_watermark().value_or(event_time::min()).ms;
    if (agreed && *agreed != one) return std::nullopt;
    agreed = one;
  }
  return agreed;
}

int window_fleet::dropped() const {
  int all = dropped_before_;
  for (const auto& s : subtasks_) all += s->dropped();
  return all;
}

std::size_t window_fleet::timers() const {
  std::size_t all = 0;
  for (const auto& s : subtasks_) all += s->timers();
  return all;
}

std::string window_fleet::failure() const {
  for (const auto& s : subtasks_)
    if (!s->outcome) return s->outcome.error_text();
  return {};
}

}  // namespace weir::testing
