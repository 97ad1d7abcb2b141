// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/print_sink.hpp"

#include <sstream>
#include <string>
#include <tuple>

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

struct named {
  std::string name;
  int count = 0;
};

TEST_CASE("every record is a line, as it is printed", "[print_sink]") {
  std::ostringstream out;
  const print_sink<named> sink{out};
  auto writer = sink.make_writer({}).value();
  const auto data = batch<named>::make(2);
  data->append({"a", 1}, at(0));
  data->append({"b", 2}, at(0));
  REQUIRE(writer.write(*data).ok());
  CHECK(out.str() == "{a, 1}\n{b, 2}\n");
  CHECK(writer.ready() == sink_readiness::ready);
}

TEST_CASE("a stream that refuses fails the sink", "[print_sink]") {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  auto writer = print_sink<int>{out}.make_writer({}).value();
  const auto data = batch<int>::make(1);
  data->append(1, at(0));
  const auto done = writer.write(*data);
  REQUIRE_FALSE(done.ok());
  CHECK(done.failure().code() == errc::io_error);
}

}  // namespace
}  // namespace weir::dataflow
