// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/dataflow/ttl_driver.hpp"
#include "weir/state/keyed_rows.hpp"

namespace weir::windowing {

/// The states that a window function keeps for each key, whatever its windows. Does nothing for a
/// function without such states. Owned and used by one subtask; `function` must live longer.
template <class Key, class Function>
class window_key_states {
  static constexpr bool any = state::state_count<Function> > 0;
  using rows_type =
      state::keyed_rows<Key, Function, std::conditional_t<any, state::timed, state::untimed>>;

 public:
  /// @pre `environment` outlives this
  void open(Function& function, const dataflow::operator_environment& environment) {
    environment_ = &environment;
    if constexpr (any) {
      rows_.emplace(function, environment.groups, environment.max_parallelism);
      ttl_.open(*rows_, environment);
    }
  }

  /// Errors: those of the rows.
  status restore(const state::restored_chunks& chunks, event_time watermark) {
    if constexpr (any) {
      ttl_.set_time(watermark);
      if (auto done = rows_->restore(chunks, "rows"); !done) return done;
      ttl_.log_restore(*environment_);
    }
    return {};
  }

  void begin_snapshot(state::snapshot_stream& out, event_time watermark) {
    if constexpr (any) {
      ttl_.set_time(watermark);
      rows_->begin_snapshot(out, "rows");
    }
  }
  bool snapshot_running() const { return any && rows_->snapshotting(); }
  void sweep([[maybe_unused]] std::size_t slots) {
    if constexpr (any) rows_->sweep(slots);
  }
  void abort_snapshot() {
    if constexpr (any) rows_->abort_snapshot();
  }

  /// Calls `call()` with `key` as the current one. What is done has the time `time`.
  template <class Call>
  void with_key(const Key& key, std::uint64_t hash, [[maybe_unused]] event_time time, Call&& call) {
    if constexpr (any) {
      rows_->set_record_time(time);
      rows_->with_key(key, hash, [&](Function&, const Key&) { call(); });
    } else {
      call();
    }
  }

  /// The clocks, the clean-up and its alarms.
  dataflow::ttl_driver<rows_type>& ttl() { return ttl_; }
  const dataflow::ttl_driver<rows_type>& ttl() const { return ttl_; }

 private:
  const dataflow::operator_environment* environment_ = nullptr;
  std::optional<rows_type> rows_;
  dataflow::ttl_driver<rows_type> ttl_;
};

}  // namespace weir::windowing
