// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/sink.hpp"

namespace weir::dataflow {

/// Rows collected in memory, for tests and small results. A row becomes visible with the
/// checkpoint that holds it, so restarts neither lose nor double it. Any thread.
template <class T>
class collected_rows {
 public:
  /// What is visible now, in the order of the commits.
  std::vector<T> rows() const {
    const std::lock_guard lock{mutex_};
    return visible_;
  }

  /// For the sink.
  void prepare(const std::string& token, std::vector<T> rows) {
    const std::lock_guard lock{mutex_};
    prepared_[token] = std::move(rows);
  }
  /// For the sink. A token that is committed already is a success.
  status commit(const std::string& token) {
    const std::lock_guard lock{mutex_};
    if (committed_.contains(token)) return {};
    const auto found = prepared_.find(token);
    if (found == prepared_.end()) {
      return error{errc::not_found, "collected rows " + token + " are not in this process"};
    }
    visible_.insert(visible_.end(), found->second.begin(), found->second.end());
    prepared_.erase(found);
    committed_.insert(token);
    return {};
  }

 private:
  mutable std::mutex mutex_;
  std::vector<T> visible_;
  std::map<std::string, std::vector<T>> prepared_;
  std::set<std::string> committed_;
};

/// Collects all records in memory: `collect_sink<row> out{"rows"}; stream.sink_to(out);`, then
/// `out.rows()`. Copies share their rows.
template <class T>
class collect_sink {
 public:
  using value_type = T;

  class writer {
   public:
    writer(std::shared_ptr<collected_rows<T>> to, std::string prefix)
        : to_{std::move(to)}, prefix_{std::move(prefix)} {}

    result<sink_readiness> write(const batch<T>& data) {
      open_.insert(open_.end(), data.values(), data.values() + data.rows());
      return sink_readiness::ready;
    }
    sink_readiness ready() const { return sink_readiness::ready; }

    std::function<result<committables>()> prepare_commit(checkpoint_id id) {
      if (open_.empty()) return [] { return result<committables>{committables{}}; };
      const std::string token = prefix_ + "-" + std::to_string(id.value);
      to_->prepare(token, std::exchange(open_, {}));
      return [token] { return result<committables>{committables{token}}; };
    }
    std::function<status()> commit(committables tokens) {
      return [to = to_, tokens = std::move(tokens)]() -> status {
        for (const auto& token : tokens) {
          if (auto done = to->commit(token); !done) return done;
        }
        return {};
      };
    }

   private:
    std::shared_ptr<collected_rows<T>> to_;  // shared with the program that reads the rows
    std::string prefix_;
    std::vector<T> open_;
  };

  explicit collect_sink(std::string name)
      : name_{std::move(name)}, rows_{std::make_shared<collected_rows<T>>()} {}

  const std::string& name() const { return name_; }
  std::vector<T> rows() const { return rows_->rows(); }

  result<writer> make_writer(const operator_environment& environment) const {
    const auto& [epoch, attempt] = environment.current;
    return writer{rows_, environment.uid + "-" + std::to_string(epoch.value) + "-" +
                             std::to_string(attempt.value) + "-" +
                             std::to_string(environment.subtask.value)};
  }

 private:
  std::string name_;
  std::shared_ptr<collected_rows<T>> rows_;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::collect_sink;
}
