// SPDX-License-Identifier: Apache-2.0
#include "examples/support/auction_reference.hpp"

#include <algorithm>
#include <map>

#include "weir/connectors/nexmark_generator.hpp"

#include "support/catch.hpp"

namespace auction_monitor {
namespace {

using weir::connectors::nexmark_config;
using weir::connectors::nexmark_generator;
using weir::connectors::nexmark_kind;

nexmark_config config_of(double rate, std::uint64_t events) {
  nexmark_config config;
  config.events_per_second = rate;
  config.events = events;
  return config;
}

std::int64_t last_field(const std::string& row) {
  return std::stoll(row.substr(row.rfind('|') + 1));
}

TEST_CASE("the highest bids of 100000 events are those of the published checksum",
          "[auction_reference]") {
  const auto reference = make_auction_reference(config_of(1'000, 100'000));
  CHECK(checksum_of(reference.highest_bids) == row_checksum{10, 0xfca511142d742623u});
}

TEST_CASE("the highest bids of a million events are those of the published checksum",
          "[auction_reference]") {
  const auto reference = make_auction_reference(config_of(10'000, 1'000'000));
  CHECK(checksum_of(reference.highest_bids) == row_checksum{10, 0x49feed11b4350db1u});
}

TEST_CASE("every bid is counted once, and the busiest auction is known", "[auction_reference]") {
  const auto reference = make_auction_reference(config_of(1'000, 100'000));
  const auto& rows = reference.bids_per_auction;
  std::int64_t bids = 0;
  std::int64_t most_at_first = 0;
  for (const auto& row : rows) {
    bids += last_field(row);
    if (row.starts_with("1436918400000|")) most_at_first = std::max(most_at_first, last_field(row));
  }
  CHECK(bids == 92'000);
  CHECK(most_at_first == 793);
  CHECK(std::binary_search(rows.begin(), rows.end(), "1436918400000|1200|793"));
  CHECK(std::is_sorted(rows.begin(), rows.end()));
}

TEST_CASE("bids of equal price are all the highest", "[auction_reference]") {
  // Many windows of only two bids: a few are of two cheap bids of the same price.
  const auto config = config_of(2'000, 400'000);
  const auto reference = make_auction_reference(config, 1);
  const nexmark_generator generator{config};
  std::map<std::int64_t, std::vector<std::int64_t>> prices;
  for (std::uint64_t i = 0; i < config.events; ++i) {
    if (generator.kind(i) != nexmark_kind::bid) continue;
    const auto bid = generator.make_bid_only(i);
    prices[bid.time.ms].push_back(bid.price);
  }
  std::size_t expected = 0;
  for (const auto& [ms, all] : prices) {
    expected += static_cast<std::size_t>(
        std::count(all.begin(), all.end(), *std::max_element(all.begin(), all.end())));
  }
  REQUIRE(expected > prices.size());
  CHECK(reference.highest_bids.size() == expected);
}

TEST_CASE("a checksum does not depend on the order of rows, but on each of them",
          "[auction_reference]") {
  const auto checksum = checksum_of({"a", "b"});
  CHECK(checksum == checksum_of({"b", "a"}));
  CHECK(checksum.rows == 2);
  CHECK_FALSE(checksum == checksum_of({"a", "c"}));
  CHECK_FALSE(checksum == checksum_of({"a", "b", "b"}));
  CHECK(checksum_of({""}).sum == 0xcbf29ce484222325u);
  CHECK(checksum_of({"a"}).sum == 0xaf63dc4c8601ec8cu);
}

}  // namespace
}  // namespace auction_monitor
