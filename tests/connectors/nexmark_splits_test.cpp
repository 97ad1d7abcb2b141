// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/nexmark_splits.hpp"

#include <algorithm>

#include "weir/connectors/nexmark_generator.hpp"

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

nexmark_config config_of(std::uint64_t events) {
  nexmark_config config;
  config.events = events;
  return config;
}

TEST_CASE("splits cover every event of the stream once, in blocks of 4096", "[nexmark_splits]") {
  const auto events = GENERATE(std::uint64_t{1}, std::uint64_t{4'095}, std::uint64_t{4'096},
                               std::uint64_t{4'097}, std::uint64_t{100'000});
  CAPTURE(events);
  const auto splits = nexmark_splits(config_of(events));
  REQUIRE(splits.ok());
  REQUIRE(splits->size() == (events + 4'095) / 4'096);
  std::uint64_t next = 0;
  for (const auto& split : *splits) {
    REQUIRE(split.first == next);
    REQUIRE(split.count > 0);
    REQUIRE(split.count <= nexmark_split_events);
    next += split.count;
  }
  CHECK(next == events);
}

TEST_CASE("a stream without end has a split of any number, but no list", "[nexmark_splits]") {
  const auto config = config_of(0);
  CHECK(nexmark_split_at(config, 1'000'000) == nexmark_split{4'096'000'000, 4'096});
  CHECK(nexmark_split_at(config, ~0ull).count == 0);
  const auto list = nexmark_splits(config);
  REQUIRE_FALSE(list.ok());
  CHECK(list.failure().code() == errc::invalid_argument);
}

TEST_CASE("the splits of several generators are refused", "[nexmark_splits]") {
  auto config = config_of(100'000);
  config.generators = 4;
  const auto list = nexmark_splits(config);
  REQUIRE_FALSE(list.ok());
  CHECK(list.failure().code() == errc::invalid_argument);
}

TEST_CASE("a wrong configuration has no splits", "[nexmark_splits]") {
  auto config = config_of(100);
  config.events_per_second = 0;
  CHECK_FALSE(nexmark_splits(config).ok());
}

TEST_CASE("event time ascends from split to split", "[nexmark_splits]") {
  auto config = config_of(40'000);
  config.out_of_order_group_size = 64;
  const nexmark_generator generator{config};
  const auto splits = nexmark_splits(config);
  REQUIRE(splits.ok());
  auto newest = event_time::min();
  for (const auto& split : *splits) {
    REQUIRE(generator.earliest_from(split.first) >= newest);
    for (auto i = split.first; i < split.first + split.count; ++i) {
      newest = std::max(newest, generator.time(i));
    }
  }
}

}  // namespace
}  // namespace weir::connectors
