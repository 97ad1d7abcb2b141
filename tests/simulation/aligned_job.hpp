// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"

namespace weir::testing {

/// Two sources in one group, with several splits each that are read side by side: one whose records
/// come one by one, each after a while, and one that has all of its records at once. What a split
/// gives has its own times, which are a little apart from those of the others.
class aligned_job {
 public:
  static constexpr std::int64_t records = 120;  ///< of each split
  static constexpr std::int64_t splits = 3;
  static constexpr std::int64_t step = 10;
  static constexpr duration drift{200};

  /// What the readers of all attempts gave.
  struct progress {
    event_time slow = event_time::min();
    std::int64_t most_ahead = 0;
    /// What the fast one gave while the slow one was not near its end.
    std::int64_t early_fast_records = 0;
    duration start{0};  ///< by which the fast one's times are later
  };

  explicit aligned_job(duration fast_starts_at) { seen_->start = fast_starts_at; }

  void describe(environment& env, bool aligned) const {
    auto strategy = monotonous_timestamps().idle_after(duration{10'000});
    if (aligned) strategy = strategy.with_alignment("pair", drift, duration{5});
    env.parallelism(2);
    const auto slow = env.from_source(paced{seen_, true}, strategy).name("slow");
    const auto fast = env.from_source(paced{seen_, false}, strategy).name("fast");
    slow.union_with(fast).sink_to(out_);
  }

  std::vector<std::int64_t> rows() const {
    auto rows = out_.rows();
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  std::vector<std::int64_t> expected() const {
    std::vector<std::int64_t> all;
    for (std::int64_t s = 0; s < splits; ++s) {
      for (std::int64_t n = 0; n < records; ++n) {
        all.push_back(n * step + s);
        all.push_back(seen_->start.count() + n * step + s);
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  const progress& seen() const { return *seen_; }

 private:
  struct paced {
    using value_type = std::int64_t;
    using split_type = std::int64_t;
    using position_type = std::int64_t;

    std::shared_ptr<progress> seen;  // shared by all readers: one thread runs them
    bool slow = false;

    class reader {
     public:
      reader(std::shared_ptr<progress> seen, bool slow, const clock& time)
          : seen_{std::move(seen)}, slow_{slow}, time_{&time} {}

      status open(const split_type& s, const position_type& done) {
        split_ = s, at_ = done;
        return {};
      }
      result<poll_outcome> poll(collector<std::int64_t>& out, std::size_t) {
        const bool early = slow_ && time_->now() < next_;
        if (early) return poll_outcome::nothing_now;
        next_ = time_->now() + duration{2};
        give(out, at_ * step + split_ + (slow_ ? 0 : seen_->start.count()));
        return ++at_ == records ? poll_outcome::split_done : poll_outcome::produced;
      }
      position_type position() const { return at_; }
      clock_time next_poll() const { return next_; }

     private:
      void give(collector<std::int64_t>& out, std::int64_t time) {
        out.collect(time, at(time));
        if (slow_) {
          seen_->slow = std::max(seen_->slow, at(time));
          return;
        }
        seen_->early_fast_records += seen_->slow < at(records * step / 2) ? 1 : 0;
        const auto reached = std::max<std::int64_t>(seen_->slow.ms, 0);
        seen_->most_ahead = std::max(seen_->most_ahead, time - reached);
      }

      std::shared_ptr<progress> seen_;
      bool slow_;
      const clock* time_;
      clock_time next_ = clock_time::min();
      std::int64_t split_ = 0;
      std::int64_t at_ = 0;
    };

    result<std::vector<split_type>> splits(file_system&) const {
      std::vector<split_type> all;
      for (std::int64_t s = 0; s < aligned_job::splits; ++s) all.push_back(s);
      return all;
    }
    reader make_reader(const operator_environment& environment) const {
      return {seen, slow, *environment.time};
    }
    std::size_t splits_at_once() const { return 2; }
  };

  std::shared_ptr<progress> seen_ = std::make_shared<progress>();
  collect_sink<std::int64_t> out_{"rows"};
};

}  // namespace weir::testing
