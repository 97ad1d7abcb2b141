// SPDX-License-Identifier: Apache-2.0
#include "weir/core/log.hpp"

#include <sstream>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace weir {

TEST_CASE("a stream log sink writes one line per record", "[log]") {
  std::ostringstream out;
  const auto sink = make_stream_log_sink(out);
  sink->write({log_level::debug, "node", "a"});
  sink->write({log_level::info, "node", "b"});
  sink->write({log_level::warning, "checkpoint store", "3.state is damaged"});
  sink->write({log_level::error, "node", "c"});
  CHECK(out.str() ==
        "debug node: a\n"
        "info node: b\n"
        "warning checkpoint store: 3.state is damaged\n"
        "error node: c\n");
}

TEST_CASE("lines of several threads are not mixed", "[log]") {
  std::ostringstream out;
  const auto sink = make_stream_log_sink(out);
  {
    std::vector<std::jthread> writers;
    for (int t = 0; t < 3; ++t) {
      writers.emplace_back([&] {
        for (int i = 0; i < 200; ++i) sink->write({log_level::info, "part", "message"});
      });
    }
  }
  std::istringstream lines{out.str()};
  int whole = 0;
  for (std::string line; std::getline(lines, line);) whole += line == "info part: message";
  CHECK(whole == 600);
}

TEST_CASE("the null log sink is one object", "[log]") {
  null_log_sink().write({log_level::error, "part", "nobody hears this"});
  CHECK(&null_log_sink() == &null_log_sink());
}

}  // namespace weir
