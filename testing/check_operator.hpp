// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/dataflow/output_tag.hpp"
#include "weir/testing/operator_harness.hpp"

namespace weir::testing {

/// A line of the script that an operator under test is put through. A value.
struct script_step {
  enum class step_kind {
    element,      ///< fed, in the way of the mode
    clock,        ///< moves the clock: cannot be done twice
    observation,  ///< looks at the operator, which gets before what waits to be fed
    expectation,  ///< says what it emits
    failure       ///< says with what text it fails
  };

  std::string what;
  step_kind kind = step_kind::element;
  /// `line` names the step in messages.
  std::function<void(operator_harness&, const std::string& line)> run = {};
  /// Before the first step: opens the outputs that the step is about.
  std::function<void(operator_harness&)> prepare = {};
};

using script = std::vector<script_step>;

// -- what is fed
// -----------------------------------------------------------------------------------

template <class T>
script_step push(T record, event_time time = event_time::min(), std::size_t input = 0) {
  std::string what = "push ";
  print_value(what, record);
  return {std::move(what), script_step::step_kind::element,
          [=](operator_harness& h, const std::string&) { h.push(record, time, input); }};
}

/// Batches of the modes that have whole batches carry the hashes of their keys: as behind a
/// channel. `hash` is what `keyed_stream::hasher()` gives. Comes first.
template <class T>
script_step hash_records(std::function<void(dataflow::batch<T>&)> hash, std::size_t input = 0) {
  return {"hash records", script_step::step_kind::observation,
          [=](operator_harness& h, const std::string&) { h.hash_records<T>(hash, input); }};
}

script_step watermark(event_time time, std::size_t input = 0);
script_step idle(std::size_t input = 0);
script_step active(std::size_t input = 0);
/// The end of all inputs, with the watermark that closes them.
script_step end_of_input();
/// The end of one of several inputs.
script_step end_of_input(std::size_t input);
/// A watermark of the job's own comes; that declares it, too.
script_step watermark(const dataflow::long_watermark& which, std::int64_t value,
                      std::size_t input = 0);
script_step watermark(const dataflow::bool_watermark& which, bool value, std::size_t input = 0);
/// Moves the processing clock, which starts at 0, from alarm to alarm.
script_step advance_clock(duration by);
/// A checkpoint is taken, and completed.
script_step checkpoint();
/// A checkpoint is begun, and aborted.
script_step aborted_checkpoint();
/// In every mode: goes on with a new instance, restored from a snapshot.
script_step restore();

// -- what is expected
// ------------------------------------------------------------------------------

/// A row expected to have this event time, too.
template <class R>
struct timed {
  R row;
  event_time time;
};
template <class R>
timed(R, event_time) -> timed<R>;

namespace internal {

template <class R>
struct row_of {
  using type = R;
};
template <class R>
struct row_of<timed<R>> {
  using type = R;
};

template <class R>
output_log::expected_row expected_row_of(const R& row) {
  output_log::expected_row expected;
  print_value(expected.text, row);
  return expected;
}
template <class R>
output_log::expected_row expected_row_of(const timed<R>& row) {
  auto expected = expected_row_of(row.row);
  expected.time = row.time;
  return expected;
}

script_step expect_rows(std::string tag, std::vector<output_log::expected_row> rows,
                        bool any_order);

template <class R>
std::function<void(operator_harness&)> opener(std::string tag) {
  return [tag = std::move(tag)](operator_harness& h) { h.open_output<R>(tag); };
}

}  // namespace internal

/// These rows, in this order, are emitted next. In the modes without whole batches they must have
/// been emitted at this line, or at the last of several that expect. A row may be a `timed`.
template <class... R>
script_step expect(const R&... rows) {
  return internal::expect_rows(operator_harness::main_output, {internal::expected_row_of(rows)...},
                               false);
}

/// These rows are emitted next, in whatever order: those of one firing, for example.
template <class... R>
script_step expect_in_any_order(const R&... rows) {
  return internal::expect_rows(operator_harness::main_output, {internal::expected_row_of(rows)...},
                               true);
}

/// These rows, of type U, are emitted to the second main output next. Without rows: the output is
/// read, and what it gets must be expected by other lines.
template <class U, class... R>
script_step expect_second(const R&... rows) {
  auto step = internal::expect_rows(operator_harness::second_output,
                                    {internal::expected_row_of(rows)...}, false);
  step.prepare = internal::opener<U>(operator_harness::second_output);
  return step;
}

/// These rows are emitted to a side output next. Without rows: the output is read, and what it
/// gets must be expected by other lines.
template <class U, class... R>
script_step expect_side(const output_tag<U>& tag, const R&... rows) {
  auto step =
      internal::expect_rows(std::string{tag.name}, {internal::expected_row_of(rows)...}, false);
  step.prepare = internal::opener<U>(std::string{tag.name});
  return step;
}

/// This control element is emitted next to the main output. With such a line in a script, all
/// control elements must be expected, but for barriers.
script_step expect_watermark(event_time time);
script_step expect_control(dataflow::control c);
script_step expect_watermark(const dataflow::long_watermark& which, std::int64_t value);
script_step expect_watermark(const dataflow::bool_watermark& which, bool value);

/// So many timers are with the timer service at this line, in every mode.
script_step expect_timers(std::size_t count);

/// The lines so far make the operator fail, with an error whose text contains `part`. The last.
script_step expect_failure(std::string part);

/// Looks at the operator at this line, in every mode. A text that is not empty is a failure.
script_step inspect(std::string what, std::function<std::string(operator_harness&)> look);

// -- running
// ---------------------------------------------------------------------------------------

struct check_options {
  std::vector<harness_mode> modes = {harness_mode::one_by_one, harness_mode::all_at_once,
                                     harness_mode::refusing_output, harness_mode::restored,
                                     harness_mode::replayed};
  clock_time start{0};
  std::size_t rows_per_call = 16;  ///< `operator_harness::rows_per_call`
  /// The job's own watermarks, beyond those that the script or, with `check_stream`, the function
  /// names.
  std::vector<dataflow::watermark_declaration> watermarks = {};
};

/// Runs the script in every mode. `prepare` opens the main output.
status run_script(const operator_harness::factory& make, const script& lines,
                  const check_options& options,
                  const std::function<void(operator_harness&)>& prepare);

/// Puts an operator that emits records of type R, or with `void` nothing, through a script in
/// every mode: `CHECK(check<int>(make, {push(1), expect(2)}).error_text() == "")`. `make` gives a
/// `std::unique_ptr` to a new operator at each call.
/// Errors: invalid_argument naming the mode and the line that the operator does not pass.
template <class R, class Make>
status check(Make make, const script& lines, const check_options& options = {}) {
  const auto prepare = [](operator_harness& h) {
    if constexpr (!std::is_void_v<R>) h.open_output<R>();
  };
  return run_script(operator_harness::factory{std::move(make)}, lines, options, prepare);
}

}  // namespace weir::testing
