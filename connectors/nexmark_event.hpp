// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "weir/core/time.hpp"

namespace weir::connectors {

/// Somebody who may open auctions and bid.
struct nexmark_person {
  std::int64_t id = 0;
  std::string name;
  std::string email;
  std::string credit_card;
  std::string city;
  std::string state;
  event_time time;
  std::string extra;

  friend bool operator==(const nexmark_person&, const nexmark_person&) = default;
};

/// Something for sale. Amounts are in cents.
struct nexmark_auction {
  std::int64_t id = 0;
  std::string item_name;
  std::string description;
  std::int64_t initial_bid = 0;
  std::int64_t reserve = 0;
  event_time time;
  event_time expires;
  std::int64_t seller = 0;
  std::int64_t category = 0;
  std::string extra;

  friend bool operator==(const nexmark_auction&, const nexmark_auction&) = default;
};

/// An offer for an auction. The price is in cents.
struct nexmark_bid {
  std::int64_t auction = 0;
  std::int64_t bidder = 0;
  std::int64_t price = 0;
  std::string channel;
  std::string url;
  event_time time;
  std::string extra;

  friend bool operator==(const nexmark_bid&, const nexmark_bid&) = default;
};

/// The numbers of a bid, without its texts: what most queries read, and cheap to make.
struct nexmark_bid_view {
  std::int64_t auction = 0;
  std::int64_t bidder = 0;
  std::int64_t price = 0;
  event_time time;

  friend bool operator==(const nexmark_bid_view&, const nexmark_bid_view&) = default;
};

/// What an event is about; the order is that of `nexmark_event::content`.
enum class nexmark_kind { person, auction, bid };

/// One event of the NEXMark stream.
struct nexmark_event {
  std::variant<nexmark_person, nexmark_auction, nexmark_bid> content;

  nexmark_kind kind() const noexcept { return static_cast<nexmark_kind>(content.index()); }

  /// The event's timestamp.
  event_time time() const {
    return std::visit([](const auto& e) { return e.time; }, content);
  }

  /// The person, auction or bid, or null if the event is of another kind.
  const nexmark_person* person() const noexcept { return std::get_if<nexmark_person>(&content); }
  const nexmark_auction* auction() const noexcept { return std::get_if<nexmark_auction>(&content); }
  const nexmark_bid* bid() const noexcept { return std::get_if<nexmark_bid>(&content); }

  friend bool operator==(const nexmark_event&, const nexmark_event&) = default;
};

/// Appends the event as one line of text with '\n':
///   P|id|name|email|card|city|state|time|extra
///   A|id|item|description|initial bid|reserve|time|expires|seller|category|extra
///   B|auction|bidder|price|channel|url|time|extra
/// Times are milliseconds since 1970. No field of a generated event holds '|' or '\n'.
void append_line(const nexmark_event& event, std::string& out);

}  // namespace weir::connectors
