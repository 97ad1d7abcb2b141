// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/nexmark_generator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "weir/connectors/internal/nexmark_tables.hpp"

namespace weir::connectors {
namespace {

using internal::draw_word;
using internal::nexmark_tables;

constexpr std::uint64_t persons_per_round = 1;
constexpr std::uint64_t auctions_per_round = 3;
constexpr std::uint64_t events_per_round = 50;

constexpr std::int64_t first_person_id = 1'000;
constexpr std::int64_t first_auction_id = 1'000;
constexpr std::int64_t first_category_id = 10;
constexpr std::int32_t categories = 5;

constexpr std::int64_t active_persons = 1'000;
constexpr std::int64_t auctions_in_flight = 100;
constexpr std::int64_t id_lead = 10;  // ids that are used before their person or auction comes
constexpr std::int64_t hot_batch = 100;
constexpr std::int32_t hot_auction_ratio = 2;
constexpr std::int32_t hot_seller_ratio = 4;
constexpr std::int32_t hot_bidder_ratio = 4;
constexpr std::int32_t hot_channel_ratio = 2;

constexpr std::int32_t person_bytes = 200;
constexpr std::int32_t auction_bytes = 500;
constexpr std::int32_t bid_bytes = 100;

/// A multiplier that shuffles the numbers of a group.
constexpr std::uint64_t shuffle_factor = 953;

nexmark_kind kind_of(std::uint64_t id) {
  const auto rest = id % events_per_round;
  if (rest < persons_per_round) return nexmark_kind::person;
  return rest < persons_per_round + auctions_per_round ? nexmark_kind::auction : nexmark_kind::bid;
}

/// The newest person at event `id`, counted from 0.
std::int64_t last_person(std::uint64_t id) {
  return static_cast<std::int64_t>(id / events_per_round);
}

/// The newest auction at event `id`, counted from 0; −1 before the first.
std::int64_t last_auction(std::uint64_t id) {
  const auto round = static_cast<std::int64_t>(id / events_per_round);
  const auto rest = id % events_per_round;
  if (rest == 0) return round * 3 - 1;
  return round * 3 + static_cast<std::int64_t>(std::min(rest, auctions_per_round)) - 1;
}

std::int64_t draw_person(std::uint64_t id, nexmark_random& random) {
  const auto known = last_person(id) + 1;
  const auto active = std::min(known, active_persons);
  return known - active + random.below_wide(active + id_lead);
}

std::int64_t draw_auction(std::uint64_t id, nexmark_random& random) {
  const auto newest = last_auction(id);
  const auto oldest = std::max<std::int64_t>(newest - auctions_in_flight, 0);
  return oldest + random.below_wide(newest - oldest + 1 + id_lead);
}

/// Cents, from 100 to 100,000,000, evenly spread over the orders of magnitude.
std::int64_t draw_price(nexmark_random& random) {
  return static_cast<std::int64_t>(std::pow(10.0, random.unit() * 6.0) * 100.0 + 0.5);
}

/// Filling that brings an event of `bytes` near to the `wanted` size, give or take a fifth of it.
std::string_view draw_extra(const nexmark_tables& tables, nexmark_random& random, std::size_t bytes,
                            std::int32_t wanted) {
  const auto lacking = wanted - static_cast<std::int32_t>(bytes);
  if (lacking < 0) return {};
  const std::int32_t spread = (2 * lacking + 5) / 10;  // 0.2 · lacking, rounded; never a tie
  const std::int32_t size = lacking - spread + (spread > 0 ? random.below(2 * spread) : 0);
  return tables.filling(random.below(nexmark_tables::pool_size - size), size);
}

void append_digits(std::string& out, std::int32_t number) {
  const char digits[] = {
      static_cast<char>('0' + number / 1'000), static_cast<char>('0' + number / 100 % 10),
      static_cast<char>('0' + number / 10 % 10), static_cast<char>('0' + number % 10)};
  out.append(digits, sizeof digits);
}

/// The alternative of `event`, as it was if it is of this kind already.
template <class T>
T& alternative(nexmark_event& event) {
  auto* found = std::get_if<T>(&event.content);
  return found != nullptr ? *found : event.content.emplace<T>();
}

}  // namespace

nexmark_generator::nexmark_generator(const nexmark_config& config)
    : config_{config},
      delay_us_{1e6 / config.events_per_second * config.generators},
      events_per_part_{config.generators == 1 ? std::numeric_limits<std::uint64_t>::max()
                                              : config.events / config.generators},
      tables_{&nexmark_tables::get()} {}

nexmark_kind nexmark_generator::kind(std::uint64_t index) const {
  return kind_of(place_of(index).id);
}

event_time nexmark_generator::time(std::uint64_t index) const {
  return time_of(place_of(index).number);
}

nexmark_event nexmark_generator::make(std::uint64_t index) const {
  nexmark_event event;
  make(index, event);
  return event;
}

void nexmark_generator::make(std::uint64_t index, nexmark_event& out) const {
  nexmark_random random{place_of(index).id};
  make(index, random, out);
}

void nexmark_generator::make(std::uint64_t index, nexmark_random& random,
                             nexmark_event& out) const {
  const auto at = place_of(index);
  switch (kind_of(at.id)) {
    case nexmark_kind::person: return fill(at, random, alternative<nexmark_person>(out));
    case nexmark_kind::auction: return fill(at, random, alternative<nexmark_auction>(out));
    case nexmark_kind::bid: return fill(at, random, alternative<nexmark_bid>(out));
  }
}

nexmark_bid_view nexmark_generator::make_bid_only(std::uint64_t index) const {
  const auto at = place_of(index);
  nexmark_random random{at.id};
  return draw_bid(at, random);
}

event_time nexmark_generator::earliest_from(std::uint64_t index) const {
  const auto number = number_of(index);
  return time_of(number - number % config_.out_of_order_group_size);
}

duration nexmark_generator::due_after(std::uint64_t index) const {
  return duration{time_of(number_of(index)).ms - config_.base_time.ms};
}

std::uint64_t nexmark_generator::number_of(std::uint64_t index) const {
  if (config_.generators == 1) return config_.first_event_number + index;
  const auto part = std::min<std::uint64_t>(index / events_per_part_, config_.generators - 1);
  return config_.first_event_number + index - part * events_per_part_;
}

nexmark_generator::place nexmark_generator::place_of(std::uint64_t index) const {
  const auto number = number_of(index);
  auto shuffled = number;
  if (const auto n = config_.out_of_order_group_size; n > 1) {
    shuffled = number - number % n + number * shuffle_factor % n;
  }
  const auto first_of_part = config_.first_event_number + index - number;
  return {config_.first_event_id + first_of_part + shuffled, shuffled};
}

event_time nexmark_generator::time_of(std::uint64_t number) const {
  const auto us = static_cast<std::int64_t>(static_cast<double>(number) * delay_us_);
  return {config_.base_time.ms + us / 1'000};
}

nexmark_bid_view nexmark_generator::draw_bid(const place& at, nexmark_random& random) const {
  nexmark_bid_view bid;
  bid.auction = random.below(hot_auction_ratio) > 0 ? last_auction(at.id) / hot_batch * hot_batch
                                                    : draw_auction(at.id, random);
  bid.auction += first_auction_id;
  bid.bidder = random.below(hot_bidder_ratio) > 0 ? last_person(at.id) / hot_batch * hot_batch + 1
                                                  : draw_person(at.id, random);
  bid.bidder += config_.bidder_quirk ? 2 * first_person_id : first_person_id;
  bid.price = draw_price(random);
  bid.time = time_of(at.number);
  return bid;
}

void nexmark_generator::fill(const place& at, nexmark_random& random, nexmark_person& out) const {
  char room[8];
  out.id = first_person_id + last_person(at.id);
  out.time = time_of(at.number);
  out.name = tables_->first_name(random.below(11));
  out.name.append(" ").append(tables_->last_name(random.below(9)));
  out.email = draw_word(random, 7, ' ', room);
  out.email.append("@").append(draw_word(random, 5, ' ', room)).append(".com");
  out.credit_card.clear();
  for (int group = 0; group < 4; ++group) {
    if (group > 0) out.credit_card.push_back(' ');
    append_digits(out.credit_card, random.below(10'000));
  }
  out.city = tables_->city(random.below(10));
  out.state = tables_->state(random.below(6));
  const auto bytes = 8 + out.name.size() + out.email.size() + out.credit_card.size() +
                     out.city.size() + out.state.size();
  out.extra = draw_extra(*tables_, random, bytes, person_bytes);
}

void nexmark_generator::fill(const place& at, nexmark_random& random, nexmark_auction& out) const {
  char room[104];
  out.id = first_auction_id + last_auction(at.id);
  out.time = time_of(at.number);
  out.seller = random.below(hot_seller_ratio) > 0 ? last_person(at.id) / hot_batch * hot_batch
                                                  : draw_person(at.id, random);
  out.seller += first_person_id;
  out.category = first_category_id + random.below(categories);
  out.initial_bid = draw_price(random);
  // Open for as long as it takes to see `auctions_in_flight` further auctions, on average.
  const auto horizon_events = auctions_in_flight * events_per_round / auctions_per_round;
  const auto horizon_ms = time_of(at.number + horizon_events).ms - out.time.ms;
  out.expires.ms = out.time.ms + 1 + random.below_wide(std::max<std::int64_t>(2 * horizon_ms, 1));
  out.item_name = draw_word(random, 20, ' ', room);
  out.description = draw_word(random, 100, ' ', room);
  out.reserve = out.initial_bid + draw_price(random);
  const auto bytes = 48 + out.item_name.size() + out.description.size();
  out.extra = draw_extra(*tables_, random, bytes, auction_bytes);
}

void nexmark_generator::fill(const place& at, nexmark_random& random, nexmark_bid& out) const {
  const auto numbers = draw_bid(at, random);
  out.auction = numbers.auction;
  out.bidder = numbers.bidder;
  out.price = numbers.price;
  out.time = numbers.time;
  if (random.below(hot_channel_ratio) > 0) {
    const auto channel = random.below(nexmark_tables::hot_channels);
    out.channel = tables_->hot_channel(channel);
    out.url = tables_->hot_url(channel);
  } else {
    const auto channel = random.below(nexmark_tables::cold_channels);
    out.channel = tables_->channel(channel);
    out.url = tables_->url(channel);
  }
  out.extra = draw_extra(*tables_, random, 32, bid_bytes);
}

}  // namespace weir::connectors
