// SPDX-License-Identifier: Apache-2.0
#include "weir/testing/check_operator.hpp"

namespace weir::testing {

using kind = script_step::step_kind;

script_step watermark(event_time time, std::size_t input) {
  return {describe(dataflow::control::watermark(time)), kind::element,
          [=](operator_harness& h, const std::string&) { h.watermark(time, input); }};
}

script_step idle(std::size_t input) {
  return {"idle", kind::element, [=](operator_harness& h, const std::string&) { h.idle(input); }};
}

script_step active(std::size_t input) {
  return {"active", kind::element,
          [=](operator_harness& h, const std::string&) { h.active(input); }};
}

script_step end_of_input() {
  return {"end of input", kind::element,
          [](operator_harness& h, const std::string&) { h.end_of_input(); }};
}

script_step end_of_input(std::size_t input) {
  return {"end of input " + std::to_string(input), kind::element,
          [=](operator_harness& h, const std::string&) { h.end_of_input(input); }};
}

namespace {

using declaration = dataflow::watermark_declaration;

std::string told(const declaration& which, std::int64_t value) {
  return "watermark \"" + which.identifier + "\" = " + std::to_string(value);
}

script_step custom_step(const declaration& which, std::int64_t value, std::size_t input) {
  return {told(which, value), kind::element,
          [=](operator_harness& h, const std::string&) { h.custom_watermark(which, value, input); },
          [=](operator_harness& h) { h.declare({which}); }};
}

script_step expect_custom_step(const declaration& which, std::int64_t value) {
  return {"expect " + told(which, value), kind::expectation,
          [=](operator_harness& h, const std::string& line) {
            h.output().expect(line, h.custom_control(which, value));
          },
          [=](operator_harness& h) { h.declare({which}); }};
}

}  // namespace

script_step watermark(const dataflow::long_watermark& which, std::int64_t value,
                      std::size_t input) {
  return custom_step(which, value, input);
}
script_step watermark(const dataflow::bool_watermark& which, bool value, std::size_t input) {
  return custom_step(which, value ? 1 : 0, input);
}

script_step expect_watermark(const dataflow::long_watermark& which, std::int64_t value) {
  return expect_custom_step(which, value);
}
script_step expect_watermark(const dataflow::bool_watermark& which, bool value) {
  return expect_custom_step(which, value ? 1 : 0);
}

script_step advance_clock(duration by) {
  return {"clock + " + std::to_string(by.count()), kind::clock,
          [=](operator_harness& h, const std::string&) { h.advance_clock(by); }};
}

script_step checkpoint() {
  return {"checkpoint", kind::observation,
          [](operator_harness& h, const std::string&) { h.checkpoint(); }};
}

script_step aborted_checkpoint() {
  return {"aborted checkpoint", kind::observation,
          [](operator_harness& h, const std::string&) { h.aborted_checkpoint(); }};
}

script_step restore() {
  return {"restore", kind::observation,
          [](operator_harness& h, const std::string&) { h.restore(); }};
}

script_step internal::expect_rows(std::string tag, std::vector<output_log::expected_row> rows,
                                  bool any_order) {
  script_step step{"expect", kind::expectation};
  step.run = [tag = std::move(tag), rows = std::move(rows), any_order](operator_harness& h,
                                                                       const std::string& line) {
    if (!h.has_output(tag)) return h.fail("no record type is given for the operator's output");
    h.output(tag).expect({line, rows, any_order});
  };
  return step;
}

script_step expect_watermark(event_time time) {
  return expect_control(dataflow::control::watermark(time));
}

script_step expect_control(dataflow::control c) {
  script_step step{"expect " + describe(c), kind::expectation};
  step.run = [=](operator_harness& h, const std::string& line) {
    if (!h.has_output(operator_harness::main_output)) {
      return h.fail("no record type is given for the operator's output");
    }
    h.output().expect(line, c);
  };
  return step;
}

script_step expect_timers(std::size_t count) {
  return inspect("expect timers", [=](operator_harness& h) -> std::string {
    if (h.timers() == count) return {};
    return "there are " + std::to_string(h.timers()) + " timers, not " + std::to_string(count);
  });
}

script_step expect_failure(std::string part) { return {std::move(part), kind::failure}; }

script_step inspect(std::string what, std::function<std::string(operator_harness&)> look) {
  return {std::move(what), kind::observation,
          [look = std::move(look)](operator_harness& h, const std::string&) {
            if (auto text = look(h); !text.empty()) h.fail(std::move(text));
          }};
}

namespace {

void run_line(operator_harness& h, const script_step& step, const std::string& line) {
  switch (step.kind) {
    case kind::element: return h.feed([&] { step.run(h, line); });
    case kind::clock: return h.feed([&] { step.run(h, line); }, false);
    case kind::observation:
      h.deliver();
      if (h.outcome()) step.run(h, line);
      return;
    case kind::expectation: return step.run(h, line);
    case kind::failure: break;
  }
  h.deliver();
  if (h.outcome()) h.fail("the operator has not failed");
}

/// Compares what came with what the lines so far expect.
void compare(operator_harness& h) {
  h.deliver();
  if (!h.outcome()) return;
  if (auto text = h.complaint(); !text.empty()) h.fail(std::move(text));
}

/// The failure that the script expects is none.
status judge(const operator_harness& h, const script& lines, const std::string& line) {
  const auto text = h.outcome().error_text();
  for (const auto& step : lines) {
    if (step.kind == kind::failure && text.find(step.what) != std::string::npos) return {};
  }
  auto failure = h.outcome().failure();
  if (text.find(line) == std::string::npos) failure = std::move(failure).within(line);
  return std::move(failure).within("mode " + std::string{to_string(h.mode())});
}

status run_mode(const operator_harness::factory& make, const script& lines,
                const check_options& options, const std::function<void(operator_harness&)>& prepare,
                harness_mode mode) {
  operator_harness h{make, mode, options.start};
  h.rows_per_call(options.rows_per_call);
  h.declare(options.watermarks);
  prepare(h);
  for (const auto& step : lines) {
    if (step.prepare) step.prepare(h);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = "line " + std::to_string(i + 1) + " (" + lines[i].what + ")";
    run_line(h, lines[i], line);
    const bool last_expectation = lines[i].kind == kind::expectation &&
                                  (i + 1 == lines.size() || lines[i + 1].kind != kind::expectation);
    if (last_expectation && h.one_record_a_batch()) compare(h);
    if (!h.outcome()) return judge(h, lines, line);
  }
  compare(h);
  h.close();
  return h.outcome() ? status{} : judge(h, lines, "end");
}

}  // namespace

status run_script(const operator_harness::factory& make, const script& lines,
                  const check_options& options,
                  const std::function<void(operator_harness&)>& prepare) {
  for (const auto mode : options.modes) {
    if (auto done = run_mode(make, lines, options, prepare, mode); !done) return done;
  }
  return {};
}

}  // namespace weir::testing
