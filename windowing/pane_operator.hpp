// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/dataflow/one_input_operator.hpp"
#include "weir/windowing/keyed_cursor.hpp"
#include "weir/windowing/late_records.hpp"
#include "weir/windowing/pane_set.hpp"
#include "weir/windowing/trigger_result.hpp"
#include "weir/windowing/window_assigner.hpp"
#include "weir/windowing/window_function.hpp"
#include "weir/windowing/window_functions.hpp"

namespace weir::windowing {

/// What the operators have in common that add up each record in one pane: how records come to the
/// rows of their keys, and what becomes of those that are late. A derived class says which pane it
/// is, and when something is emitted.
///
/// Definition is a `window_definition`, Time a `window_watermark` or a class derived from it.
template <class Definition, class Time>
class pane_operator : public dataflow::one_input_operator<typename Definition::stream::value_type> {
 public:
  using stream = typename Definition::stream;
  using contents = typename Definition::contents_type;
  using key = typename stream::key_type;
  using record = typename stream::value_type;
  using output = dataflow::output_of<typename Definition::function_type>;
  using definition = Definition;

  static status check(const definition&) { return {}; }
  static std::vector<state::state_declaration> states(const definition&) {
    return {declaration_of<contents>()};
  }

  status open(const dataflow::operator_environment& environment) override {
    if (auto done = dataflow::operator_base::open(environment); !done) return done;
    panes_.open(environment.groups, environment.max_parallelism);
    time_.open(environment);
    late_.open(environment);
    warn_once(definition_.assigner, environment);
    return {};
  }

  std::optional<event_time> restored_watermark() const override { return time_.restored(); }

  bool snapshot_running() const override { return panes_.snapshot_running(); }
  void sweep_snapshot(std::size_t slots) override { panes_.sweep(slots); }
  void abort_snapshot() override { panes_.abort_snapshot(); }

 protected:
  using panes = pane_set<key, typename contents::accumulator>;
  using pane = typename panes::pane;
  using typename dataflow::one_input_operator<record>::handled;

  /// Where the records of the times [first, first + width) go to.
  struct destination {
    pane* in = nullptr;  ///< null: nowhere, the record is late or has no time
    std::uint64_t first = 0;
    std::uint64_t width = 0;
    trigger_result answer = trigger_result::continue_;  ///< what is wanted for each of them

    bool takes(event_time t) const { return static_cast<std::uint64_t>(t.ms) - first < width; }
  };

  explicit pane_operator(definition d) : definition_{std::move(d)}, time_{make_time()} {
    this->add_output(out_);
  }

  void write_snapshot(state::snapshot_stream& out) {
    time_.write(out);
    panes_.begin_snapshot(out);
  }

  /// The destination of the records in `in`.
  destination destination_in(pane& in, trigger_result answer) const {
    // The next records get the same answer, unless their key groups differ.
    if (time_.has_floors()) return {&in, 0, 0, answer};
    const auto start = std::max(in.window.start, event_time::min() + duration{1});
    const auto first = static_cast<std::uint64_t>(start.ms);
    return {&in, first, static_cast<std::uint64_t>(in.window.end.ms) - first, answer};
  }

  /// Adds the record in hand.
  std::byte* add_record(pane& in) {
    const record& r = cursor_.record_in_hand();
    std::byte* const row =
        in.rows.find_or_insert(std::invoke(definition_.select, r), cursor_.hash());
    definition_.contents.add(r, row);
    return row;
  }

  void emit(const key& of, const time_window& window, const typename contents::accumulator& value) {
    out_.set_time(window.max_time());
    call_window_function(definition_.function, of, window, definition_.contents.result(value),
                         out_);
  }

  definition definition_;
  Time time_;
  panes panes_{declaration_of<contents>()};
  dataflow::collector<output> out_;
  keyed_cursor<stream> cursor_;

 private:
  /// Where a record goes to that has come at `t`; opens the pane.
  virtual destination destination_of(event_time t, std::uint64_t hash) = 0;
  /// Adds the record in hand, or goes on with it, and does what is wanted. False: there is no room
  /// for more; the position tells whether it is done with.
  virtual bool add_and_answer(const destination& to) = 0;
  /// Whether a record without a destination is no concern of anybody's.
  virtual bool is_left_out(event_time, std::uint64_t) const { return false; }

  Time make_time() const {
    if constexpr (std::is_constructible_v<Time, duration>)
      return Time{definition_.allowed_lateness};
    else
      return {};
  }

  status on_batch() override {
    panes_.tidy_up();
    if (definition_.assigner.needs_start())
      start_assigner(definition_.assigner, this->environment());
    cursor_.work_on(*this->in().front().data, definition_.select);
    if (auto done = add_records(); !done) return done;
    if (cursor_.finished()) this->in().pop_data();
    return {};
  }

  status add_records() {
    // Records out of order mostly go to and fro between two panes.
    destination to, before;
    while (cursor_.position < cursor_.rows()) {
      const event_time t = cursor_.time();
      if (!to.takes(t)) {
        std::swap(to, before);
        if (!to.takes(t)) to = destination_of(t, cursor_.hash());
      }
      if (to.in == nullptr) {
        if (t == event_time::min()) return no_timestamp();
        if (!is_left_out(t, cursor_.hash())) late_.refuse(*this, cursor_.record_in_hand(), t);
        ++cursor_.position;
        if (!this->outputs_have_room()) break;
      } else if (to.answer == trigger_result::continue_) {
        add_run(to);
      } else if (!add_and_answer(to)) {
        break;
      }
    }
    return {};
  }

  /// Adds the record in hand, and those that follow it to the same place.
  [[gnu::flatten]] void add_run(const destination to) {
    // Copies that no store can change.
    using select = typename stream::select_type;
    const std::conditional_t<std::is_trivially_copyable_v<select>, select, const select&> key_of =
        definition_.select;
    auto finder = to.in->rows.make_finder();
    const record* const records = cursor_.records();
    const event_time* const times = cursor_.times();
    const std::uint64_t* const hashes = cursor_.hashes();
    const std::size_t rows = cursor_.rows();
    local_count i{cursor_.position};
    for (std::size_t j = 0; i.value == 0 && j < std::min(rows, prefetch_ahead); ++j)
      finder.prefetch(hashes[j]);
    do {
      if (i.value + prefetch_ahead < rows) finder.prefetch(hashes[i.value + prefetch_ahead]);
      const record& r = records[i.value];
      definition_.contents.add(r, finder.find_or_insert(std::invoke(key_of, r), hashes[i.value]));
      ++i.value;
    } while (i.value < rows && to.takes(times[i.value]));
  }

  late_records<record> late_{definition_.late_output};
};

}  // namespace weir::windowing
