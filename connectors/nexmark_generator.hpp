// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/connectors/nexmark_config.hpp"
#include "weir/connectors/nexmark_event.hpp"
#include "weir/connectors/nexmark_random.hpp"

namespace weir::connectors {

namespace internal {
class nexmark_tables;
}

/// Makes the events of the NEXMark auction benchmark, any one without those before it: of 50
/// events 1 is a person, 3 are auctions, 46 bids. An event is drawn from random numbers seeded
/// with its id, so replay after a restore and any division into splits give the same bytes.
/// Events are found by index, in [0, config.events), or [0, max_events) if there is no end.
/// Immutable; any thread.
///
/// Source: Tucker, Tufte, Papadimos, Maier, "NEXMark", 2008; field rules and order of the draws
/// of github.com/nexmark/nexmark, which seeds one generator for all events and from the clock.
class nexmark_generator {
 public:
  /// @pre config.validate().ok()
  explicit nexmark_generator(const nexmark_config& config);

  const nexmark_config& config() const noexcept { return config_; }

  /// What the event is about. Costs no draw.
  nexmark_kind kind(std::uint64_t index) const;

  /// The event's timestamp. Costs no draw.
  event_time time(std::uint64_t index) const;

  /// Makes the event.
  nexmark_event make(std::uint64_t index) const;

  /// Makes the event in place of `out`, whose memory is used again.
  void make(std::uint64_t index, nexmark_event& out) const;

  /// Makes the event from a stream of numbers that the caller keeps. Made in order, with one
  /// stream, the events have the sequential shape of the upstream generator.
  void make(std::uint64_t index, nexmark_random& random, nexmark_event& out) const;

  /// The numbers of a bid, equal to those of `make`, at a fraction of the cost.
  /// @pre kind(index) == nexmark_kind::bid
  nexmark_bid_view make_bid_only(std::uint64_t index) const;

  /// No event of the same generator from `index` on has a timestamp below this; so a watermark
  /// 1 ms below it may go before the event.
  event_time earliest_from(std::uint64_t index) const;

  /// When the event is due after the start of a source that keeps to `events_per_second`.
  duration due_after(std::uint64_t index) const;

 private:
  /// Where an event stands in the stream.
  struct place {
    std::uint64_t id;      ///< Seed of the event; says its kind and which ids it may refer to.
    std::uint64_t number;  ///< Its position in event time.
  };

  place place_of(std::uint64_t index) const;
  std::uint64_t number_of(std::uint64_t index) const;
  event_time time_of(std::uint64_t number) const;

  nexmark_bid_view draw_bid(const place& at, nexmark_random& random) const;
  void fill(const place& at, nexmark_random& random, nexmark_person& out) const;
  void fill(const place& at, nexmark_random& random, nexmark_auction& out) const;
  void fill(const place& at, nexmark_random& random, nexmark_bid& out) const;

  nexmark_config config_;
  double delay_us_;
  std::uint64_t events_per_part_;
  const internal::nexmark_tables* tables_;
};

}  // namespace weir::connectors
