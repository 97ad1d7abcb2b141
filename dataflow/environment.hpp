// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/log.hpp"
#include "weir/dataflow/collection_source.hpp"
#include "weir/dataflow/data_stream.hpp"
#include "weir/dataflow/job_options.hpp"
#include "weir/dataflow/plan.hpp"
#include "weir/dataflow/source_operator.hpp"

namespace weir::dataflow {

/// Where a job is described: its sources, its options, its graph. Nothing runs until the job is
/// executed. Owned by the program; one thread.
class environment {
 public:
  explicit environment(std::string job_name) : name_{std::move(job_name)} {}

  const std::string& name() const { return name_; }

  job_options& options() { return options_; }
  const job_options& options() const { return options_; }

  environment& parallelism(std::uint32_t subtasks) {
    options_.parallelism = subtasks;
    return *this;
  }

  /// A checkpoint each `interval`, kept in `folder`; a start goes on from the newest one.
  environment& checkpoint_every(duration interval, std::string folder) {
    options_.checkpoint_interval = interval;
    options_.checkpoint_folder = std::move(folder);
    return *this;
  }

  /// Starts a failed job again from its newest checkpoint, up to `attempts` times.
  environment& restart(std::uint32_t attempts, duration delay) {
    options_.restart_attempts = attempts;
    options_.restart_delay = delay;
    return *this;
  }

  /// The records of a vector. One subtask, so that they stay in order.
  template <class T>
  data_stream<T> from_collection(std::vector<T> records, call_site where = call_site::here()) {
    return from_source(collection_source<T>{std::move(records)}, where)
        .name("collection")
        .parallelism(1);
  }

  template <source S>
  data_stream<typename S::value_type> from_source(S definition,
                                                  call_site where = call_site::here()) {
    auto node = source_node(definition, where);
    node.make = [definition] { return std::make_unique<source_operator<S>>(definition); };
    return source_stream<S>(std::move(node));
  }

  /// The same, and the source makes watermarks: for each split by itself.
  template <source S, class Extract, class Generator>
  data_stream<typename S::value_type> from_source(S definition,
                                                  watermark_strategy<Extract, Generator> strategy,
                                                  call_site where = call_site::here()) {
    using watermarks = source_watermarks<typename S::value_type, Extract, Generator>;
    if (auto fits = strategy.validate(); !fits) job_->report(where, fits.error_text());
    if (watermark_source<S> && watermarks::track::one_by_one(strategy)) {
      job_->report(where,
                   "a source with watermarks of the job's own cannot make others behind single "
                   "records: give the strategy to assign_timestamps_and_watermarks");
    }
    auto node = source_node(definition, where);
    node.alignment = strategy.options().alignment;
    node.make = [definition, strategy = std::move(strategy)] {
      return std::make_unique<source_operator<S, watermarks>>(definition, strategy);
    };
    return source_stream<S>(std::move(node));
  }

  /// Where the engine tells what happens; nowhere by default. `sink` must outlive the job.
  environment& log_to(log_sink& sink) {
    log_ = &sink;
    return *this;
  }
  log_sink* log() const { return log_; }

  graph& job() { return *job_; }

  /// The plan as text for people. Errors: those of the graph.
  result<std::string> explain() {
    if (auto built = job_->build(options_.parallelism); !built) return std::move(built).failure();
    return to_text(*job_, make_plan(*job_));
  }
  /// The plan in the language of Graphviz. Errors: those of the graph.
  result<std::string> explain_dot() {
    if (auto built = job_->build(options_.parallelism); !built) return std::move(built).failure();
    return to_dot(*job_, make_plan(*job_));
  }

 private:
  template <source S>
  static graph_node source_node(const S& definition, call_site where) {
    graph_node node;
    node.kind = "source";
    node.name = "source";
    node.where = where;
    node.watermarks = declared_watermarks(definition);
    node.splits = [definition](file_system& files) -> result<std::vector<std::string>> {
      auto splits = definition.splits(files);
      if (!splits) return std::move(splits).failure();
      std::vector<std::string> encoded;
      for (const auto& split : *splits) encoded.push_back(encode(split));
      return encoded;
    };
    return node;
  }
  template <source S>
  data_stream<typename S::value_type> source_stream(graph_node node) {
    const auto index = job_->add(std::move(node));
    return data_stream<typename S::value_type>{{job_, index, 0}};
  }

  std::string name_;
  job_options options_;
  log_sink* log_ = &null_log_sink();
  std::shared_ptr<graph> job_ = std::make_shared<graph>();  // shared with the streams
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::environment;
}
