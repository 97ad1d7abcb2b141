// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/actors/internal/subtask.hpp"
#include "weir/checkpoint/state_folder.hpp"
#include "weir/dataflow/two_input_operator.hpp"

#include "actors/subtask_fixture.hpp"
#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using dataflow::control;
using dataflow::control_kind;
using texts = std::vector<std::string>;

/// Writes down what it gets.
class recorder final : public dataflow::two_input_operator<int, std::string> {
 public:
  explicit recorder(texts& to) : to_{&to} { add_output(out_); }

 private:
  status on_first_batch() override {
    const auto data = first().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) {
      to_->push_back(std::to_string(data->values()[i]));
    }
    return {};
  }
  status on_second_batch() override {
    const auto data = second().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) to_->push_back(data->values()[i]);
    return {};
  }
  result<handled> on_control(control c) override {
    if (c.kind() == control_kind::watermark) {
      to_->push_back("watermark " + std::to_string(c.time().ms));
    }
    return handled::pass_on;
  }
  result<handled> on_input_ended(std::size_t port) override {
    to_->push_back("end " + std::to_string(port));
    return handled::ends_here;
  }

  texts* to_;
  dataflow::collector<int> out_;
};

/// Tasks 0 and 1: sources of numbers; task 2: a source of texts; task 3: what they lead to. Its
/// channels 0 and 1 have numbers, channel 2 has texts.
struct two_inputs : subtask_fixture {
  explicit two_inputs(texts& to)
      : subtask_fixture{[&](environment& env) { describe(env, to); }, 3} {}

  static void describe(environment& env, texts& to) {
    const auto numbers = env.from_collection(std::vector<int>{1})
                             .union_with(env.from_collection(std::vector<int>{2}));
    const auto names = env.from_collection(texts{"a"});
    dataflow::graph_node node;
    node.kind = node.name = "recorder";
    node.uid = "recorder";
    node.uid_given = true;
    node.inputs = numbers.edges();
    for (auto& edge : names.edges()) {
      edge.port = 1;
      node.inputs.push_back(std::move(edge));
    }
    node.make = [&to] { return std::make_unique<recorder>(to); };
    names.origin().job->add(std::move(node));
  }

  void send_text(std::string text) {
    auto data = dataflow::batch<std::string>::make(1);
    data->append(std::move(text), event_time::min());
    data->account();
    send({attempt, 2, next_text++, dataflow::erased_batch{data.release()}, control::idle()});
  }
  void send_text(control c) { send({attempt, 2, next_text++, {}, c}); }

  std::uint64_t next_text = 0;
};

TEST_CASE("a subtask gives each input of its head what the channels of that input bring",
          "[subtask]") {
  texts seen;
  two_inputs f{seen};
  f.start_opened();
  f.send_text("a");
  f.send(1, {2});
  f.send(0, {1});
  f.run();
  CHECK(seen == texts{"a", "2", "1"});
  // A credit of 2 comes back one by one, to the sender whose batch was finished.
  REQUIRE(f.host.credits.size() == 3 + 3);
}

TEST_CASE("a batch of another record type than its input's fails the subtask", "[subtask]") {
  texts seen;
  two_inputs f{seen};
  f.start_opened();
  f.send(2, {1});
  f.run();
  const auto failed = f.host.reports_of<subtask_failed>();
  REQUIRE(failed.size() == 1);
  CHECK(failed[0].cause.code() == errc::corrupt);
}

TEST_CASE("a restored subtask goes on from the watermark of each input, and ended ones stay so",
          "[subtask]") {
  texts seen;
  restored_subtask restored{{1}, {{"recorder", {}}}};
  {
    two_inputs f{seen};
    f.start_opened();
    f.send(0, control::watermark(at(4)));
    f.send(1, control::watermark(at(9)));
    f.send_text(control::end_of_input());
    for (const std::uint32_t channel : {0u, 1u}) f.send(channel, control::barrier({1}));
    f.run();
    REQUIRE(seen == texts{"watermark 4", "end 1"});
    const auto written = f.host.reports_of<snapshot_written>();
    REQUIRE(written.size() == 1);
    for (const auto& op : written[0].operators) {
      for (const auto& file : op.files) {
        const auto read = checkpoint::read_state_chunks(
            f.disk, "/checkpoints", file, [&](const checkpoint::state_chunk_view& chunk) {
              restored.operators[0].chunks.push_back(
                  {std::string{chunk.section}, chunk.group, std::string{chunk.bytes}, {}});
            });
        REQUIRE(read);
      }
    }
    REQUIRE(restored.operators[0].chunks.size() == 1);
  }
  seen.clear();
  two_inputs f{seen};
  REQUIRE(f.subject->open(restored));
  f.start();
  f.send(0, control::watermark(at(3)));
  f.send(1, control::watermark(at(20)));
  f.run();
  CHECK(seen.empty());
  f.send(0, control::watermark(at(6)));
  f.run();
  CHECK(seen == texts{"watermark 6"});
  f.send_text(control::end_of_input());
  f.send(0, control::end_of_input());
  f.send(1, control::end_of_input());
  f.run();
  CHECK(seen == texts{"watermark 6", "end 1", "watermark 20",
                      "watermark " + std::to_string(event_time::max().ms), "end 0"});
  CHECK(f.host.reports_of<subtask_ended>().size() == 1);
}

}  // namespace
}  // namespace weir::actors::internal
