// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/dataflow/function_calls.hpp"
#include "weir/dataflow/function_operator.hpp"
#include "weir/dataflow/key_group_watermarks.hpp"
#include "weir/dataflow/keyed_accesses.hpp"
#include "weir/dataflow/partitioned_context.hpp"
#include "weir/dataflow/single_partition.hpp"
#include "weir/dataflow/ttl_driver.hpp"
#include "weir/state/keyed_rows.hpp"

namespace weir::dataflow {

/// What all operators have in common that call a user's function without a current key, whatever
/// their inputs. The function may have keyed states where the stream is one partition: they are the
/// states of that one.
template <class Input, class F, class Timing, class... R>
class non_keyed_operator : public function_operator<Input, F, R...> {
 protected:
  using base = function_operator<Input, F, R...>;
  using typename base::function;
  using typename base::handled;
  using context = partitioned_context;

  static constexpr bool has_rows = state::state_count<function> > 0;

 public:
  using base::base;

  status open(const operator_environment& environment) override {
    if (auto done = base::open(environment); !done) return done;
    context_.emplace(*this, *this->whole_, this->life_.listed());
    if constexpr (has_rows) {
      rows_.emplace(this->function_, environment.groups, environment.max_parallelism);
      floors_.open(environment.groups, environment.max_parallelism);
      ttl_.open(*rows_, environment);
      this->out_.with([&](auto&... out) { accesses_.open(this->function_, nullptr, out...); });
    }
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    if (auto done = base::restore(chunks); !done) return done;
    if constexpr (has_rows) {
      auto found = floors_.restore(chunks);
      if (!found) return std::move(found).failure();
      if (*found) restored_ = watermark_ = floors_.lowest();
      ttl_.set_time(watermark_);
      if (auto done = rows_->restore(chunks, "rows"); !done) return done;
      ttl_.log_restore(this->environment());
    }
    return {};
  }

  std::optional<event_time> restored_watermark() const override { return restored_; }

  bool has_work() const override { return ttl_.has_work() || base::has_work(); }
  status step() override {
    if (!ttl_.has_work()) return base::step();
    ttl_.work(watermark_);
    return {};
  }
  clock_time next_alarm() const override { return ttl_.next_alarm(); }
  void on_alarm(clock_time now) override { ttl_.on_alarm(now); }

  void begin_snapshot(snapshot_context& into) override {
    base::begin_snapshot(into);
    if constexpr (has_rows) {
      floors_.write(watermark_, into.stream());
      ttl_.set_time(watermark_);
      rows_->begin_snapshot(into.stream(), "rows");
    }
  }
  bool snapshot_running() const override {
    if constexpr (has_rows) {
      if (rows_->snapshotting()) return true;
    }
    return base::snapshot_running();
  }
  void sweep_snapshot(std::size_t slots) override {
    base::sweep_snapshot(slots);
    if constexpr (has_rows) rows_->sweep(slots);
  }
  void abort_snapshot() override {
    base::abort_snapshot();
    if constexpr (has_rows) rows_->abort_snapshot();
  }

 protected:
  /// Calls `call(function&, const T&, collector<R>&...[, partitioned_context&])` for the records of
  /// the batch at the front of `queue`, until the outputs are full; takes it out if all are done.
  template <class T, class Call>
  void process_front(element_queue<T>& queue, Call call) {
    const auto& data = *queue.front().data;
    in_partition([&](function& f) { process_rows(f, data, call); });
    if (cursor_ < data.rows()) return;
    cursor_ = 0;
    queue.pop_data();
  }

  result<handled> on_control(control c) override {
    if (has_rows && c.kind() == control_kind::watermark) {
      watermark_ = std::max(watermark_, c.time());
      floors_.reached(watermark_);
    }
    return base::on_control(c);
  }

  void visit_partitions(partition_visitor& visitor) override {
    const auto& visit = visitor.as<typed_partition_visitor<context, R...>>();
    const auto before = context_->timestamp();
    context_->set_time(event_time::min());
    in_partition(
        [&](function&) { this->out_.with([&](auto&... out) { visit(out..., *context_); }); });
    context_->set_time(before);
  }

  std::optional<context> context_;

 private:
  struct no_rows {
    static constexpr bool is_timed = false;
  };
  using rows =
      std::conditional_t<has_rows, state::keyed_rows<single_partition, function, Timing>, no_rows>;

  template <class T, class Call>
  [[gnu::flatten]] void process_rows(function& f, const batch<T>& data, Call call) {
    constexpr bool with_context =
        internal::takes_context<Call, context, function&, const T&, collector<R>&...>();
    const T* const values = data.values();
    const event_time* const times = data.times();
    const std::size_t count = data.rows();
    std::size_t i = cursor_;
    while (i < count) {
      const T& in = values[i];
      if constexpr (rows::is_timed) rows_->set_record_time(times[i]);
      this->out_.set_time(times[i]);
      context_->set_time(times[i]);
      this->out_.with([&](auto&... out) {
        if constexpr (with_context) {
          call(f, in, out..., *context_);
        } else {
          call(f, in, out...);
        }
      });
      ++i;
      if (this->out_.full()) break;
    }
    cursor_ = i;
  }

  /// Makes the states of the partition the current ones, unless they are.
  template <class Call>
  [[gnu::always_inline]] void in_partition(Call&& call) {
    if constexpr (has_rows) {
      if (state::attached_row(this->function_) != nullptr) return call(this->function_);
      constexpr auto key = single_partition::whole;
      ttl_.set_time(watermark_);
      rows_->with_key(key, stable_hash(key), [&](function& f, const auto&) { call(f); });
      ttl_.clean_up_behind(1);
    } else {
      call(this->function_);
    }
  }

  std::optional<rows> rows_;
  ttl_driver<rows> ttl_;
  keyed_accesses<single_partition> accesses_;  // made at once: there is no other key to go on with
  key_group_watermarks floors_;
  event_time watermark_ = event_time::min();
  std::optional<event_time> restored_;
  std::size_t cursor_ = 0;
};

}  // namespace weir::dataflow
