// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/process_connected.hpp"
#include "weir/state/state.hpp"

namespace weir::testing {

struct sum_of {
  struct accumulator {
    std::int64_t sum = 0;
  };
  void add(std::int64_t n, accumulator& a) const { a.sum += n; }
  void merge(const accumulator& from, accumulator& into) const { into.sum += from.sum; }
  std::int64_t get_result(const accumulator& a) const { return a.sum; }
};

/// A job with every kind of state: keyed values, lists, maps and aggregates, of which some have a
/// TTL; rules in broadcast state; lists of operators, dealt out evenly or in union; a state of the
/// one partition of a global stream. Each time it is described, that is at each start of a process,
/// its operators get other parallelisms. What it emits does not depend on the order in which
/// records of different splits come, nor on who processes them.
class state_job {
 public:
  struct row {
    std::string what;
    std::int64_t key = 0;
    std::int64_t value = 0;
    friend auto operator<=>(const row&, const row&) = default;
  };

  static constexpr std::int64_t count = 1'200;
  static constexpr std::int64_t split_size = 50;
  static constexpr std::int64_t keys = 11;
  static constexpr std::int64_t rule_count = 20;

  explicit state_job(std::uint64_t seed) : random_{seed} {}

  void describe(environment& env) {
    const auto p = [this] { return parallelisms[random_.below(parallelisms.size())]; };
    const auto all = env.from_source(numbers{count}).uid("numbers").parallelism(p());
    const auto rules = env.from_source(numbers{rule_count}).uid("rules").parallelism(p());
    all.key_by(key_of)
        .connect(rules.broadcast())
        .process(totals{})
        .uid("totals")
        .parallelism(p())
        .sink_to(rows_)
        .uid("totals sink")
        .parallelism(p());
    all.rebalance()
        .process(gatherer{})
        .uid("gatherer")
        .parallelism(p())
        .sink_to(rows_)
        .uid("gatherer sink")
        .parallelism(p());
    all.global().process(whole{}).uid("whole").sink_to(rows_).uid("whole sink");
  }

  /// What was emitted, with what each subtask says of itself added up.
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> totals_emitted() const {
    std::map<std::pair<std::string, std::int64_t>, std::int64_t> sums;
    for (const auto& r : rows_.rows()) sums[{r.what, r.key}] += r.value;
    return sums;
  }

  static std::map<std::pair<std::string, std::int64_t>, std::int64_t> expected() {
    std::map<std::pair<std::string, std::int64_t>, std::int64_t> sums;
    for (std::int64_t n = 0; n < count; ++n) {
      const auto k = key_of(n);
      sums[{"count", k}] += 1;
      sums[{"largest", k}] = n;
      sums[{"sum", k}] += n;
      sums[{"listed", k}] += n % 7;
      sums[{"in map", k}] += n;
      sums[{"aggregated", k}] += n;
      if (n % 10 == 0) sums[{"gathered", 0}] += n;
      sums[{"seen", 0}] += 1;
      sums[{"whole", 0}] += n;
    }
    for (std::int64_t k = 0; k < keys; ++k) sums[{"rules", k}] = rule_count * (rule_count - 1) / 2;
    return sums;
  }

 private:
  static constexpr std::array<std::uint32_t, 4> parallelisms{1, 2, 3, 5};
  static std::int64_t key_of(std::int64_t n) { return n % keys; }

  /// The numbers [0, size), in splits.
  struct numbers {
    using value_type = std::int64_t;
    using split_type = std::int64_t;
    using position_type = std::int64_t;

    std::int64_t size;

    struct reader {
      std::int64_t next = 0;
      std::int64_t first = 0;
      std::int64_t size = 0;

      status open(const split_type& split, const position_type& read) {
        first = split;
        next = split + read;
        return {};
      }
      result<dataflow::poll_outcome> poll(collector<std::int64_t>& out, std::size_t most) {
        const std::int64_t end = std::min(size, first + split_size);
        for (; next < end && most > 0; --most) out.collect(next++, event_time::min());
        return next == end ? dataflow::poll_outcome::split_done : dataflow::poll_outcome::produced;
      }
      position_type position() const { return next - first; }
    };

    result<std::vector<split_type>> splits(file_system&) const {
      std::vector<split_type> all;
      for (std::int64_t n = 0; n < size; n += split_size) all.push_back(n);
      return all;
    }
    reader make_reader(file_system&) const { return {0, 0, size}; }
  };

  /// Every kind of keyed state, and a broadcast one. Tells at the end, by a timer.
  struct totals {
    static constexpr auto long_life = std::chrono::hours{24 * 365};

    state::value_state<std::int64_t> largest{"largest"};
    state::value_state_with_default<std::int64_t> count{"count", 0};
    state::reducing_state<std::int64_t, std::plus<>> sum{"sum", {.ttl = state::ttl(long_life)}};
    state::list_state<std::int64_t> listed{"listed"};
    state::map_state<std::string, std::int64_t> by_digit{"by digit",
                                                         {.ttl = state::ttl(long_life)}};
    state::aggregating_state<sum_of> aggregated{"aggregated"};
    state::broadcast_state<std::int64_t, std::int64_t> rules{"rules"};
    auto uses_states() {
      return state::states(largest, count, sum, listed, by_digit, aggregated, rules);
    }

    void process_record(const std::int64_t& n, collector<row>&,
                        keyed_context<std::int64_t>& context) {
      if (largest.value() == nullptr || *largest.value() < n) largest.update(n);
      count.edit([](std::int64_t& c) { ++c; });
      sum.add(n);
      if (n % 7 != 0) listed.add(n % 7);
      by_digit.edit(std::to_string(n % 10), [&](std::int64_t& s) { s += n; });
      aggregated.add(n);
      context.timers().register_timer(at(1'000'000));
    }

    void process_broadcast(const std::int64_t& n, collector<row>&, broadcast_context& context) {
      context.writable(rules).put(n, n);
    }

    void on_event_timer(event_time, collector<row>& out, keyed_context<std::int64_t>& context) {
      const auto k = context.current_key();
      const auto total = [](const auto& values) {
        std::int64_t all = 0;
        for (const auto& v : values) all += v;
        return all;
      };
      out.collect({"largest", k, *largest.value()});
      out.collect({"count", k, count.value()});
      out.collect({"sum", k, *sum.get()});
      out.collect({"listed", k, total(listed.get())});
      out.collect({"in map", k, total(by_digit.values())});
      out.collect({"aggregated", k, *aggregated.get()});
      std::int64_t of_rules = 0;
      for (const auto& [id, value] : rules.entries()) of_rules += value;
      out.collect({"rules", k, of_rules});
      listed.clear();
      by_digit.clear();
    }
  };

  /// Operator state: elements dealt out evenly, and a count in union state that the first subtask
  /// takes over.
  struct gatherer {
    state::operator_list_state<std::int64_t> gathered{"gathered"};
    state::union_list_state<std::int64_t> counts{"counts"};
    std::int64_t seen = 0;
    auto uses_states() { return state::states(gathered, counts); }

    void initialize_state(initialization_context& context) {
      if (!context.is_restored() || context.task().index != 0) return;
      for (const auto& n : counts.get()) seen += n;
    }
    void snapshot_state(function_snapshot_context&) { counts.update({seen}); }

    void process_record(const std::int64_t& n, collector<row>&) {
      ++seen;
      if (n % 10 == 0) gathered.add(n);
    }
    void end_input(collector<row>& out, non_partitioned_context&) {
      std::int64_t all = 0;
      for (const auto& n : gathered.get()) all += n;
      gathered.clear();
      out.collect({"gathered", 0, all});
      out.collect({"seen", 0, std::exchange(seen, 0)});
    }
  };

  /// The state of one partition.
  struct whole {
    state::value_state_with_default<std::int64_t> sum{"sum", 0};
    auto uses_states() { return state::states(sum); }

    void process_record(const std::int64_t& n, collector<row>& out) {
      if (sum.edit([&](std::int64_t& s) { return s += n; }) == count * (count - 1) / 2) {
        out.collect({"whole", 0, sum.value()});
      }
    }
  };

  random_generator random_;
  collect_sink<row> rows_{"rows"};
};

}  // namespace weir::testing
