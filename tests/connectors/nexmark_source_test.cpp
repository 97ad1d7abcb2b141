// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/nexmark_source.hpp"

#include "weir/core/memory_file_system.hpp"

#include "connectors/split_output.hpp"
#include "support/catch.hpp"

namespace weir::connectors {
namespace {

using dataflow::poll_outcome;
using testing::split_output;

static_assert(dataflow::source<nexmark_source>);
static_assert(dataflow::source<nexmark_bid_source>);

nexmark_config config_of(std::uint64_t events) {
  nexmark_config config;
  config.events = events;
  return config;
}

/// Reads what is left of a split, `most` records a time.
template <class Reader, class T>
std::vector<std::pair<T, event_time>> read_on(Reader& reader, split_output<T>& out,
                                              std::size_t most) {
  std::vector<std::pair<T, event_time>> all;
  for (bool more = true; more;) {
    const auto outcome = reader.poll(out.collector(), most);
    REQUIRE(outcome.ok());
    more = *outcome == poll_outcome::produced;
    const auto records = out.take();
    CHECK(records.size() <= most);
    all.insert(all.end(), records.begin(), records.end());
  }
  return all;
}

TEST_CASE("the splits of a NEXMark source hold all events, in order, with their times",
          "[nexmark_source]") {
  memory_file_system files;
  const auto config = config_of(10'000);
  const nexmark_source source{config};
  const nexmark_generator generator{config};
  const auto splits = source.splits(files);
  REQUIRE(splits.ok());
  REQUIRE(splits->size() == 3);
  auto reader = source.make_reader(files);
  split_output<nexmark_event> out;
  std::uint64_t next = 0;
  for (const auto& split : *splits) {
    REQUIRE(reader.open(split, 0).ok());
    for (const auto& [event, time] : read_on(reader, out, 100)) {
      REQUIRE(event == generator.make(next));
      REQUIRE(time == event.time());
      ++next;
    }
  }
  CHECK(next == config.events);
}

TEST_CASE("a source of bids makes the bids and nothing else", "[nexmark_source]") {
  memory_file_system files;
  const auto config = config_of(5'000);
  const nexmark_bid_source source{config};
  const nexmark_generator generator{config};
  auto reader = source.make_reader(files);
  split_output<nexmark_bid_view> out;
  std::vector<nexmark_bid_view> bids;
  const auto splits = source.splits(files).value();
  for (const auto& split : splits) {
    REQUIRE(reader.open(split, 0).ok());
    for (const auto& [bid, time] : read_on(reader, out, 1'000)) {
      REQUIRE(time == bid.time);
      bids.push_back(bid);
    }
  }
  std::vector<nexmark_bid_view> expected;
  for (std::uint64_t i = 0; i < config.events; ++i) {
    if (generator.kind(i) == nexmark_kind::bid) expected.push_back(generator.make_bid_only(i));
  }
  CHECK(bids == expected);
}

TEST_CASE("a reader that goes on from a position gives what follows it", "[nexmark_source]") {
  memory_file_system files;
  const auto source = nexmark_bid_source{config_of(4'096)};
  const auto split = source.splits(files).value().front();
  auto whole = source.make_reader(files);
  split_output<nexmark_bid_view> out;
  REQUIRE(whole.open(split, 0).ok());
  const auto all = read_on(whole, out, 4'096);

  const auto most = GENERATE(std::size_t{1}, std::size_t{50}, std::size_t{1'000});
  auto first = source.make_reader(files);
  REQUIRE(first.open(split, {}).ok());
  REQUIRE(first.poll(out.collector(), most).ok());
  auto records = out.take();
  CHECK(first.position() == most);
  auto second = source.make_reader(files);
  REQUIRE(second.open(split, first.position()).ok());
  const auto rest = read_on(second, out, 1'000);
  records.insert(records.end(), rest.begin(), rest.end());
  CHECK(records == all);
}

TEST_CASE("a NEXMark source stops when its output is full", "[nexmark_source]") {
  memory_file_system files;
  const auto source = nexmark_bid_source{config_of(4'096)};
  auto reader = source.make_reader(files);
  REQUIRE(reader.open(source.splits(files).value().front(), 0).ok());
  split_output<nexmark_bid_view> out;
  REQUIRE(reader.poll(out.collector(), 1'000'000).ok());
  const auto position = reader.position();
  CHECK(position < 4'096);
  REQUIRE(reader.poll(out.collector(), 1'000'000).ok());
  CHECK(reader.position() == position);
}

TEST_CASE("a NEXMark source without end, or that has become shorter, is refused",
          "[nexmark_source]") {
  memory_file_system files;
  CHECK(nexmark_source{config_of(0)}.splits(files).failure().code() == errc::invalid_argument);

  auto shorter = nexmark_bid_source{config_of(5'000)}.make_reader(files);
  CHECK(shorter.open({4'096, 904}, 0).ok());
  const auto refused = shorter.open({4'096, 4'096}, 0);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().code() == errc::invalid_argument);
  CHECK_FALSE(shorter.open({0, 4'096}, 4'097).ok());

  auto unusable = config_of(5'000);
  unusable.events_per_second = 0;
  CHECK_FALSE(nexmark_bid_source{unusable}.make_reader(files).open({0, 4'096}, 0).ok());
}

}  // namespace
}  // namespace weir::connectors
