// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/nexmark_generator.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

/// FNV-1a-64 of lines, and how many bytes they have.
struct line_digest {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  std::uint64_t bytes = 0;

  void add(std::string_view line) {
    for (const unsigned char byte : line) hash = (hash ^ byte) * 0x100000001b3ull;
    bytes += line.size();
  }
};

nexmark_config config_of(double rate, std::uint64_t events) {
  nexmark_config config;
  config.events_per_second = rate;
  config.events = events;
  return config;
}

std::string line_of(const nexmark_event& event) {
  std::string line;
  append_line(event, line);
  return line;
}

line_digest digest_of(const nexmark_config& config, std::uint64_t first, std::uint64_t count) {
  const nexmark_generator generator{config};
  line_digest digest;
  nexmark_event event;
  std::string line;
  for (std::uint64_t i = first; i < first + count; ++i) {
    generator.make(i, event);
    line.clear();
    append_line(event, line);
    digest.add(line);
  }
  return digest;
}

line_digest digest_of(const nexmark_config& config) { return digest_of(config, 0, config.events); }

TEST_CASE("the first 1000 events are those of the reference", "[nexmark]") {
  const auto digest = digest_of(config_of(1'000, 1'000));
  CHECK(digest.hash == 0xba566295b991e496u);
  CHECK(digest.bytes == 196'147);
}

TEST_CASE("100000 events at 1000 a second are those of the reference", "[nexmark]") {
  const auto digest = digest_of(config_of(1'000, 100'000));
  CHECK(digest.hash == 0x69c51daeda5bb4e7u);
  CHECK(digest.bytes == 19'621'821);
}

TEST_CASE("a million events at 10000 a second are those of the reference", "[nexmark]") {
  const auto digest = digest_of(config_of(10'000, 1'000'000));
  CHECK(digest.hash == 0x8baf7a6ff68c0b6au);
  CHECK(digest.bytes == 197'517'456);
}

TEST_CASE("first ids of 1 with the bidder quirk give the events of the reference", "[nexmark]") {
  auto config = config_of(1'000, 100'000);
  config.first_event_id = 1;
  config.first_event_number = 1;
  config.bidder_quirk = true;
  const auto digest = digest_of(config);
  CHECK(digest.hash == 0xefe79aa7221cd866u);
  CHECK(digest.bytes == 19'621'885);
}

TEST_CASE("shuffled groups of 100 give the events of the reference", "[nexmark]") {
  auto config = config_of(1'000, 100'000);
  config.out_of_order_group_size = 100;
  const auto digest = digest_of(config);
  CHECK(digest.hash == 0x5c146edeafac1e1bu);
  CHECK(digest.bytes == 19'621'821);
}

TEST_CASE("one stream of numbers for all events gives those of the reference", "[nexmark]") {
  const nexmark_generator generator{config_of(1'000, 100'000)};
  nexmark_random random{42};
  line_digest digest;
  nexmark_event event;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    generator.make(i, random, event);
    digest.add(line_of(event));
  }
  CHECK(digest.hash == 0xf13ea066addbeb05u);
  CHECK(digest.bytes == 19'605'083);
}

TEST_CASE("each part of a stream of 4 generators is that of the reference", "[nexmark]") {
  auto config = config_of(1'000, 100'000);
  config.generators = 4;
  CHECK(digest_of(config, 0, 25'000).hash == 0x8f4fb8e5c3d9db45u);
  CHECK(digest_of(config, 25'000, 25'000).hash == 0x8b240e2990c6ad3eu);
  CHECK(digest_of(config, 50'000, 25'000).hash == 0xccf7a36fc74e827au);
  CHECK(digest_of(config, 75'000, 25'000).hash == 0x1a6c3e2c05e2b4e4u);
}

TEST_CASE("the last of 8 generators at a rate that is no whole delay is that of the reference",
          "[nexmark]") {
  auto config = config_of(1e7, 100'000);
  config.generators = 8;
  config.first_event_id = 1;
  config.first_event_number = 1;
  config.bidder_quirk = true;
  const auto digest = digest_of(config, 87'500, 12'500);
  CHECK(digest.hash == 0x0235d1d6871069a6u);
  CHECK(digest.bytes == 2'451'783);
}

TEST_CASE("the first lines are those of the reference", "[nexmark]") {
  const nexmark_generator generator{config_of(1'000, 100'000)};
  const auto starts = [&](std::uint64_t index, const std::string& start, std::size_t extra) {
    const auto line = line_of(generator.make(index));
    return line.rfind(start, 0) == 0 && line.size() == start.size() + extra + 1;
  };
  CHECK(starts(0,
               "P|1000|John Bartels|nbed e@g s.com|7924 2715 1843 8834|San Francisco|WY|"
               "1436918400000|",
               125));
  CHECK(starts(1,
               "A|1000|c kegevgra|vzwlzueyi kceyyieoqrfa|66991009|67248490|1436918400001|"
               "1436918403087|1000|12|",
               374));
  const auto second = generator.make(2);
  REQUIRE(second.auction() != nullptr);
  CHECK(second.auction()->item_name == "yze owi");
  CHECK(second.auction()->initial_bid == 3'913'046);
  CHECK(second.auction()->reserve == 3'920'185);
  CHECK(second.auction()->expires == at(1'436'918'401'441));
  CHECK(second.auction()->seller == 1'004);
  CHECK(second.auction()->extra.size() == 366);
  CHECK(line_of(generator.make(4))
            .rfind("B|1000|1001|89258|channel-5594|https://www.nexmark.com/lbo/dahu/kxx/"
                   "item.htm?query=1&channel_id=1537736704|1436918400004|",
                   0) == 0);
  const auto fifth = generator.make(5);
  REQUIRE(fifth.bid() != nullptr);
  CHECK(fifth.bid()->auction == 1'012);
  CHECK(fifth.bid()->bidder == 1'001);
  CHECK(fifth.bid()->price == 394);
  CHECK(fifth.bid()->channel == "Facebook");
}

TEST_CASE("an event made alone equals the event made in place of others", "[nexmark]") {
  const nexmark_generator generator{config_of(1'000, 10'000)};
  nexmark_event reused;
  for (std::uint64_t i = 0; i < 300; ++i) {
    CAPTURE(i);
    generator.make(i, reused);
    REQUIRE(reused == generator.make(i));
    REQUIRE(reused.kind() == generator.kind(i));
    REQUIRE(reused.time() == generator.time(i));
  }
}

TEST_CASE("the numbers of a bid alone are those of the whole bid", "[nexmark]") {
  auto config = config_of(10'000, 20'000);
  config.out_of_order_group_size = GENERATE(std::uint64_t{1}, std::uint64_t{7});
  config.bidder_quirk = config.out_of_order_group_size == 7;
  const nexmark_generator generator{config};
  std::uint64_t bids = 0;
  for (std::uint64_t i = 0; i < config.events; ++i) {
    if (generator.kind(i) != nexmark_kind::bid) continue;
    const auto event = generator.make(i);
    const auto& whole = *event.bid();
    REQUIRE(generator.make_bid_only(i) ==
            nexmark_bid_view{whole.auction, whole.bidder, whole.price, whole.time});
    ++bids;
  }
  CHECK(bids == 20'000 / 50 * 46);
}

TEST_CASE("no later event is older than what may be promised before an event", "[nexmark]") {
  auto config = config_of(1'000, 1'000);
  config.out_of_order_group_size = 10;
  const nexmark_generator generator{config};
  for (std::uint64_t i = 0; i < config.events; ++i) {
    const auto promise = generator.earliest_from(i);
    auto earliest = event_time::max();
    for (std::uint64_t j = i; j < config.events; ++j) {
      earliest = std::min(earliest, generator.time(j));
    }
    CAPTURE(i);
    REQUIRE(promise <= earliest);
    if (i % 10 == 0) REQUIRE(promise == earliest);
  }
}

TEST_CASE("a paced source makes an event when its time has come", "[nexmark]") {
  const nexmark_generator generator{config_of(10'000, 0)};
  CHECK(generator.due_after(0) == duration{0});
  CHECK(generator.due_after(9) == duration{0});
  CHECK(generator.due_after(10) == duration{1});
  CHECK(generator.due_after(1'000'000) == duration{100'000});
}

TEST_CASE("a configuration that makes no stream is refused with the option's name", "[nexmark]") {
  struct row {
    const char* option;
    void (*spoil)(nexmark_config&);
  };
  const auto wrong = GENERATE(
      row{"events_per_second", [](nexmark_config& c) { c.events_per_second = 0; }},
      row{"events_per_second", [](nexmark_config& c) { c.events_per_second = -1; }},
      row{"events_per_second", [](nexmark_config& c) { c.events_per_second = std::nan(""); }},
      row{"events_per_second", [](nexmark_config& c) { c.events_per_second = HUGE_VAL; }},
      row{"events_per_second", [](nexmark_config& c) { c.events_per_second = 1e-9; }},
      row{"events", [](nexmark_config& c) { c.events = nexmark_config::max_events + 1; }},
      row{"first_event_id", [](nexmark_config& c) { c.first_event_id = ~0ull; }},
      row{"first_event_number", [](nexmark_config& c) { c.first_event_number = ~0ull; }},
      row{"out_of_order_group_size", [](nexmark_config& c) { c.out_of_order_group_size = 0; }},
      row{"generators", [](nexmark_config& c) { c.generators = 0; }},
      row{"generators", [](nexmark_config& c) { c.generators = 2, c.events = 1; }},
      row{"several generators", [](nexmark_config& c) { c.generators = 2, c.events = 0; }},
      row{"base_time", [](nexmark_config& c) { c.base_time = event_time::min(); }});
  nexmark_config config;
  REQUIRE(config.validate().ok());
  wrong.spoil(config);
  const auto refused = config.validate();
  REQUIRE_FALSE(refused.ok());
  CAPTURE(refused.error_text());
  CHECK(refused.failure().code() == errc::invalid_argument);
  CHECK(refused.error_text().find(wrong.option) != std::string::npos);
}

}  // namespace
}  // namespace weir::connectors
