// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/simulation/kernel.hpp"
#include "weir/state/states.hpp"
#include "weir/state/value_state_with_default.hpp"

namespace weir::testing {

/// Processing-time timers that must be called exactly once: each record, of a key of its own,
/// registers one, and that one a second one. Over a union of two sources. Their times are spread
/// over the first `spread` of the run, and the sources end well after the last of them: the end of
/// input drops timers that are not due, and what is registered behind it.
class timer_job {
 public:
  struct order {
    std::uint32_t id = 0;
    event_time time;
    std::int64_t due_after = 0;  ///< milliseconds since the start of the run
  };
  struct call {
    std::uint32_t id = 0;
    std::uint32_t number = 0;
    friend auto operator<=>(const call&, const call&) = default;
  };

  static constexpr std::uint32_t orders_of_source = 250;
  static constexpr duration disorder{7};

 private:
  struct schedule {
    simulation::kernel* world = nullptr;
    clock_time start;
    duration spread;
  };

  struct call_twice {
    schedule when;
    state::value_state_with_default<std::uint32_t> calls{"calls", 0};
    auto uses_states() { return state::states(calls); }

    void process_record(const order& o, collector<call>&, keyed_context<std::uint32_t>& context) {
      context.timers().register_timer(when.start + duration{o.due_after});
    }
    void on_processing_timer(clock_time time, collector<call>& rows,
                             keyed_context<std::uint32_t>& context) {
      const auto number = calls.edit([](std::uint32_t& n) { return ++n; });
      rows.collect({context.current_key(), number});
      if (number == 1) context.timers().register_timer(time + duration{when.spread / 2});
    }
  };

  /// Emits its orders, then waits until the time of the last timer.
  class orders {
   public:
    using value_type = order;
    using split_type = std::uint32_t;
    using position_type = std::uint32_t;

    orders(schedule when, std::uint32_t number) : when_{when}, number_{number} {}

    class reader {
     public:
      explicit reader(schedule when) : when_{when} {}

      status open(const split_type& split, const position_type& emitted) {
        split_ = split;
        emitted_ = emitted;
        return {};
      }
      result<dataflow::poll_outcome> poll(collector<order>& out, std::size_t most) {
        for (; emitted_ < orders_of_source && most > 0; --most) emit(emitted_++, out);
        if (emitted_ < orders_of_source) return dataflow::poll_outcome::produced;
        const bool all_due = when_.world->now() > when_.start + when_.spread;
        if (all_due && polls_left_-- == 0) return dataflow::poll_outcome::split_done;
        when_.world->spend(duration{1});
        return dataflow::poll_outcome::produced;
      }
      position_type position() const { return emitted_; }

     private:
      void emit(std::uint32_t n, collector<order>& out) const {
        const std::uint32_t id = (split_ - 1) * orders_of_source + n;
        random_generator random{id};
        const auto late = static_cast<std::int64_t>(random.below(disorder.count()));
        const auto half = static_cast<std::uint64_t>(when_.spread.count() / 2);
        const order made{
            id, {2 * std::int64_t{n} - late}, static_cast<std::int64_t>(random.below(half))};
        out.collect(made, event_time::min());
      }

      schedule when_;
      split_type split_ = 1;
      position_type emitted_ = 0;
      std::uint32_t polls_left_ = 6'000;  ///< while late timers are called, and register others
    };

    result<std::vector<split_type>> splits(file_system&) const {
      return std::vector<split_type>{number_};
    }
    reader make_reader(file_system&) const { return reader{when_}; }

   private:
    schedule when_;
    std::uint32_t number_;
  };

 public:
  /// Before the first process starts.
  void start_in(simulation::kernel& world, duration spread) {
    when_ = {&world, world.now(), spread};
  }

  void describe(environment& env) const {
    env.parallelism(2);
    const auto watermarks =
        bounded_out_of_orderness(disorder).timestamps(&order::time).per_record();
    auto left = env.from_source(orders{when_, 1}).parallelism(1);
    auto right = env.from_source(orders{when_, 2}).parallelism(1);
    left.assign_timestamps_and_watermarks(watermarks)
        .parallelism(1)
        .union_with(right.assign_timestamps_and_watermarks(watermarks))
        .key_by(&order::id)
        .process(call_twice{when_})
        .sink_to(out_);
  }

  std::vector<call> rows() const {
    auto rows = out_.rows();
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  /// What the rows must be.
  static std::vector<call> expected() {
    std::vector<call> rows;
    for (std::uint32_t id = 0; id < 2 * orders_of_source; ++id) {
      rows.push_back({id, 1});
      rows.push_back({id, 2});
    }
    return rows;
  }

 private:
  schedule when_;
  collect_sink<call> out_{"calls"};
};

}  // namespace weir::testing
