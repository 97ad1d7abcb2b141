// SPDX-License-Identifier: Apache-2.0
// What a sink operator does between its input, its writer and the completions of checkpoints.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/sink_operator.hpp"
#include "weir/testing/check_operator.hpp"

#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using namespace weir::testing;

/// What a writer was asked, and what it answers.
struct writer_script {
  std::vector<int> rows;
  sink_readiness after_write = sink_readiness::ready;
  sink_readiness when_asked = sink_readiness::wait;
  std::string refusal;
};

struct scripted_sink {
  using value_type = int;

  struct writer {
    std::shared_ptr<writer_script> to;

    result<sink_readiness> write(const batch<int>& data) {
      if (!to->refusal.empty()) return error{errc::io_error, to->refusal};
      to->rows.insert(to->rows.end(), data.values(), data.values() + data.rows());
      return to->after_write;
    }
    sink_readiness ready() const { return to->when_asked; }
  };

  result<writer> make_writer(const operator_environment&) const {
    if (!to) return error{errc::not_found, "no such place"};
    return writer{to};
  }

  std::shared_ptr<writer_script> to;
};

auto writing(std::shared_ptr<writer_script> to) {
  return [to] { return std::make_unique<sink_operator<scripted_sink>>(scripted_sink{to}); };
}

TEST_CASE("a sink writes whole batches in order, and passes control elements", "[sink_operator]") {
  const auto to = std::make_shared<writer_script>();
  operator_harness h{writing(to), harness_mode::all_at_once};
  h.push(1);
  h.push(2);
  h.watermark(at(3));
  h.push(3);
  h.end_of_input();
  CHECK(h.outcome().error_text() == "");
  CHECK(to->rows == std::vector<int>{1, 2, 3});
}

TEST_CASE("a sink that has to wait gets nothing until it is ready", "[sink_operator]") {
  const auto to = std::make_shared<writer_script>();
  to->after_write = sink_readiness::wait;
  chain c;
  c.add(writing(to)());
  c.seal([](operator_base&, checkpoint_id) {});
  REQUIRE(c.head().open({}).ok());
  for (int i = 0; i < 3; ++i) c.head().input(0).push_erased(batch_of({i}));
  c.head().push_control(control::idle());
  REQUIRE(c.run(100).value() == chain::outcome::blocked);
  CHECK(to->rows == std::vector<int>{0});
  to->when_asked = sink_readiness::ready;
  REQUIRE(c.run(100).ok());
  CHECK(to->rows == std::vector<int>{0, 1, 2});
}

TEST_CASE("what a writer reports fails the operator", "[sink_operator]") {
  const auto to = std::make_shared<writer_script>();
  to->refusal = "disk full";
  CHECK(check<void>(writing(to), {push(1), expect_failure("disk full")}).error_text() == "");
  CHECK(check<void>(writing(nullptr), {push(1), expect_failure("no such place")}).error_text() ==
        "");
}

auto collecting(const collect_sink<int>& out) {
  return [out] { return std::make_unique<sink_operator<collect_sink<int>>>(out); };
}

/// Takes the snapshot of checkpoint `id`: its works run at once, and its completion is not told.
class open_snapshot final : public snapshot_context, public state::snapshot_stream {
 public:
  explicit open_snapshot(operator_base& op, std::uint64_t id) : id_{id} {
    op.begin_snapshot(*this);
    for (auto& work : works_) {
      auto made = work();
      REQUIRE(made.ok());
      chunks.insert(chunks.end(), made->begin(), made->end());
    }
  }
  checkpoint_id id() const override { return id_; }
  state::snapshot_stream& stream() override { return *this; }
  void defer(snapshot_work work) override { works_.push_back(std::move(work)); }
  void put(state::snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }

  std::vector<state::snapshot_chunk> chunks;

 private:
  checkpoint_id id_;
  std::vector<snapshot_work> works_;
};

void complete(operator_base& op, std::uint64_t id) {
  const auto work = op.on_checkpoint_complete({id});
  if (!work) return;
  REQUIRE(work().ok());
  op.on_committed({id});
}

TEST_CASE("C107: a completion covers the checkpoints before it, and theirs come to nothing then",
          "[sink_operator]") {
  const collect_sink<int> out{"rows"};
  operator_harness h{collecting(out)};
  h.push(1);
  const open_snapshot first{h.instance(), 1};
  h.push(2);
  const open_snapshot second{h.instance(), 2};
  complete(h.instance(), 2);
  CHECK(out.rows() == std::vector<int>{1, 2});
  CHECK_FALSE(h.instance().on_checkpoint_complete({1}));
  CHECK(out.rows() == std::vector<int>{1, 2});
}

TEST_CASE("rows behind a checkpoint are not committed with it", "[sink_operator]") {
  const collect_sink<int> out{"rows"};
  operator_harness h{collecting(out)};
  h.push(1);
  const open_snapshot first{h.instance(), 1};
  h.push(2);
  complete(h.instance(), 1);
  CHECK(out.rows() == std::vector<int>{1});
  const open_snapshot second{h.instance(), 2};
  complete(h.instance(), 2);
  CHECK(out.rows() == std::vector<int>{1, 2});
}

TEST_CASE("what a restored checkpoint holds is committed by the next attempt", "[sink_operator]") {
  const collect_sink<int> out{"rows"};
  operator_harness before{collecting(out)};
  before.push(1);
  const open_snapshot first{before.instance(), 1};
  before.push(2);
  const open_snapshot second{before.instance(), 2};
  before.push(3);  // lost with the attempt
  before.deliver();

  const auto op = collecting(out)();
  operator_environment environment;
  environment.current = {epoch_id{1}, attempt_id{2}};
  REQUIRE(op->open(environment).ok());
  REQUIRE(op->restore(second.chunks).ok());
  complete(*op, 2);
  CHECK(out.rows() == std::vector<int>{1, 2});
  complete(*op, 2);
  CHECK(out.rows() == std::vector<int>{1, 2});
}

}  // namespace
}  // namespace weir::dataflow
