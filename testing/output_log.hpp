// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/print.hpp"
#include "weir/dataflow/one_input_operator.hpp"

namespace weir::testing {

/// What an operator under test has emitted to one output, and what it should have emitted. Records
/// are kept and compared as `print_value` writes them. Owned by an `operator_harness`.
class output_log {
 public:
  struct expected_row {
    std::string text;
    std::optional<event_time> time;  ///< none: any
  };

  /// Rows that come in a row; in this order, or in any.
  struct expected_rows {
    std::string step;  ///< which step of the script says so
    std::vector<expected_row> rows;
    bool any_order = false;
  };

  explicit output_log(dataflow::type_tag type) : type_{type} {}

  dataflow::type_tag type() const { return type_; }

  void add_row(std::string text, event_time time) { entries_.push_back({std::move(text), time}); }
  /// Barriers are not kept. Notes a watermark that does not grow, and what follows the end.
  void add_control(dataflow::control c);

  void expect(expected_rows rows) { expected_.push_back({std::move(rows), std::nullopt}); }
  /// Once a control element is expected, all must be, but for barriers.
  void expect(std::string step, dataflow::control c) {
    expected_.push_back({{std::move(step), {}, false}, c});
  }

  /// How what was emitted so far differs from what is expected so far; empty if it does not.
  std::string complaint() const;

  /// The rows emitted so far.
  std::vector<std::string> rows() const;
  /// The control elements emitted so far, but for barriers.
  const std::vector<dataflow::control>& controls() const { return controls_; }

  std::size_t size() const { return entries_.size(); }
  /// Forgets what came behind the first `size` elements.
  void truncate(std::size_t size);

 private:
  struct entry {
    std::string text;
    event_time time = event_time::min();
    std::optional<dataflow::control> signal = std::nullopt;
  };
  struct expectation {
    expected_rows rows;
    std::optional<dataflow::control> signal;
  };

  using entries = std::vector<entry>;
  static std::string compare(const expectation& expected, entries::const_iterator first,
                             entries::const_iterator last);

  dataflow::type_tag type_;
  entries entries_;
  std::vector<dataflow::control> controls_;
  std::vector<expectation> expected_;
  std::string broken_rule_;
};

/// "watermark 9", "barrier 1", "end of input".
std::string describe(dataflow::control c);

/// Whether the outputs of an operator under test are taken.
struct output_gate {
  bool refusing = false;
  bool open = false;  ///< while refusing: for one element
};

/// Stands behind an output of an operator under test, and writes down what comes.
template <class R>
class output_reader final : public dataflow::one_input_operator<R> {
 public:
  output_reader(output_log& log, output_gate& gate) : log_{&log}, gate_{&gate} {
    if (gate.refusing) this->in().set_capacity(1);
  }

  bool has_work() const override {
    return !this->in().empty() && (!gate_->refusing || gate_->open);
  }

 private:
  status on_batch() override {
    gate_->open = false;
    const auto data = this->in().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) {
      std::string text;
      print_value(text, data->values()[i]);
      log_->add_row(std::move(text), data->times()[i]);
    }
    return {};
  }

  using handled = typename dataflow::one_input_operator<R>::handled;

  result<handled> on_control(dataflow::control c) override {
    gate_->open = false;
    log_->add_control(c);
    return handled::pass_on;
  }

  output_log* log_;
  output_gate* gate_;
};

}  // namespace weir::testing
