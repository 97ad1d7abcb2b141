// SPDX-License-Identifier: Apache-2.0
#include "weir/testing/check_stream.hpp"

#include <cstdint>
#include <string>

#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/state/value_state_with_default.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

struct reading {
  std::string sensor;
  std::int64_t value = 0;
};

struct average {
  std::string sensor;
  std::int64_t mean = 0;
};

struct totals {
  std::int64_t count = 0;
  std::int64_t sum = 0;
};

/// The mean of every two readings of a sensor; what is left alone is dropped after 10 ms.
struct mean_of_two {
  state::value_state_with_default<totals> sum{"sum", totals{}};
  auto uses_states() { return state::states(sum); }

  void process_record(const reading& in, collector<average>& out,
                      dataflow::keyed_context<std::string>& context) {
    const totals now = sum.edit([&](totals& t) {
      ++t.count;
      t.sum += in.value;
      return t;
    });
    if (now.count == 1) {
      context.timers().register_timer(context.timestamp() + duration{10});
      return;
    }
    out.collect({in.sensor, now.sum / now.count});
    sum.clear();
  }

  void on_event_timer(event_time, collector<average>& out,
                      dataflow::keyed_context<std::string>& context) {
    const totals left = sum.value();
    if (left.count == 0) return;
    out.collect({context.current_key(), -1});
    sum.clear();
  }
};

const auto means = [](const auto& in) {
  return in.key_by(&reading::sensor).process(mean_of_two{});
};

TEST_CASE("a keyed function with state and timers passes every mode", "[check_stream]") {
  CHECK(check_stream<reading>(
            means,
            {push(reading{"a", 3}, at(1)), push(reading{"b", 9}, at(2)),
             push(reading{"a", 5}, at(3)), expect(timed{average{"a", 4}, at(3)}), expect_timers(2),
             watermark(at(11)), push(reading{"c", 1}, at(12)), watermark(at(12)),
             expect(timed{average{"b", -1}, at(12)}), push(reading{"b", 1}, at(13)),
             push(reading{"b", 3}, at(13)), expect(average{"b", 2}), end_of_input(),
             expect(timed{average{"c", -1}, at(22)}), expect_timers(0)})
            .error_text() == "");
}

TEST_CASE("the same with hashes from a channel", "[check_stream]") {
  dataflow::environment env{"job"};
  const auto hash = env.from_collection(std::vector<reading>{}).key_by(&reading::sensor).hasher();
  CHECK(check_stream<reading>(means, {hash_records<reading>(hash), push(reading{"a", 3}, at(1)),
                                      push(reading{"a", 5}, at(1)), expect(average{"a", 4})})
            .error_text() == "");
}

TEST_CASE("sinks are checked, too", "[check_stream]") {
  CHECK(check_stream<int>(
            [](const auto& in) { return in.sink_to(dataflow::collect_sink<int>{"rows"}); },
            {push(1), checkpoint(), push(2), end_of_input()})
            .error_text() == "");
}

TEST_CASE("more than one operator is refused", "[check_stream]") {
  const auto two = [](const auto& in) {
    const auto same = [](const int& x) { return x; };
    return in.map(same).map(same);
  };
  CHECK_FALSE(check_stream<int>(two, {push(1), expect(1)}).ok());
}

}  // namespace
}  // namespace weir::testing
