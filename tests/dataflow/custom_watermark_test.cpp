// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/custom_watermark.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/map_operator.hpp"
#include "weir/dataflow/watermark_combiner.hpp"
#include "weir/dataflow/watermark_manager.hpp"
#include "weir/state/state_error.hpp"

#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using testing::batch_of;
using testing::recorder;
using testing::scripted;
using numbers = std::vector<std::int64_t>;

struct arrival {
  std::size_t channel;
  std::int64_t value;
};

/// What a combiner of two channels hands on.
numbers combined(const watermark_declaration& declaration, const std::vector<arrival>& arrivals) {
  watermark_combiner combiner{declaration, 2};
  numbers handed_on;
  for (const auto& a : arrivals) {
    if (const auto value = combiner.on_value(a.channel, a.value)) handed_on.push_back(*value);
  }
  return handed_on;
}

TEST_CASE("D.6: the largest value of all channels is handed on when it changes, down too",
          "[watermark_combiner]") {
  CHECK(combined(long_watermark{"x", combine_long::max},
                 {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 2}, {0, 2}}) == numbers{1, 2, 3, 2});
}

TEST_CASE("D.6: the smallest value of the channels that have sent is handed on when it changes",
          "[watermark_combiner]") {
  CHECK(combined(long_watermark{"x"}, {{0, 2}, {1, 1}, {0, 3}, {1, 1}, {1, 2}, {1, 4}}) ==
        numbers{2, 1, 2, 3});
}

TEST_CASE("D.6: a watermark that waits for all channels is not handed on before the last",
          "[watermark_combiner]") {
  CHECK(combined(long_watermark{"x", combine_long::max, true}, {{0, 3}, {0, 2}, {1, 1}, {0, 3}}) ==
        numbers{2, 3});
}

TEST_CASE("D.6: truth values are combined by all of them, or by any", "[watermark_combiner]") {
  const std::vector<arrival> arrivals{{0, 1}, {1, 0}, {1, 1}, {0, 0}, {1, 0}, {1, 0}};
  CHECK(combined(bool_watermark{"x"}, arrivals) == numbers{1, 0, 1, 0});
  CHECK(combined(bool_watermark{"x", combine_bool::any_of}, arrivals) == numbers{1, 0});
  CHECK(combined(bool_watermark{"x", combine_bool::all_of, true}, {{0, 1}, {1, 1}, {0, 0}}) ==
        numbers{1, 0});
}

TEST_CASE("the least and the greatest numbers can be combined", "[watermark_combiner]") {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  CHECK(combined(long_watermark{"x"}, {{0, greatest}, {1, greatest}, {1, least}}) ==
        numbers{greatest, least});
  CHECK(combined(long_watermark{"x", combine_long::max}, {{0, least}, {1, greatest}}) ==
        numbers{least, greatest});
}

TEST_CASE("a job's watermarks are numbered by identifier, whoever declared them first",
          "[watermark_table]") {
  const watermark_table table{watermarks(long_watermark{"level"}, bool_watermark{"closed"},
                                         long_watermark{"level"}, bool_watermark{"Level"})};
  REQUIRE(table.size() == 3);
  CHECK(table.at(0).identifier == "Level");
  CHECK(table.find("closed") == 1u);
  CHECK(table.find("level") == 2u);
  CHECK_FALSE(table.find("leve"));
  CHECK_FALSE(table.find(""));
  CHECK_FALSE(watermark_table{}.find("level"));
}

const long_watermark level{"level"};
const bool_watermark closed{.identifier = "closed", .handling = watermark_handling::ignore};

TEST_CASE("a function gets the value of the watermark that it asks for, and no other",
          "[custom_watermark]") {
  const watermark_table table{watermarks(level, closed)};
  const custom_watermark number{table.at(1), -4};
  CHECK(number.identifier() == "level");
  CHECK(number.value_of(level) == -4);
  CHECK_FALSE(number.value_of(closed));
  CHECK_FALSE(number.value_of(bool_watermark{"level"}));
  CHECK(custom_watermark{table.at(0), 1}.value_of(closed) == true);
  CHECK(custom_watermark{table.at(0), 0}.value_of(closed) == false);
}

TEST_CASE("a watermark goes on when the function has left it and its declaration says so",
          "[custom_watermark]") {
  const watermark_table table{watermarks(level, closed)};
  const auto leaves = [](const custom_watermark&) { return watermark_result::peek; };
  const auto takes = [](const custom_watermark&) { return watermark_result::poll; };
  CHECK(goes_on(control::custom(1, 7), table, leaves));
  CHECK_FALSE(goes_on(control::custom(1, 7), table, takes));
  CHECK_FALSE(goes_on(control::custom(0, 1), table, leaves));
}

/// An operator that passes on what is not negative, and behind each record emits what it is told
/// to; behind it one that knows nothing of watermarks, and a recorder.
struct emitting_chain {
  using emit = std::function<void(watermark_manager&, int)>;

  explicit emitting_chain(emit what) {
    auto op = std::make_unique<scripted<int, int>>([what](const int& x, auto& self) {
      if (x >= 0) self.out.collect(x);
      watermark_manager manager{self};
      what(manager, x);
    });
    it.add(std::move(op));
    const auto negate = [](int x) { return -x; };
    it.add(std::make_unique<map_operator<int, int, decltype(negate)>>(negate));
    it.add(std::make_unique<recorder<int>>(seen, open));
    REQUIRE(it.connect(0, 0, 1));
    REQUIRE(it.connect(1, 0, 2));
    it.seal([](operator_base&, checkpoint_id) {});
    operator_environment environment;
    environment.watermarks = std::make_shared<const watermark_table>(watermarks(level, closed));
    for (std::size_t i = 0; i < it.size(); ++i) REQUIRE(it.at(i).open(environment));
  }

  status push(const std::vector<int>& values) {
    it.head().input(0).push_erased(batch_of(values));
    auto done = it.run(1'000'000);
    if (done) done = it.flush(1'000'000);
    if (!done) return std::move(done).failure();
    return {};
  }

  chain it;
  bool open = true;
  std::vector<std::string> seen;
};

TEST_CASE("an emitted watermark is in order with the records of the same call",
          "[watermark_manager]") {
  emitting_chain c{[](watermark_manager& manager, int x) {
    if (x == 2) manager.emit_watermark(level, 20);
    if (x == 3) manager.emit_watermark(closed, true);
  }};
  REQUIRE(c.push({1, 2, 3, 4}));
  CHECK(c.seen ==
        std::vector<std::string>{"-1", "-2", "custom 1 = 20", "-3", "custom 0 = 1", "-4"});
  CHECK(c.it.quiet());
}

TEST_CASE("who emits watermarks without end waits while nobody takes them", "[watermark_manager]") {
  emitting_chain c{[](watermark_manager& manager, int x) { manager.emit_watermark(level, x); }};
  c.open = false;
  for (int i = 1; i <= 1'000; ++i) c.it.head().input(0).push_erased(batch_of({-i}));
  REQUIRE(c.it.run(1'000'000));
  CHECK(c.it.head().input(0).batches() > 800);
  c.open = true;
  REQUIRE(c.it.flush(1'000'000));
  CHECK(c.seen.size() == 1'000);
  CHECK(c.it.quiet());
}

TEST_CASE("a watermark that nobody declared cannot be emitted", "[watermark_manager]") {
  emitting_chain c{
      [](watermark_manager& manager, int) { manager.emit_watermark(long_watermark{"lewel"}, 1); }};
  const auto done = c.push({1});
  REQUIRE_FALSE(done);
  CHECK(done.failure().code() == errc::user_function_failed);
  CHECK(done.error_text().find("there is no watermark \"lewel\" in this job: return it from "
                               "declare_watermarks() of a function") != std::string::npos);
}

TEST_CASE("a watermark cannot be emitted in another way than it is declared",
          "[watermark_manager]") {
  emitting_chain c{[](watermark_manager& manager, int) {
    manager.emit_watermark(bool_watermark{"level"}, true);
  }};
  const auto text = c.push({1}).error_text();
  CHECK(text.find("watermark \"level\" is emitted as bool, all of, forwarded, and declared as "
                  "long, min, forwarded") != std::string::npos);
}

}  // namespace
}  // namespace weir::dataflow
