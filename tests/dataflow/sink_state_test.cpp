// SPDX-License-Identifier: Apache-2.0
// Sinks whose writers have state.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weir/dataflow/sink_operator.hpp"
#include "weir/state/state.hpp"
#include "weir/testing/check_operator.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using namespace weir::testing;

/// A table that takes a batch of rows under a name, once.
using table = std::map<std::string, std::vector<int>>;

/// Writes rows four at a time; what is left is state. With `TwoPhase` a group becomes visible with
/// the checkpoint that holds it.
template <bool TwoPhase>
struct grouping_sink {
  using value_type = int;

  struct writer {
    std::shared_ptr<table> to;
    state::operator_list_state<int> kept{"kept"};
    auto uses_states() { return states(kept); }
    std::vector<int> buffer = {};
    committables groups = {};
    int told = 0;

    void initialize_state(initialization_context& context) {
      if (!context.is_restored() && !kept.empty()) throw std::logic_error{"state from nowhere"};
      for (const int row : kept.get()) buffer.push_back(row);
    }
    result<sink_readiness> write(const batch<int>& data) {
      for (std::size_t i = 0; i < data.rows(); ++i) add(data.values()[i]);
      return sink_readiness::ready;
    }
    void add(int row) {
      buffer.push_back(row);
      if (buffer.size() < 4) return;
      if (TwoPhase) {
        groups.push_back(encode(std::exchange(buffer, {})));
      } else {
        put(std::exchange(buffer, {}));
      }
    }
    void put(std::vector<int> rows) {
      const auto name = std::to_string(rows.front());
      (*to)[name] = std::move(rows);
    }
    sink_readiness ready() const { return sink_readiness::ready; }
    void snapshot_state(function_snapshot_context&) { kept.update(buffer); }

    std::function<result<committables>()> prepare_commit(checkpoint_id)
      requires(TwoPhase)
    {
      return [groups = std::exchange(groups, {})] { return result<committables>{groups}; };
    }
    std::function<status()> commit(committables prepared)
      requires(TwoPhase)
    {
      return [this, prepared = std::move(prepared)] {
        for (const auto& group : prepared) put(*decode<std::vector<int>>(group));
        return status{};
      };
    }
  };

  result<writer> make_writer(const operator_environment&) const { return writer{to}; }

  std::shared_ptr<table> to = std::make_shared<table>();
};

template <class Sink>
auto writing(const Sink& definition) {
  return [definition] { return std::make_unique<sink_operator<Sink>>(definition); };
}

script_step rows_are(const std::shared_ptr<table>& to, const table& expected) {
  return inspect("rows", [to, expected](operator_harness&) -> std::string {
    return *to == expected ? "" : "other rows than expected";
  });
}

/// Each mode begins with an empty table.
script_step empty(const std::shared_ptr<table>& to) {
  return inspect("empty", [to](operator_harness&) -> std::string {
    to->clear();
    return {};
  });
}

TEST_CASE("a sink that buffers keeps what it has not written, across checkpoints and restores",
          "[sink_operator]") {
  const grouping_sink<false> sink;
  const table one{{"1", {1, 2, 3, 4}}};
  const table two{{"1", {1, 2, 3, 4}}, {"5", {5, 6, 7, 8}}};
  const script lines = {empty(sink.to), push(1), push(2),
                        checkpoint(),   push(3), push(4),
                        push(5),        push(6), rows_are(sink.to, one),
                        restore(),      push(7), aborted_checkpoint(),
                        push(8),        push(9), rows_are(sink.to, two),
                        end_of_input()};
  CHECK(check<void>(writing(sink), lines).error_text() == "");
}

TEST_CASE("a two-phase sink with state shows each group once, with its checkpoint",
          "[sink_operator]") {
  const grouping_sink<true> sink;
  const table one{{"1", {1, 2, 3, 4}}};
  const table two{{"1", {1, 2, 3, 4}}, {"5", {5, 6, 7, 8}}};
  check_options options;
  options.modes = {harness_mode::one_by_one, harness_mode::all_at_once,
                   harness_mode::refusing_output};
  const script lines = {empty(sink.to),
                        push(1),
                        push(2),
                        push(3),
                        push(4),
                        push(5),
                        push(6),
                        rows_are(sink.to, {}),
                        checkpoint(),
                        rows_are(sink.to, one),
                        push(7),
                        push(8),
                        push(9),
                        aborted_checkpoint(),
                        rows_are(sink.to, one),
                        restore(),
                        rows_are(sink.to, two),
                        push(10),
                        end_of_input(),
                        checkpoint(),
                        rows_are(sink.to, two)};
  CHECK(check<void>(writing(sink), lines, options).error_text() == "");
  // In the modes that restore after each element, the groups become visible at once.
  options.modes = {harness_mode::restored, harness_mode::replayed};
  const script restoring = {empty(sink.to),
                            push(1),
                            push(2),
                            push(3),
                            rows_are(sink.to, {}),
                            push(4),
                            push(5),
                            rows_are(sink.to, one),
                            push(6),
                            push(7),
                            push(8),
                            push(9),
                            rows_are(sink.to, two),
                            end_of_input()};
  CHECK(check<void>(writing(sink), restoring, options).error_text() == "");
}

}  // namespace
}  // namespace weir::dataflow
