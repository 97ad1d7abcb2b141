// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/actors/internal/input_gate.hpp"
#include "weir/dataflow/two_input_operator.hpp"

#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using dataflow::control;
using dataflow::control_kind;
using dataflow::watermark_table;
using returned_credit = std::vector<std::pair<std::size_t, std::uint32_t>>;

/// The head of a chain of one operator: writes down what it gets: "1 a |" for numbers, texts and
/// barriers.
class recorder final : public dataflow::two_input_operator<int, std::string> {
 public:
  std::string text;

 private:
  status on_first_batch() override {
    const auto data = first().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) text += std::to_string(data->values()[i]) + ' ';
    return {};
  }
  status on_second_batch() override {
    const auto data = second().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) text += data->values()[i] + ' ';
    return {};
  }
  result<handled> on_control(control c) override {
    switch (c.kind()) {
      case control_kind::watermark:
        text += c.time() == event_time::max() ? "MAX " : 'W' + std::to_string(c.time().ms) + ' ';
        break;
      case control_kind::custom:
        text += 'C' + std::to_string(c.number()) + '=' + std::to_string(c.value()) + '@' +
                std::to_string(c.port()) + ' ';
        break;
      case control_kind::idle: text += "idle "; break;
      case control_kind::active: text += "active "; break;
      case control_kind::barrier: text += "| "; break;
      default: text += "end ";
    }
    return handled::pass_on;
  }
  result<handled> on_input_ended(std::size_t port) override {
    text += "end" + std::to_string(port) + ' ';
    return handled::ends_here;
  }
};

/// A gate, the chain behind it, and the senders in front of it. Channels 0 and 2 lead to the first
/// input, 1 and 3 to the second one.
class fixture {
 public:
  explicit fixture(std::vector<std::uint8_t> ports = {0, 1, 0, 1})
      : gate{{ports, 2, declared(), {}}}, ports_{std::move(ports)}, sent_(ports_.size()) {
    auto op = std::make_unique<recorder>();
    head = op.get();
    chain_.add(std::move(op));
    chain_.seal([](dataflow::operator_base&, checkpoint_id) {});
  }

  /// A record through a channel: its number is what the record says.
  void send(std::uint32_t channel, int value) {
    if (ports_[channel] == 0) return send_batch(channel, value);
    send_batch(channel, std::string(1, static_cast<char>('a' + value)));
  }
  void send(std::uint32_t channel, control c) {
    REQUIRE(gate.receive({{1}, channel, sent_[channel]++, {}, c}));
  }
  status try_send(std::uint32_t channel, control c) {
    REQUIRE(gate.receive({{1}, channel, sent_[channel]++, {}, c}));
    return gate.feed(chain_);
  }

  void feed() { REQUIRE(gate.feed(chain_)); }
  /// One step of the chain; gives the credit handed back so far.
  const returned_credit& step() {
    REQUIRE(chain_.run(1));
    take_credit();
    return returned;
  }
  /// Feeds and runs until nothing more can be done.
  const std::string& run() {
    do {
      REQUIRE(gate.feed(chain_));
      REQUIRE(chain_.run(100));
      if (chain_.no_control_inside()) chain_.barrier_done();
      take_credit();
    } while (gate.can_feed(chain_));
    return head->text;
  }

  input_gate gate;
  recorder* head;
  returned_credit returned;

 private:
  static std::shared_ptr<const watermark_table> declared() {
    return std::make_shared<const watermark_table>(dataflow::watermarks(
        long_watermark{"a, smallest"}, long_watermark{"b, largest", combine_long::max},
        bool_watermark{"c, all", combine_bool::all_of, true}));
  }

  void take_credit() {
    gate.return_credit(chain_, [&](std::size_t channel, std::uint32_t batches) {
      returned.emplace_back(channel, batches);
    });
  }

  template <class T>
  void send_batch(std::uint32_t channel, T value) {
    auto data = dataflow::batch<T>::make(1);
    data->append(std::move(value), event_time::min());
    data->account();
    REQUIRE(gate.receive({{1}, channel, sent_[channel]++, dataflow::erased_batch{data.release()}}));
  }

  std::vector<std::uint8_t> ports_;
  std::vector<std::uint64_t> sent_;
  dataflow::chain chain_;
};

constexpr control w(std::int64_t time) { return control::watermark(at(time)); }
const control b1 = control::barrier({1});

TEST_CASE("data goes to the input to which its channel belongs", "[input_gate]") {
  fixture f;
  f.send(0, 1);
  f.send(1, 0);
  f.send(2, 2);
  f.send(3, 1);
  CHECK(f.run() == "1 a 2 b ");
  CHECK(f.gate.waiting_batches() == 0);
}

TEST_CASE("credit comes back to the channel whose batch was finished, whatever the order of inputs",
          "[input_gate]") {
  fixture f;
  f.send(1, 0);
  f.send(3, 1);
  f.feed();
  f.send(0, 1);
  f.feed();
  CHECK(f.step() == returned_credit{{0, 1}});
  CHECK(f.step() == returned_credit{{0, 1}, {1, 1}});
  CHECK(f.step() == returned_credit{{0, 1}, {1, 1}, {3, 1}});
  CHECK(f.head->text == "1 a b ");
}

TEST_CASE("one input's full queue does not stop the other", "[input_gate]") {
  fixture f;
  for (const std::uint32_t channel : {1u, 3u, 1u, 3u}) f.send(channel, 0);
  f.feed();
  f.send(0, 1);
  f.feed();
  CHECK(f.gate.waiting_batches() == 2);
  CHECK(f.run() == "1 a a a a ");
}

TEST_CASE("the watermark is the smaller of both inputs', each behind a valve of its own",
          "[input_gate]") {
  fixture f;
  f.send(0, w(10));
  f.send(2, w(8));
  CHECK(f.run().empty());
  f.send(1, w(20));
  CHECK(f.run().empty());
  f.send(3, w(5));
  CHECK(f.run() == "W5 ");
  f.send(3, w(30));
  CHECK(f.run() == "W5 W8 ");
  CHECK(f.gate.watermarks().combined == at(8));
  CHECK(f.gate.watermarks().ports == std::vector<event_time>{at(8), at(20)});
}

TEST_CASE("an input that goes idle lets the minimum be that of the other", "[input_gate]") {
  fixture f{{0, 1}};
  f.send(0, w(1));
  f.send(1, w(9));
  f.send(0, control::idle());
  CHECK(f.run() == "W1 W9 ");
  f.send(1, control::idle());
  f.send(1, control::active());
  CHECK(f.run() == "W1 W9 ");
  f.send(1, control::idle());
  CHECK(f.run() == "W1 W9 idle ");
  f.send(0, control::active());
  CHECK(f.run() == "W1 W9 idle active ");
}

TEST_CASE("a barrier is aligned over the channels of both inputs", "[input_gate]") {
  fixture f;
  for (const std::uint32_t channel : {0u, 1u, 2u}) f.send(channel, b1);
  f.send(0, 1);
  f.send(1, 0);
  f.send(3, 1);
  CHECK(f.run() == "b ");
  f.send(3, b1);
  CHECK(f.run() == "b | 1 a ");
}

TEST_CASE("each input's end is told once, in order, and the end of all comes last",
          "[input_gate]") {
  fixture f;
  f.send(1, control::end_of_input());
  f.send(3, 0);
  f.send(3, control::end_of_input());
  f.send(0, 1);
  CHECK(f.run() == "1 a end1 ");
  f.send(0, w(4));
  f.send(2, w(5));
  CHECK(f.run() == "1 a end1 W4 ");
  f.send(2, control::end_of_input());
  f.send(0, 2);
  f.send(0, control::end_of_input());
  CHECK(f.run() == "1 a end1 W4 2 MAX end0 end ");
  CHECK(f.gate.ended());
  for (const std::uint32_t channel : {0u, 1u, 2u, 3u}) f.send(channel, b1);
  CHECK(f.run() == "1 a end1 W4 2 MAX end0 end | ");
}

TEST_CASE("an end that completes a barrier's alignment comes in front of it", "[input_gate]") {
  fixture f{{0, 1}};
  f.send(0, control::end_of_input());
  f.send(0, b1);
  CHECK(f.run() == "end0 ");
  f.send(1, control::end_of_input());
  CHECK(f.run() == "end0 MAX end1 end | ");
}

TEST_CASE("a restored gate goes on from the watermarks of its inputs", "[input_gate]") {
  fixture before;
  before.send(0, w(9));
  before.send(2, w(7));
  before.send(1, control::end_of_input());
  before.send(3, control::end_of_input());
  REQUIRE(before.run() == "W7 end1 ");
  const auto stored = gate_watermarks::decoded(before.gate.watermarks().encoded());
  REQUIRE(stored);
  fixture f;
  f.gate.start_at(*stored);
  CHECK(f.gate.watermarks().encoded() == before.gate.watermarks().encoded());
  f.send(0, w(20));
  CHECK(f.run().empty());
  f.send(2, w(8));  // the second input ended before, and is not waited for
  CHECK(f.run() == "W8 ");
  f.send(1, control::end_of_input());
  f.send(3, control::end_of_input());
  CHECK(f.run() == "W8 end1 ");
}

TEST_CASE("a watermark that an idle input let pass is not put out again after a restore",
          "[input_gate]") {
  fixture f{{0, 1}};
  f.gate.start_at({at(9), {at(1), at(9)}});
  f.send(0, w(5));
  f.send(1, w(12));
  CHECK(f.run().empty());
  f.send(0, w(11));
  CHECK(f.run() == "W11 ");
}

TEST_CASE("custom watermarks are combined for each input and identifier over all its channels",
          "[input_gate]") {
  fixture f;
  f.send(0, control::custom(0, 5));
  CHECK(f.run() == "C0=5@0 ");
  f.send(2, control::custom(0, 3));
  CHECK(f.run() == "C0=5@0 C0=3@0 ");
  f.send(2, control::custom(0, 8));
  f.send(1, control::custom(0, 3));
  f.send(3, control::custom(1, 3));
  f.head->text.clear();
  CHECK(f.run() == "C1=3@1 C0=3@1 C0=5@0 ");
}

TEST_CASE("a custom watermark keeps its place among the records of its channel", "[input_gate]") {
  fixture f;
  f.send(0, 1);
  f.send(0, control::custom(1, 7));
  f.send(0, 2);
  CHECK(f.run() == "1 C1=7@0 2 ");
}

TEST_CASE("a custom watermark that waits for all comes when the last channel has sent",
          "[input_gate]") {
  fixture f;
  f.send(0, control::custom(2, 1));
  f.send(1, control::custom(2, 1));
  f.send(3, control::custom(2, 0));
  CHECK(f.run() == "C2=0@1 ");
  f.send(2, control::custom(2, 1));
  CHECK(f.run() == "C2=0@1 C2=1@0 ");
}

TEST_CASE("a custom watermark that nobody declared is an error", "[input_gate]") {
  fixture f;
  const auto done = f.try_send(0, control::custom(3, 1));
  REQUIRE_FALSE(done);
  CHECK(done.failure().code() == errc::corrupt);
}

TEST_CASE("ten thousand signals without data to a gate that is held cost no memory to speak of",
          "[input_gate]") {
  fixture f{{0, 1}};
  f.send(0, b1);
  for (std::int64_t t = 1; t <= 10'000; ++t) {
    f.send(0, w(t));
    f.send(0, control::custom(0, t));
    f.send(0, control::custom(1, -t));
  }
  f.send(1, b1);
  f.send(1, w(20'000));
  CHECK(f.run() == "| W10000 C0=10000@0 C1=-10000@0 ");
}

TEST_CASE("the watermarks of gates are the smaller ones of the gates that they take over from",
          "[gate_watermarks]") {
  gate_watermarks one{at(3), {at(3), at(9)}};
  one.lower_to({at(4), {at(8), at(4)}});
  CHECK(one.combined == at(3));
  CHECK(one.ports == std::vector<event_time>{at(3), at(4)});
  one.lower_to({at(1), {}});
  CHECK(one.combined == at(1));
  CHECK(one.ports.empty());
}

TEST_CASE("the watermark of a gate with one input is stored as it always was",
          "[gate_watermarks]") {
  CHECK(gate_watermarks{at(-7), {}}.encoded() == encode(at(-7)));
  const auto back = gate_watermarks::decoded(encode(at(12)));
  REQUIRE(back);
  CHECK(back->combined == at(12));
  CHECK(back->ports.empty());
  CHECK_FALSE(gate_watermarks::decoded("1234567"));
  CHECK_FALSE(gate_watermarks::decoded(encode(at(1)) + "123"));
  CHECK_FALSE(gate_watermarks::decoded(""));
}

}  // namespace
}  // namespace weir::actors::internal
