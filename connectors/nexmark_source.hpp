// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/connectors/nexmark_generator.hpp"
#include "weir/connectors/nexmark_splits.hpp"
#include "weir/dataflow/source.hpp"

namespace weir::connectors {

/// The events of the NEXMark auction benchmark, with their times, as fast as they can be made: the
/// same stream at any parallelism, and after any restart. A `dataflow::source`; a value.
///
/// `Record` is `nexmark_event`, for all events, or `nexmark_bid_view`, for the numbers of the bids
/// alone, which are made at a fraction of the cost.
///
/// Within one subtask, times ascend if those of the stream do (`out_of_order_group_size` 1).
template <class Record>
class basic_nexmark_source {
  static_assert(std::is_same_v<Record, nexmark_event> || std::is_same_v<Record, nexmark_bid_view>);

 public:
  using value_type = Record;
  using split_type = nexmark_split;
  using position_type = std::uint64_t;  ///< so many events of the split are done

  /// Makes the events of one split after the other. Owned by one subtask.
  class reader {
   public:
    explicit reader(const nexmark_config& config) : config_{config} {}

    /// Errors: invalid_argument if the stream has not the events that the split is of.
    status open(const split_type& split, position_type done) {
      if (!generator_) {
        if (auto fits = config_.validate(); !fits) return fits;
        generator_.emplace(config_);
      }
      if (split.first + split.count > config_.events || done > split.count) {
        return error{errc::invalid_argument,
                     "the stream has " + std::to_string(config_.events) +
                         " events now, fewer than when the job began: set them as they were"};
      }
      first_ = split.first;
      at_ = split.first + done;
      end_ = split.first + split.count;
      return {};
    }

    result<dataflow::poll_outcome> poll(dataflow::collector<Record>& out, std::size_t most) {
      for (; at_ != end_ && most > 0 && !out.full(); ++at_, --most) {
        if constexpr (std::is_same_v<Record, nexmark_event>) {
          auto event = generator_->make(at_);
          const auto time = event.time();
          out.collect(std::move(event), time);
        } else if (generator_->kind(at_) == nexmark_kind::bid) {
          const auto bid = generator_->make_bid_only(at_);
          out.collect(bid, bid.time);
        }
      }
      return at_ == end_ ? dataflow::poll_outcome::split_done : dataflow::poll_outcome::produced;
    }

    position_type position() const { return at_ - first_; }

   private:
    nexmark_config config_;
    std::optional<nexmark_generator> generator_;
    std::uint64_t first_ = 0;
    std::uint64_t at_ = 0;
    std::uint64_t end_ = 0;
  };

  explicit basic_nexmark_source(nexmark_config config) : config_{config} {}

  /// Errors: invalid_argument, for the configuration, and for a stream without end.
  result<std::vector<split_type>> splits(file_system&) const { return nexmark_splits(config_); }
  reader make_reader(file_system&) const { return reader{config_}; }

 private:
  nexmark_config config_;
};

using nexmark_source = basic_nexmark_source<nexmark_event>;
using nexmark_bid_source = basic_nexmark_source<nexmark_bid_view>;

}  // namespace weir::connectors
