// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/sink_operator.hpp"

#include <algorithm>
#include <vector>

#include "weir/core/log.hpp"
#include "weir/core/memory_file_system.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/testing/operator_harness.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

/// A subtask's side of a snapshot, with its works still to be run.
class snapshot final : public snapshot_context, public state::snapshot_stream {
 public:
  explicit snapshot(checkpoint_id id) : id_{id} {}

  checkpoint_id id() const override { return id_; }
  state::snapshot_stream& stream() override { return *this; }
  void defer(snapshot_work work) override { works_.push_back(std::move(work)); }
  void put(state::snapshot_chunk chunk) override { chunks_.push_back(std::move(chunk)); }

  /// Runs the works; all chunks.
  std::vector<state::snapshot_chunk> finish() {
    for (auto& work : works_) {
      auto chunks = work();
      REQUIRE(chunks.ok());
      chunks_.insert(chunks_.end(), chunks->begin(), chunks->end());
    }
    return chunks_;
  }

 private:
  checkpoint_id id_;
  std::vector<snapshot_work> works_;
  std::vector<state::snapshot_chunk> chunks_;
};

using collecting_operator = sink_operator<collect_sink<int>>;

/// The operator in its place: in the first subtask of one.
struct placed_operator {
  memory_file_system files;
  collecting_operator op;

  placed_operator(collect_sink<int> sink, std::uint32_t attempt) : op{std::move(sink)} {
    operator_environment environment;
    environment.job = "test";
    environment.current = {epoch_id{1}, attempt_id{attempt}};
    environment.files = &files;
    environment.log = &null_log_sink();
    REQUIRE(op.open(environment).ok());
  }

  void write(int row) {
    auto data = batch<int>::make(1);
    data->append(row, event_time::min());
    op.input(0).push_erased(erased_batch{data.release()});
    REQUIRE(op.has_work());
    REQUIRE(op.step().ok());
  }
  std::vector<state::snapshot_chunk> take_snapshot(std::uint64_t id) {
    snapshot taken{{id}};
    op.begin_snapshot(taken);
    return taken.finish();
  }
};

TEST_CASE("a crash between a checkpoint's completion and its commit loses no rows",
          "[sink_operator]") {
  const collect_sink<int> out{"rows"};
  placed_operator before{out, 1};
  before.write(1);
  before.take_snapshot(1);
  const auto commit = before.op.on_checkpoint_complete({1});
  REQUIRE(commit);
  // The commit waits for its turn while the next checkpoint is taken and becomes complete.
  before.write(2);
  const auto second = before.take_snapshot(2);

  placed_operator after{out, 2};
  REQUIRE(after.op.restore(second).ok());
  const auto again = after.op.on_checkpoint_complete({2});
  REQUIRE(again);
  REQUIRE(again().ok());
  CHECK(out.rows() == std::vector<int>{1, 2});
  CHECK(commit().ok());  // late, and in vain
  CHECK(out.rows() == std::vector<int>{1, 2});
}

TEST_CASE("a snapshot does not name what is known to be committed", "[sink_operator]") {
  const collect_sink<int> out{"rows"};
  placed_operator placed{out, 1};
  placed.write(1);
  CHECK(prepared_commits::read_all(placed.take_snapshot(1)).value().size() == 1);
  REQUIRE(placed.op.on_checkpoint_complete({1})().ok());
  placed.op.on_committed({1});
  CHECK(prepared_commits::read_all(placed.take_snapshot(2)).value().empty());
  CHECK_FALSE(placed.op.on_checkpoint_complete({2}));
}

TEST_CASE("a two-phase sink shows each row once, at its checkpoint, in every mode",
          "[sink_operator]") {
  const auto mode = GENERATE(testing::harness_mode::one_by_one, testing::harness_mode::all_at_once,
                             testing::harness_mode::restored);
  CAPTURE(to_string(mode));
  const collect_sink<int> out{"rows"};
  testing::operator_harness harness{[out] { return std::make_unique<collecting_operator>(out); },
                                    mode};
  for (int row = 0; row < 10; ++row) harness.feed([&] { harness.push(row); });
  harness.deliver();
  CHECK(out.rows().size() == (mode == testing::harness_mode::restored ? 10 : 0));
  harness.checkpoint();
  REQUIRE(harness.outcome().ok());
  auto rows = out.rows();
  std::sort(rows.begin(), rows.end());
  CHECK(rows == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  harness.checkpoint();
  CHECK(out.rows().size() == 10);
}

}  // namespace
}  // namespace weir::dataflow
