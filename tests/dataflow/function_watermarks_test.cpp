// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/core/memory_file_system.hpp"
#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/connected_streams.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"
#include "weir/testing/check_stream.hpp"

#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

const long_watermark level{.identifier = "level", .combine = combine_long::max};
const bool_watermark closed{"closed"};
const bool_watermark for_one_hop{.identifier = "one hop", .handling = watermark_handling::ignore};

/// Emits a watermark behind each record that is a multiple of ten.
struct measures {
  auto declare_watermarks() { return watermarks(level, closed); }

  void process_record(const int& n, collector<int>& out, partitioned_context& context) {
    out.collect(n);
    if (n % 10 == 0) {
      context.non_partitioned().watermark_manager().emit_watermark(level, n);
      out.collect(n + 1);
    }
  }
  void end_input(collector<int>&, non_partitioned_context& context) {
    context.watermark_manager().emit_watermark(closed, true);
  }
};

TEST_CASE("a function emits watermarks in order with its records", "[function_watermarks]") {
  CHECK(check_stream<int>([](auto in) { return in.process(measures{}); },
                          {push(1), push(20), push(3), expect(1, 20), expect_watermark(level, 20),
                           expect(21, 3), watermark(at(5)), expect_watermark(at(5)), end_of_input(),
                           expect_watermark(event_time::max()), expect_watermark(closed, true),
                           expect_control(dataflow::control::end_of_input())})
            .error_text() == "");
}

/// Takes the levels above 100, and tells of all that it hears.
struct listens {
  void process_record(const int&, collector<std::string>&) {}
  watermark_result on_watermark(const custom_watermark& w, collector<std::string>& out,
                                non_partitioned_context& context) {
    const auto value = w.value_of(level);
    out.collect(w.identifier() + (value ? ' ' + std::to_string(*value) : ""));
    if (!value || *value <= 100) return watermark_result::peek;
    context.watermark_manager().emit_watermark(level, 100);
    return watermark_result::poll;
  }
};

TEST_CASE("a watermark that a function takes does not go on, and one that it leaves does",
          "[function_watermarks]") {
  CHECK(check_stream<int>(
            [](auto in) { return in.process(listens{}); },
            {watermark(level, 7), expect(std::string{"level 7"}), expect_watermark(level, 7),
             watermark(level, 300), expect(std::string{"level 300"}), expect_watermark(level, 100),
             watermark(closed, true), expect(std::string{"closed"}), expect_watermark(closed, true),
             watermark(for_one_hop, true), expect(std::string{"one hop"}), watermark(at(1)),
             expect_watermark(at(1))})
            .error_text() == "");
}

TEST_CASE("an operator without a function sends every watermark on", "[function_watermarks]") {
  CHECK(check_stream<int>([](auto in) { return in.map([](int n) { return n; }); },
                          {watermark(for_one_hop, true), expect_watermark(for_one_hop, true),
                           push(1), expect(1), watermark(level, -1), expect_watermark(level, -1)})
            .error_text() == "");
}

/// Counts from 1 on, and emits a level behind each third number.
struct counting_source {
  using value_type = int;
  using split_type = int;
  using position_type = int;

  struct reader {
    int next = 1;
    int last = 0;

    status open(const int& split, const int& read) {
      next = read + 1;
      last = split;
      return {};
    }
    result<poll_outcome> poll(collector<int>& out, std::size_t most, watermark_manager& marks) {
      for (; next <= last && most > 0; --most, ++next) {
        out.collect(next, event_time::min());
        if (next % 3 == 0) marks.emit_watermark(level, next);
      }
      return next > last ? poll_outcome::split_done : poll_outcome::produced;
    }
    int position() const { return next - 1; }
  };

  auto declare_watermarks() const { return watermarks(level); }
  result<std::vector<int>> splits(file_system&) const { return std::vector<int>{4}; }
  reader make_reader(file_system&) const { return {}; }
};

TEST_CASE("a source emits watermarks in order with its records", "[function_watermarks]") {
  dataflow::environment env{"job"};
  const auto numbers = env.from_source(counting_source{});
  REQUIRE(env.job().build(1));
  REQUIRE(env.job().watermarks()->find("level") == 0u);
  std::vector<std::string> seen;
  const bool open = true;
  dataflow::chain chain;
  chain.add(env.job().at(numbers.origin().node).make());
  chain.add(std::make_unique<recorder<int>>(seen, open));
  REQUIRE(chain.connect(0, 0, 1));
  chain.seal([](dataflow::operator_base&, checkpoint_id) {});
  memory_file_system files;
  dataflow::operator_environment environment;
  environment.files = &files;
  environment.watermarks = env.job().watermarks();
  REQUIRE(chain.at(0).open(environment));
  REQUIRE(chain.at(0).start());
  REQUIRE(chain.head().as_source()->add_split({0, encode(4), ""}));
  chain.head().as_source()->no_more_splits();
  REQUIRE(chain.run(100));
  CHECK(seen == std::vector<std::string>{"1", "2", "3", "custom 0 = 3", "4", "watermark max",
                                         "end of input"});
}

struct emits_what_it_does_not_declare {
  void process_record(const int&, collector<int>&, partitioned_context& context) {
    context.non_partitioned().watermark_manager().emit_watermark(level, 1);
  }
};

TEST_CASE("a function cannot emit a watermark that no function of the job declares",
          "[function_watermarks]") {
  CHECK(check_stream<int>([](auto in) { return in.process(emits_what_it_does_not_declare{}); },
                          {push(1), expect_failure("there is no watermark \"level\" in this job")})
            .error_text() == "");
}

/// Counts the records of both sides, and tells the counts at their ends.
struct counting {
  operator_list_state<std::int64_t> seen{"seen"};
  auto uses_states() { return weir::states(seen); }

  void process_first(const int&, collector<std::string>&) { seen.add(1); }
  void process_second(const std::string&, collector<std::string>&) { seen.add(100); }
  void end_first_input(collector<std::string>& out, non_partitioned_context&) {
    out.collect("first " + sum());
    seen.add(1'000);
  }
  void end_second_input(collector<std::string>& out, non_partitioned_context&) {
    out.collect("second " + sum());
  }

  std::string sum() {
    std::int64_t total = 0;
    for (const auto n : seen.get()) total += n;
    return std::to_string(total);
  }
};

const auto counted = [](auto numbers, auto texts) {
  return numbers.connect(texts).process(counting{});
};

TEST_CASE("a function is told of the end of each input once, though the job starts again",
          "[function_watermarks]") {
  CHECK(
      check_streams<int, std::string>(
          counted, {push(1), push(std::string{"a"}, event_time::min(), 1), end_of_input(0),
                    expect(std::string{"first 101"}), push(std::string{"b"}, event_time::min(), 1),
                    restore(), push(std::string{"c"}, event_time::min(), 1), end_of_input(1),
                    expect(std::string{"second 1301"})})
          .error_text() == "");
}

TEST_CASE("the watermark of an operator with two inputs is that of both in every mode",
          "[function_watermarks]") {
  CHECK(
      check_streams<int, std::string>(counted, {watermark(at(9)),
                                                watermark(at(5), 1),
                                                expect_watermark(at(5)),
                                                watermark(at(7), 1),
                                                expect_watermark(at(7)),
                                                idle(1),
                                                expect_watermark(at(9)),
                                                watermark(level, 1, 1),
                                                expect_watermark(level, 1),
                                                watermark(level, 1, 0),
                                                expect_watermark(level, 1),
                                                watermark(at(11)),
                                                expect_watermark(at(11)),
                                                end_of_input(0),
                                                expect_control(dataflow::control::idle()),
                                                expect(std::string{"first 0"}),
                                                end_of_input(1),
                                                expect_control(dataflow::control::active()),
                                                expect_watermark(event_time::max()),
                                                expect(std::string{"second 1000"}),
                                                expect_control(dataflow::control::end_of_input())})
          .error_text() == "");
}

}  // namespace
}  // namespace weir::testing
