// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/dataflow/watermark_manager.hpp"

#include "simulation/rate_join.hpp"

namespace weir::testing {

/// Passes records on, and in front of each watermark says the same by a custom one.
template <class T>
class promising final : public dataflow::one_input_operator<T> {
 public:
  promising() { this->add_output(out_); }

 private:
  status on_batch() override {
    out_.pass(this->in().pop_data());
    return {};
  }
  using handled = typename dataflow::one_input_operator<T>::handled;
  result<handled> on_control(dataflow::control c) override {
    if (c.kind() == dataflow::control_kind::watermark) {
      dataflow::watermark_manager{*this}.emit_watermark(promise, c.time().ms);
    }
    return handled::pass_on;
  }

  dataflow::collector<T> out_;
};

/// Two inputs of different records: amounts, which pass two subtasks, and rates, which come from
/// one; three subtasks join them by key and event time, and two write the rows. The rows depend on
/// the watermark of both inputs, and on nothing else.
class two_input_job {
 public:
  static constexpr std::int64_t amounts = 700;
  static constexpr std::int64_t rates = 230;
  static constexpr std::int64_t keys = 11;
  static constexpr duration disorder{7};

  void describe(environment& env) const {
    env.parallelism(3);
    const auto left = promised(timed(env.from_source(records<amount>{amounts})), 2);
    const auto right = promised(timed(env.from_source(records<rate>{rates})), 1);
    dataflow::graph_node node;
    node.kind = node.name = "join";
    node.keyed = true;
    node.inputs = left.key_by(&amount::key).edges();
    for (auto& edge : right.key_by(&rate::key).edges()) {
      edge.port = 1;
      node.inputs.push_back(std::move(edge));
    }
    node.make = [report = report_] { return std::make_unique<rate_join>(report); };
    const auto job = left.origin().job;
    dataflow::data_stream<priced>{{job, job->add(std::move(node)), 0}}
        .rebalance()
        .sink_to(out_)
        .parallelism(2);
  }

  std::vector<priced> rows() const {
    auto rows = out_.rows();
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  const rate_join_report& report() const { return *report_; }

  static std::vector<priced> expected() {
    std::map<std::pair<std::int64_t, event_time>, std::string> all;
    for (std::int64_t n = 0; n < rates; ++n) {
      const auto r = made<rate>(n);
      all.emplace(std::pair{r.key, r.time}, r.currency);
    }
    std::vector<priced> rows;
    for (std::int64_t n = 0; n < amounts; ++n) {
      const auto a = made<amount>(n);
      const auto after = all.upper_bound({a.key, a.time});
      const bool none = after == all.begin() || std::prev(after)->first.first != a.key;
      rows.push_back({a.key, a.time, a.cents, none ? "none" : std::prev(after)->second});
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

 private:
  /// Record `n`; those of a key have different times.
  template <class T>
  static T made(std::int64_t n) {
    random_generator random{static_cast<std::uint64_t>(n)};
    const auto late = static_cast<std::int64_t>(random.below(disorder.count()));
    const auto key = static_cast<std::int64_t>(random.below(keys));
    if constexpr (std::is_same_v<T, amount>) {
      return {key, {3 * n - late}, 100 + n};
    } else {
      return {key, {9 * n - late}, "currency " + std::to_string(n)};
    }
  }

  /// So many records, in one split.
  template <class T>
  struct records {
    using value_type = T;
    using split_type = std::int64_t;
    using position_type = std::int64_t;

    struct reader {
      std::int64_t next = 0;
      std::int64_t end = 0;

      status open(const split_type& split, const position_type& read) {
        end = split;
        next = read;
        return {};
      }
      result<dataflow::poll_outcome> poll(collector<T>& out, std::size_t most) {
        for (; next < end && most > 0; --most) out.collect(made<T>(next++), event_time::min());
        return next == end ? dataflow::poll_outcome::split_done : dataflow::poll_outcome::produced;
      }
      position_type position() const { return next; }
    };

    result<std::vector<split_type>> splits(file_system&) const {
      return std::vector<split_type>{count};
    }
    reader make_reader(file_system&) const { return {}; }

    std::int64_t count = 0;
  };

  template <class T>
  static dataflow::data_stream<T> timed(dataflow::data_stream<T> stream) {
    return stream.parallelism(1)
        .assign_timestamps_and_watermarks(
            bounded_out_of_orderness(disorder).timestamps(&T::time).per_record())
        .parallelism(1);
  }

  template <class T>
  static dataflow::data_stream<T> promised(const dataflow::data_stream<T>& stream,
                                           std::uint32_t subtasks) {
    dataflow::graph_node node;
    node.kind = node.name = "promise";
    node.inputs = stream.edges();
    node.wanted_parallelism = subtasks;
    node.watermarks = dataflow::watermarks(promise);
    node.make = [] { return std::make_unique<promising<T>>(); };
    const auto job = stream.origin().job;
    return dataflow::data_stream<T>{{job, job->add(std::move(node)), 0}};
  }

  collect_sink<priced> out_{"priced"};
  std::shared_ptr<rate_join_report> report_ = std::make_shared<rate_join_report>();
};

}  // namespace weir::testing
