// SPDX-License-Identifier: Apache-2.0
#include "weir/testing/check_operator.hpp"

#include <memory>
#include <optional>
#include <string>

#include "weir/dataflow/flat_map_operator.hpp"
#include "weir/dataflow/map_operator.hpp"

#include "support/catch.hpp"
#include "testing/timed_counter.hpp"

namespace weir::testing {
namespace {

auto doubling() {
  const auto f = [](const int& x) { return 2 * x; };
  return [f] { return std::make_unique<dataflow::map_operator<int, int, decltype(f)>>(f); };
}

auto counter(counter_fault fault = counter_fault::none) {
  return [fault] { return std::make_unique<timed_counter>(fault); };
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Two keys, timers of both clocks, a watermark before and one behind them, the end.
script whole_life() {
  return {push(1, at(0)),
          push(2, at(3)),
          push(1, at(20)),
          watermark(at(9)),
          watermark(at(15)),
          expect(timed{1002, at(10)}, timed{2001, at(13)}),
          expect_timers(3),
          push(2, at(25)),
          push(1, at(25)),
          advance_clock(duration{99}),
          advance_clock(duration{1}),
          expect_in_any_order(-2, -1),
          push(3, at(16)),
          watermark(at(31)),
          expect(timed{3001, at(26)}, timed{1003, at(30)}),
          end_of_input(),
          expect_in_any_order(timed{1003, at(35)}, timed{2002, at(35)}),
          expect_timers(0)};
}

TEST_CASE("the harness passes an operator that does what the script says", "[check_operator]") {
  CHECK(check<int>(doubling(), {push(1), push(2, at(7)), expect(2, timed{4, at(7)}),
                                watermark(at(9)), push(3), expect(6), end_of_input()})
            .error_text() == "");
}

TEST_CASE("the harness serves timers, snapshots, the clock and the end", "[check_operator]") {
  CHECK(check<int>(counter(), whole_life()).error_text() == "");
}

TEST_CASE("a wrong operator fails in the mode that is there for it", "[check_operator]") {
  struct row {
    counter_fault fault;
    std::string mode;
  };
  const auto [fault, mode] =
      GENERATE(row{counter_fault::forgets_state, "restored after every element"},
               row{counter_fault::forgets_timers, "restored after every element"},
               row{counter_fault::saves_late, "replayed from a running snapshot"},
               row{counter_fault::changes_input, "refusing output"},
               row{counter_fault::counts_batches, "one by one"});
  CAPTURE(mode);
  const auto text = check<int>(counter(fault), whole_life()).error_text();
  CAPTURE(text);
  CHECK(contains(text, "mode " + mode));
}

TEST_CASE("a result that depends on the borders of batches does not pass in every mode",
          "[check_operator]") {
  const script lines = {push(1, at(0)), push(2, at(0)), expect(7, 7), watermark(at(20)),
                        expect_in_any_order(1001, 2001)};
  const auto text = check<int>(counter(counter_fault::counts_batches), lines).error_text();
  CHECK(contains(text, "mode all at once"));
}

TEST_CASE("an operator that overruns a full output is found", "[check_operator]") {
  operator_harness h{counter(counter_fault::overruns_output), harness_mode::refusing_output};
  h.open_output<int>();
  for (int key = 0; key < 30; ++key) h.push(key, at(0));
  h.watermark(at(50));
  CHECK(contains(h.outcome().error_text(), "room"));
}

TEST_CASE("a watermark that does not come through is missed when the script asks for it",
          "[check_operator]") {
  const script lines = {watermark(at(3)), expect_watermark(at(3)), watermark(at(5)),
                        expect_watermark(at(5))};
  CHECK(check<int>(counter(), lines).error_text() == "");
  const auto text = check<int>(counter(counter_fault::swallows_watermark), lines).error_text();
  CHECK(contains(text, "line 4 (expect watermark 5) expects watermark 5; emitted was nothing"));
}

TEST_CASE("the report names mode, line, what was wanted and what came", "[check_operator]") {
  CHECK(check<int>(doubling(), {push(1), expect(3)}).error_text() ==
        "mode one by one: line 2 (expect) expects 3; emitted was 2");
  CHECK(check<int>(doubling(), {push(1), push(2), expect(2)}).error_text() ==
        "mode one by one: line 3 (expect): no step expects what was emitted then: 4");
  CHECK(check<int>(doubling(), {push(1)}).error_text() ==
        "mode one by one: end: no step expects what was emitted then: 2");
}

TEST_CASE("an expected failure passes, and its absence does not", "[check_operator]") {
  CHECK(check<int>(counter(), {push(-1), expect_failure("a negative key")}).error_text() == "");
  CHECK(contains(check<int>(counter(), {push(1), expect_failure("a negative key")}).error_text(),
                 "the operator has not failed"));
  CHECK(contains(check<int>(counter(), {push(-1), expect_failure("another text")}).error_text(),
                 "a negative key"));
}

TEST_CASE("records of another type than the operator's are refused", "[check_operator]") {
  CHECK(contains(check<int>(doubling(), {push(1.5)}).error_text(), "another type"));
  CHECK(contains(check<double>(doubling(), {push(1)}).error_text(), "another record type"));
  CHECK(contains(check<int>(doubling(), {push(1, at(0), 1)}).error_text(), "no input 1"));
}

TEST_CASE("a restored operator gets the elements behind the snapshot, once", "[check_operator]") {
  const auto mode = GENERATE(harness_mode::restored, harness_mode::replayed);
  operator_harness h{counter(), mode};
  auto& out = h.open_output<int>();
  for (int i = 0; i < 5; ++i) h.feed([&] { h.push(1, at(i)); });
  h.feed([&] { h.watermark(at(100)); });
  h.deliver();
  CHECK(h.outcome().error_text() == "");
  CHECK(h.restores() == 6);
  CHECK(out.rows().size() == 5);
  CHECK(out.rows().front() == "1005");
}

}  // namespace
}  // namespace weir::testing
