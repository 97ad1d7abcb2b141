// SPDX-License-Identifier: Apache-2.0
// Watches an auction house: counts the bids of each auction, and finds the highest bid of all, in
// windows of 10 s. The program starts the job as a process of its own, kills it in the middle,
// starts it again, and compares what it has written with an independent computation.
#include <vector>

#include "weir/connectors/file_sink.hpp"
#include "weir/connectors/nexmark_event.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "examples/support/auction_reference.hpp"
#include "examples/support/example_program.hpp"
#include "examples/support/keep_highest.hpp"
#include "examples/support/published_files.hpp"

namespace {

using namespace std::chrono_literals;
using bid = weir::connectors::nexmark_bid_view;
using example::job_arguments;

void take_bid(const weir::connectors::nexmark_event& event, weir::collector<bid>& out) {
  if (const auto* b = event.bid()) out.collect({b->auction, b->bidder, b->price, b->time});
}

struct auction_count {
  std::int64_t window = 0;  ///< its start
  std::int64_t auction = 0;
  std::int64_t bids = 0;
};

struct count_bids {
  using accumulator = std::int64_t;

  void add(const bid&, accumulator& count) const { ++count; }
  void merge(const accumulator& from, accumulator& into) const { into += from; }
  std::int64_t get_result(const accumulator& count) const { return count; }
};

struct to_auction_count {
  void process_record(std::int64_t auction, const weir::time_window& window, std::int64_t bids,
                      weir::collector<auction_count>& out) const {
    out.collect({window.start.ms, auction, bids});
  }
};

struct highest_bid {
  std::int64_t window = 0;  ///< its start
  bid highest;
};

struct to_highest_bids {
  void process_record(std::int64_t, const weir::time_window& window,
                      const std::vector<bid>& highest, weir::collector<highest_bid>& out) const {
    for (const auto& each : highest) out.collect({window.start.ms, each});
  }
};

void append_fields(std::string& out, std::initializer_list<std::int64_t> fields) {
  const char* before = "";
  for (const auto field : fields) {
    out += before;
    weir::print_value(out, field);
    before = "|";
  }
}

struct as_row {
  void operator()(std::string& out, const auction_count& row) const {
    append_fields(out, {row.window, row.auction, row.bids});
  }
  void operator()(std::string& out, const highest_bid& row) const {
    const auto& [auction, bidder, price, time] = row.highest;
    append_fields(out, {row.window, auction, bidder, price, time.ms});
  }
};

weir::connectors::nexmark_config events_of(const job_arguments& arguments) {
  weir::connectors::nexmark_config config;
  config.events_per_second = 10'000;
  config.events = arguments.events;
  return config;
}

template <class Row>
weir::connectors::file_sink<Row, as_row> rows_in(const std::string& folder) {
  weir::connectors::file_sink_options options;
  options.folder = folder;
  return weir::connectors::file_sink<Row, as_row>{options};
}

void describe(weir::environment& env, const job_arguments& arguments,
              std::shared_ptr<example::read_log> log) {
  const weir::connectors::nexmark_source source{events_of(arguments)};
  auto bids = env.from_source(example::noting_source{source, std::move(log)})
                  .name("auction house")
                  .uid("auction-house")
                  .assign_timestamps_and_watermarks(
                      weir::monotonous_timestamps().emit(weir::watermark_emission::periodic, 20ms))
                  .uid("watermarks")
                  .flat_map<bid>(take_bid)
                  .name("bids")
                  .uid("bids");
  bids.key_by(&bid::auction)
      .window(weir::tumbling_event_time(10s))
      .aggregate(count_bids{}, to_auction_count{})
      .name("bids per auction")
      .uid("bids-per-auction")
      .sink_to(rows_in<auction_count>(arguments.output_folder("bids_per_auction")))
      .uid("bids-per-auction-files");
  bids.key_by([](const bid&) { return std::int64_t{0}; })
      .window(weir::tumbling_event_time(10s))
      .aggregate(example::keep_highest<bid, &bid::price>{}, to_highest_bids{})
      .name("highest bid")
      .uid("highest-bid")
      .sink_to(rows_in<highest_bid>(arguments.output_folder("highest_bids")))
      .uid("highest-bid-files");
}

weir::result<example::verdict> verify(const job_arguments& arguments) {
  const auto expected = auction_monitor::make_auction_reference(events_of(arguments));
  const auto counts = example::published_rows(arguments.output_folder("bids_per_auction"));
  const auto highest = example::published_rows(arguments.output_folder("highest_bids"));
  auto equal = example::compare_rows("bids_per_auction", counts, expected.bids_per_auction);
  if (!equal) return std::move(equal).failure();
  equal = example::compare_rows("highest_bids", highest, expected.highest_bids);
  if (!equal) return std::move(equal).failure();
  std::string with = "an independent computation";
  if (arguments.events == 1'000'000) {
    // Published with the benchmark's other results for this stream.
    const auction_monitor::row_checksum golden{10, 0x49feed11b4350db1u};
    if (auction_monitor::checksum_of(highest) != golden) {
      return weir::error{weir::errc::corrupt, "highest_bids has another checksum than known"};
    }
    with += " and the known checksum";
  }
  return example::verdict{arguments.events,
                          {{"bids_per_auction", counts.size(), "an independent computation"},
                           {"highest_bids", highest.size(), with}}};
}

}  // namespace

int main(int argc, char** argv) {
  return example::run_example(
      {"auction_monitor", example::input_kind::events, "events", describe, verify}, argc, argv);
}
