// SPDX-License-Identifier: Apache-2.0
// What sources and sinks keep in checkpoints, and send between nodes, has a codec.
#include "weir/connectors/file_sink.hpp"
#include "weir/connectors/line_reader.hpp"
#include "weir/connectors/line_splits.hpp"
#include "weir/connectors/nexmark_generator.hpp"
#include "weir/connectors/nexmark_splits.hpp"
#include "weir/core/codec.hpp"

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

template <class T>
bool survives(const T& value) {
  const auto bytes = encode(value);
  const auto back = decode<T>(bytes);
  const auto cut = decode<T>(std::string_view{bytes}.substr(0, bytes.size() - 1));
  return back.ok() && *back == value && !cut.ok();
}

TEST_CASE("splits and positions survive their bytes", "[connector_state]") {
  CHECK(survives(line_split{"/in/a b.txt", 8 << 20, 12'345, 1'000'000, 1ull << 40}));
  CHECK(survives(line_position{4'096, 17}));
  CHECK(survives(nexmark_split{8'192, 4'096}));
}

TEST_CASE("files that wait for their checkpoint survive their bytes", "[connector_state]") {
  const std::vector<pending_file> files{{"/out/.a", "/out/a"}, {"/out/.b", "/out/b"}};
  const auto stored = encode_pending_files(files);
  CHECK(decode_pending_files(stored).value() == files);
  CHECK(decode_pending_files({stored[0], "?"}).failure().code() == errc::corrupt);
}

TEST_CASE("the records of the auction stream survive their bytes", "[connector_state]") {
  const nexmark_generator generator{nexmark_config{}};
  CHECK(survives(*generator.make(0).person()));
  CHECK(survives(*generator.make(1).auction()));
  CHECK(survives(*generator.make(4).bid()));
  CHECK(survives(generator.make_bid_only(4)));
  CHECK(survives(generator.make(4)));
}

}  // namespace
}  // namespace weir::connectors
