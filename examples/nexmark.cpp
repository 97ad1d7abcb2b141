// SPDX-License-Identifier: Apache-2.0
// A query of the NEXMark benchmark over a stream that it makes itself: prints the result's rows.
//
//   nexmark QUERY [EVENTS [EVENTS_PER_SECOND [PARALLELISM]]]
//
// QUERY is q5, q7, q8, q11 or q12, each in a file of its own in examples/nexmark/. Events are made
// as fast as they can be processed; EVENTS_PER_SECOND is how fast event time moves.
#include <charconv>
#include <cstring>
#include <iostream>
#include <optional>

#include "weir/actors/job_handle.hpp"
#include "weir/connectors/nexmark_source.hpp"
#include "weir/dataflow/stream.hpp"

#include "examples/nexmark/q11.hpp"
#include "examples/nexmark/q12.hpp"
#include "examples/nexmark/q5.hpp"
#include "examples/nexmark/q7.hpp"
#include "examples/nexmark/q8.hpp"
#include "examples/nexmark/to_line.hpp"

namespace {

using namespace std::chrono_literals;

template <class Row>
void print(const weir::data_stream<Row>& rows) {
  rows.map(nexmark::to_line<Row>).print();
}

bool print_query(const std::string& query, const weir::data_stream<nexmark::event>& events) {
  const auto bids = nexmark::bids_of(events);
  if (query == "q5") {
    print(nexmark::q5(bids));
  } else if (query == "q7") {
    print(nexmark::q7(bids));
  } else if (query == "q8") {
    print(nexmark::q8(events));
  } else if (query == "q11") {
    print(nexmark::q11(bids));
  } else if (query == "q12") {
    print(nexmark::q12(bids));
  } else {
    return false;
  }
  return true;
}

template <class Number>
bool read_number(const char* word, Number& number) {
  const char* const end = word + std::strlen(word);
  const auto [stop, failure] = std::from_chars(word, end, number);
  return failure == std::errc{} && stop == end;
}

int wrong_usage() {
  std::cerr << "usage: nexmark q5|q7|q8|q11|q12 [EVENTS [EVENTS_PER_SECOND [PARALLELISM]]]\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  weir::connectors::nexmark_config config;
  config.events = 1'000'000;
  std::uint32_t parallelism = 2;
  if (argc < 2 || argc > 5 || (argc > 2 && !read_number(argv[2], config.events)) ||
      (argc > 3 && !read_number(argv[3], config.events_per_second)) ||
      (argc > 4 && !read_number(argv[4], parallelism))) {
    return wrong_usage();
  }
  weir::environment env{"nexmark"};
  env.parallelism(parallelism);
  // Sessions that touch are one, so a session may not end before the last event of a millisecond
  // has come: watermarks stay 1 ms further behind than times that ascend need.
  const auto events = env.from_source(weir::connectors::nexmark_source{config})
                          .assign_timestamps_and_watermarks(weir::bounded_out_of_orderness(1ms));
  if (!print_query(argv[1], events)) return wrong_usage();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
