// SPDX-License-Identifier: Apache-2.0
// The queries of the NEXMark benchmark, checked against what is known of two streams.
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "weir/actors/job_handle.hpp"
#include "weir/connectors/nexmark_source.hpp"
#include "weir/dataflow/stream.hpp"

#include "examples/nexmark/q11.hpp"
#include "examples/nexmark/q5.hpp"
#include "examples/nexmark/q7.hpp"
#include "examples/nexmark/q8.hpp"
#include "examples/nexmark/to_line.hpp"
#include "examples/support/auction_reference.hpp"
#include "support/catch.hpp"
#include "support/program.hpp"

namespace nexmark {
namespace {

using namespace std::chrono_literals;
using auction_monitor::checksum_of;
using auction_monitor::row_checksum;
using checksums = std::map<std::string, row_checksum>;

/// Results that were computed from the whole stream at once, by an independent program.
const checksums hundred_thousand_events = {
    {"q5", {56, 0x47eb24896a226bf2u}},           {"q7", {10, 0xfca511142d742623u}},
    {"q8", {299, 0x0c3ca5ebf1f68f61u}},          {"q11, 10 s", {2'925, 0x19f6b8b94277a5b7u}},
    {"q11, 1 s", {15'435, 0xdd662f1f9aa82a76u}}, {"q11, 100 ms", {21'426, 0x9cc99f9f79dee7d7u}}};
const checksums million_events = {
    {"q5", {57, 0xbc9c026925045d6cu}},           {"q7", {10, 0x49feed11b4350db1u}},
    {"q8", {8'442, 0x9bb0ada148f1a3bau}},        {"q11, 10 s", {19'918, 0x4ab1c48fb00ab0d3u}},
    {"q11, 1 s", {35'912, 0x868a914a0d75ffb7u}}, {"q11, 100 ms", {180'629, 0x5909bb6211f8d18fu}}};

/// The results of queries, in memory.
class query_results {
 public:
  template <class Row>
  void collect(const std::string& query, const weir::data_stream<Row>& rows) {
    const weir::collect_sink<Row> sink{query};
    rows.sink_to(sink);
    results_[query] = [sink] {
      std::vector<std::string> lines;
      for (const auto& row : sink.rows()) lines.push_back(to_line(row));
      return checksum_of(lines);
    };
  }

  checksums all() const {
    checksums all;
    for (const auto& [query, result] : results_) all[query] = result();
    return all;
  }

 private:
  std::map<std::string, std::function<row_checksum()>> results_;
};

/// All queries in one job, so that the events are made once.
checksums run_queries(std::uint64_t events_per_second, std::uint32_t parallelism) {
  weir::connectors::nexmark_config config;
  config.events_per_second = static_cast<double>(events_per_second);
  config.events = 100 * events_per_second;
  weir::environment env{"nexmark"};
  env.parallelism(parallelism);
  const auto events =
      env.from_source(weir::connectors::nexmark_source{config})
          .assign_timestamps_and_watermarks(
              weir::bounded_out_of_orderness(1ms).emit(weir::watermark_emission::periodic, 5ms));
  const auto bids = bids_of(events);
  query_results results;
  results.collect("q5", q5(bids));
  results.collect("q7", q7(bids));
  results.collect("q8", q8(events));
  results.collect("q11, 10 s", q11(bids));
  results.collect("q11, 1 s", q11(bids, 1s));
  results.collect("q11, 100 ms", q11(bids, 100ms));
  const auto done = weir::execute(env);
  INFO(done.error_text());
  REQUIRE(done.ok());
  return results.all();
}

void check_equal(const checksums& found, const checksums& expected) {
  for (const auto& [query, checksum] : expected) {
    CAPTURE(query);
    REQUIRE(found.contains(query));
    CHECK(found.at(query).rows == checksum.rows);
    CHECK(found.at(query).sum == checksum.sum);
  }
}

TEST_CASE("the queries over 100000 events give the known rows", "[nexmark_queries]") {
  const auto parallelism = GENERATE(1u, 2u);
  CAPTURE(parallelism);
  check_equal(run_queries(1'000, parallelism), hundred_thousand_events);
}

TEST_CASE("the queries over a million events give the known rows", "[nexmark_queries]") {
  check_equal(run_queries(10'000, 1), million_events);
}

TEST_CASE("the queries over a million events give the known rows at parallelism 2",
          "[nexmark_queries]") {
  check_equal(run_queries(10'000, 2), million_events);
}

TEST_CASE("the NEXMark example prints the rows of a query", "[examples]") {
  const auto query = GENERATE(std::string{"q5"}, "q7", "q8", "q11");
  CAPTURE(query);
  const auto end = weir::testing::run_program("nexmark", {query, "100000", "1000"});
  CAPTURE(end.errors);
  REQUIRE(end.exit_code == 0);
  std::istringstream output{end.output};
  std::vector<std::string> lines;
  for (std::string line; std::getline(output, line);) lines.push_back(line);
  const auto checksum = checksum_of(lines);
  CHECK(checksum == hundred_thousand_events.at(query == "q11" ? "q11, 10 s" : query));
}

TEST_CASE("the NEXMark example refuses what it does not know, with exit code 2", "[examples]") {
  const std::vector<std::string> words =
      GENERATE(std::vector<std::string>{}, std::vector<std::string>{"q6"},
               std::vector<std::string>{"q5", "many"}, std::vector<std::string>{"q5", "1", "2x"});
  const auto end = weir::testing::run_program("nexmark", words);
  CHECK(end.exit_code == 2);
  CHECK(end.output.empty());
  CHECK(end.errors.starts_with("usage: nexmark q5|"));
}

}  // namespace
}  // namespace nexmark
