// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/source_operator.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/memory_file_system.hpp"
#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/collection_source.hpp"

#include "dataflow/source_chain.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using testing::source_chain;
using texts = std::vector<std::string>;

/// Split n has `split_length` records: 100 n, 100 n + 1, …; two are given by a poll.
struct hundreds {
  using value_type = int;
  using split_type = int;
  using position_type = int;

  static constexpr int split_length = 5;

  struct reader {
    int split = 0;
    int at = 0;

    status open(const int& s, const int& position) {
      if (s < 0) return error{errc::io_error, "cannot open the split"};
      split = s, at = position;
      return {};
    }
    result<poll_outcome> poll(collector<int>& out, std::size_t) {
      if (split == 9) return error{errc::io_error, "cannot read the split"};
      for (int i = 0; i < 2 && at < split_length; ++i, ++at) {
        out.collect(100 * split + at, weir::at(at));
      }
      return at == split_length ? poll_outcome::split_done : poll_outcome::produced;
    }
    int position() const { return at; }
  };

  result<std::vector<int>> splits(file_system&) const { return std::vector<int>{0, 1, 2}; }
  reader make_reader(file_system&) const { return {}; }
};

TEST_CASE("a source reads its splits in the order in which they come", "[source_operator]") {
  source_chain<hundreds> c;
  c.settle();
  CHECK(c.seen.empty());
  c.give(0, 2);
  c.give(1, 0);
  c.settle();
  CHECK(c.seen == texts{"200", "201", "202", "203", "204", "0", "1", "2", "3", "4"});
}

TEST_CASE("a source asks for one split ahead, once", "[source_operator]") {
  source_chain<hundreds> c;
  CHECK(c.port->take_split_request());
  CHECK_FALSE(c.port->take_split_request());
  c.give(0, 0);
  CHECK_FALSE(c.port->take_split_request());  // it has one that it has not begun
  REQUIRE(c.run(1).ok());
  CHECK(c.port->take_split_request());
  CHECK_FALSE(c.port->take_split_request());
  c.give(1, 1);
  c.settle();
  CHECK(c.port->take_split_request());
  c.port->no_more_splits();
  CHECK_FALSE(c.port->take_split_request());
}

TEST_CASE("the end of the splits is the last watermark, then the end of input",
          "[source_operator]") {
  source_chain<hundreds> c;
  c.give(0, 1);
  c.port->no_more_splits();
  CHECK_FALSE(c.port->ended());
  REQUIRE(c.run().ok());
  CHECK(c.port->ended());
  CHECK(c.it.no_control_inside());
  CHECK(c.seen == texts{"100", "101", "102", "103", "104", "watermark max", "end of input"});
  CHECK_FALSE(c.it.head().has_work());
}

TEST_CASE("an ended source still passes barriers on", "[source_operator]") {
  source_chain<hundreds> c;
  c.port->no_more_splits();
  REQUIRE(c.run().ok());
  REQUIRE(c.port->ended());
  CHECK(c.snapshot().empty());
  CHECK(c.seen.back() == "barrier 1");
}

TEST_CASE("a source that is held emits no data, and passes barriers on", "[source_operator]") {
  source_chain<hundreds> c;
  c.give(0, 0);
  REQUIRE(c.run(2).ok());
  c.port->hold(true);
  c.settle();
  const auto before = c.seen;
  CHECK(before.size() == 2);
  c.snapshot();
  c.settle();
  CHECK(c.seen.size() == before.size() + 1);
  c.port->hold(false);
  c.settle();
  CHECK(c.seen == texts{"0", "1", "barrier 1", "2", "3", "4"});
}

TEST_CASE("a source whose output is full does not read on", "[source_operator]") {
  source_chain<hundreds> c;
  c.open = false;
  operator_environment environment;
  environment.limits.rows = 1;
  environment.files = &c.files;
  REQUIRE(c.it.head().open(environment).ok());
  for (std::uint64_t i = 0; i < 50; ++i) c.give(i, 0);
  REQUIRE(c.run().ok());
  CHECK(c.it.at(1).input(0).batches() <= 4);
}

TEST_CASE("a snapshot names the splits that are read, being read and waiting",
          "[source_operator]") {
  source_chain<hundreds> c;
  c.give(3, 0);
  c.give(4, 1);
  c.give(7, 2);
  // Opens split 3 and reads it by three polls, opens split 4 and polls it once.
  REQUIRE(c.run(6).ok());
  c.port->hold(true);
  const auto read = c.snapshot();
  CHECK(read.is_finished(3));
  CHECK_FALSE(read.is_finished(4));
  REQUIRE(read.position_of(4) != nullptr);
  CHECK(decode<int>(*read.position_of(4)).value() == 2);
  REQUIRE(read.position_of(7) != nullptr);
  CHECK(read.position_of(7)->empty());

  // Whoever gets the split then goes on from there.
  source_chain<hundreds> next;
  next.give(4, 1, *read.position_of(4));
  next.settle();
  auto all = c.seen;
  all.pop_back();  // the barrier
  all.insert(all.end(), next.seen.begin(), next.seen.end());
  CHECK(all == texts{"0", "1", "2", "3", "4", "100", "101", "102", "103", "104"});
}

TEST_CASE("what earlier attempts have read stays in the snapshots", "[source_operator]") {
  split_progress before;
  before.finish(0);
  before.start(1, encode(4));
  const std::vector<state::snapshot_chunk> chunks{
      {split_progress::section, std::nullopt, before.encode(), {}}};
  source_chain<hundreds> c;
  REQUIRE(c.it.head().restore(chunks).ok());
  c.give(1, 1, *before.position_of(1));
  c.settle();
  CHECK(c.seen == texts{"104"});
  const auto read = c.snapshot();
  CHECK(read.is_finished(0));
  CHECK(read.is_finished(1));
  CHECK(read.position_of(1) == nullptr);
}

TEST_CASE("errors of opening and reading are the operator's", "[source_operator]") {
  source_chain<hundreds> c;
  c.give(0, -1);
  CHECK(c.run().error_text().find("cannot open the split") != std::string::npos);
  source_chain<hundreds> d;
  d.give(0, 9);
  CHECK(d.run().error_text().find("cannot read the split") != std::string::npos);
  source_chain<hundreds> e;
  REQUIRE(e.port->add_split({0, "?", {}}).ok());
  const auto damaged = e.run();
  REQUIRE_FALSE(damaged.ok());
  CHECK(damaged.failure().code() == errc::corrupt);
}

TEST_CASE("a collection is read in splits of 1,024 records", "[collection_source]") {
  std::vector<int> records;
  for (int i = 0; i < 2'500; ++i) records.push_back(i);
  const collection_source<int> definition{records};
  memory_file_system files;
  const auto splits = definition.splits(files).value();
  CHECK(splits == std::vector<std::uint64_t>{0, 1024, 2048});
  source_chain c{definition};
  for (std::size_t i = 0; i < splits.size(); ++i) {
    REQUIRE(c.port->add_split({i, encode(splits[i]), {}}).ok());
  }
  c.settle();
  REQUIRE(c.seen.size() == 2'500);
  CHECK(c.seen[1'024] == "1024");
  CHECK(c.seen.back() == "2499");
}

TEST_CASE("an empty collection has no splits", "[collection_source]") {
  memory_file_system files;
  CHECK(collection_source<int>{std::vector<int>{}}.splits(files).value().empty());
}

TEST_CASE("a collection shorter than what was read of it is an error", "[collection_source]") {
  memory_file_system files;
  auto reader = collection_source<int>{std::vector<int>{1, 2, 3}}.make_reader(files);
  CHECK(reader.open(0, 3).ok());
  CHECK_FALSE(reader.open(0, 4).ok());
  CHECK_FALSE(reader.open(1'024, 0).ok());
}

}  // namespace
}  // namespace weir::dataflow
