// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/input_gate.hpp"

#include <memory>
#include <string>
#include <vector>

#include <malloc.h>

#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/one_input_operator.hpp"

#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using dataflow::control;

/// The head of a chain of one operator: writes down what it gets, "1 2 |" for a barrier.
class recorder final : public dataflow::one_input_operator<int> {
 public:
  std::string text;

 private:
  status on_batch() override {
    const auto data = in().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) text += std::to_string(data->values()[i]) + ' ';
    return {};
  }
  result<handled> on_control(control c) override {
    switch (c.kind()) {
      case dataflow::control_kind::watermark:
        text += 'W' + std::to_string(c.time().ms) + ' ';
        break;
      case dataflow::control_kind::idle: text += "idle "; break;
      case dataflow::control_kind::active: text += "active "; break;
      case dataflow::control_kind::barrier: text += "| "; break;
      default: text += "end "; break;
    }
    return handled::pass_on;
  }
};

/// A gate, the chain behind it, and the senders in front of it.
class fixture {
 public:
  explicit fixture(std::size_t channels, std::uint32_t credit = 4)
      : gate{{std::vector<std::uint8_t>(channels), credit, nullptr, {}}}, sent_(channels) {
    auto op = std::make_unique<recorder>();
    head_ = op.get();
    chain_.add(std::move(op));
    chain_.seal([](dataflow::operator_base&, checkpoint_id) {});
  }

  status send(std::uint32_t channel, int value) {
    auto data = dataflow::batch<int>::make(1);
    data->append(value, at(value));
    data->account();
    return gate.receive({{1}, channel, sent_[channel]++, dataflow::erased_batch{data.release()}});
  }
  status send(std::uint32_t channel, control c) {
    return gate.receive({{1}, channel, sent_[channel]++, {}, c});
  }
  void skip(std::uint32_t channel) { ++sent_[channel]; }

  /// Feeds and runs until nothing more can be done.
  const std::string& run() {
    do {
      REQUIRE(gate.feed(chain_));
      REQUIRE(chain_.run(100));
      if (chain_.no_control_inside()) chain_.barrier_done();
      gate.return_credit(chain_, [&](std::size_t channel, std::uint32_t batches) {
        returned.emplace_back(channel, batches);
      });
    } while (gate.can_feed(chain_));
    return head_->text;
  }

  input_gate gate;
  std::vector<std::pair<std::size_t, std::uint32_t>> returned;

 private:
  std::vector<std::uint64_t> sent_;
  dataflow::chain chain_;
  recorder* head_;
};

const control b1 = control::barrier({1});

TEST_CASE("C089: an ended channel does not hold the barrier up", "[input_gate]") {
  fixture f{2};
  REQUIRE(f.send(0, 1));
  REQUIRE(f.send(0, b1));
  REQUIRE(f.send(0, 2));
  REQUIRE(f.send(1, 3));
  CHECK(f.run() == "1 3 ");
  REQUIRE(f.send(1, control::end_of_input()));
  CHECK(f.run() == "1 3 | 2 ");
  REQUIRE(f.send(0, control::barrier({2})));
  CHECK(f.run() == "1 3 | 2 | ");
}

TEST_CASE("C090: data behind a barrier is not in the snapshot, in whatever order channels come",
          "[input_gate]") {
  // ch1: r1 b1 r2; ch2: r3 r4 b1 r5. Bit i says whose turn it is.
  for (unsigned turns = 0; turns < 128; ++turns) {
    const std::vector<int> steps[2] = {{1, 0, 2}, {3, 4, 0, 5}};
    std::size_t next[2] = {0, 0};
    fixture f{2};
    bool complete = true;
    for (unsigned i = 0; i < 7; ++i) {
      const unsigned c = turns >> i & 1;
      if (next[c] == steps[c].size()) {
        complete = false;
        break;
      }
      const int step = steps[c][next[c]++];
      const auto taken = step == 0 ? f.send(c, b1) : f.send(c, step);
      REQUIRE(taken);
      f.run();
    }
    if (!complete) continue;
    CAPTURE(turns);
    const auto& text = f.run();
    const auto cut = text.find('|');
    REQUIRE(cut != std::string::npos);
    for (const char* before : {"1", "3", "4"}) CHECK(text.find(before) < cut);
    for (const char* after : {"2", "5"}) CHECK(text.find(after) > cut);
  }
}

TEST_CASE("a gap, a duplicate and an unknown channel are errors", "[input_gate]") {
  fixture f{1};
  REQUIRE(f.send(0, 1));
  SECTION("gap") {
    f.skip(0);
    const auto done = f.send(0, 2);
    REQUIRE_FALSE(done);
    CHECK(done.error_text() == "input channel 0: message 2 came, 1 was expected");
  }
  SECTION("duplicate") {
    const auto done = f.gate.receive({{1}, 0, 0, {}, control::idle()});
    REQUIRE_FALSE(done);
    CHECK(done.failure().code() == errc::corrupt);
  }
  SECTION("unknown channel") { CHECK_FALSE(f.gate.receive({{1}, 7, 0, {}, control::idle()})); }
}

TEST_CASE("a batch beyond the credit is an error", "[input_gate]") {
  fixture f{1, 2};
  REQUIRE(f.send(0, 1));
  REQUIRE(f.send(0, 2));
  CHECK_FALSE(f.send(0, 3));
}

TEST_CASE("credit comes back in halves when the head has finished batches", "[input_gate]") {
  fixture f{2, 4};
  REQUIRE(f.send(0, 1));
  f.run();
  CHECK(f.returned.empty());
  REQUIRE(f.send(0, 2));
  REQUIRE(f.send(1, 3));
  f.run();
  REQUIRE(f.returned.size() == 1);
  CHECK(f.returned[0] == std::pair<std::size_t, std::uint32_t>{0, 2});
}

TEST_CASE("a credit of 1 comes back at once", "[input_gate]") {
  fixture f{1, 1};
  for (int i = 0; i < 3; ++i) {
    REQUIRE(f.send(0, i));
    f.run();
  }
  CHECK(f.returned.size() == 3);
}

TEST_CASE("the smallest watermark of all channels goes on, behind the data before it",
          "[input_gate]") {
  fixture f{2};
  REQUIRE(f.send(0, 1));
  REQUIRE(f.send(0, control::watermark(at(10))));
  CHECK(f.run() == "1 ");
  REQUIRE(f.send(1, 2));
  REQUIRE(f.send(1, control::watermark(at(7))));
  REQUIRE(f.send(1, control::watermark(at(9))));
  CHECK(f.run() == "1 2 W9 ");
}

TEST_CASE("restored channels start at the watermark of the checkpoint", "[input_gate]") {
  fixture f{2};
  f.gate.start_at({at(5), {}});
  REQUIRE(f.send(0, control::watermark(at(8))));
  CHECK(f.run().empty());
  REQUIRE(f.send(1, control::watermark(at(6))));
  CHECK(f.run() == "W6 ");
}

TEST_CASE("the end comes once all channels have ended, and barriers still pass", "[input_gate]") {
  fixture f{2};
  REQUIRE(f.send(0, control::end_of_input()));
  CHECK(f.run().empty());
  CHECK_FALSE(f.gate.ended());
  REQUIRE(f.send(1, control::end_of_input()));
  const auto ended = f.run();
  CHECK(ended == "W" + std::to_string(event_time::max().ms) + " end ");
  CHECK(f.gate.ended());
  REQUIRE(f.send(0, b1));
  REQUIRE(f.send(1, b1));
  CHECK(f.run() == ended + "| ");
}

TEST_CASE("an aborted checkpoint lets the channels that it held go on", "[input_gate]") {
  fixture f{2};
  REQUIRE(f.send(0, b1));
  REQUIRE(f.send(0, 1));
  CHECK(f.run().empty());
  f.gate.abort({1});
  CHECK(f.run() == "1 ");
  REQUIRE(f.send(1, b1));
  CHECK(f.run() == "1 ");
}

TEST_CASE("C124: ten million watermarks beside an input that is stuck leave nothing behind",
          "[input_gate]") {
  fixture f{2};
  const auto at_start = mallinfo2().uordblks;
  for (std::int64_t t = 1; t <= 10'000'000; ++t) {
    if (!f.send(0, control::watermark(at(t)))) FAIL("a watermark was refused");
    if (t % 64 == 0) f.run();
  }
  CHECK(f.run() == "");
  CHECK(f.gate.holding_back(0) == 1);
  CHECK(mallinfo2().uordblks < at_start + 1'000'000);
  REQUIRE(f.send(1, control::watermark(at(20'000'000))));
  CHECK(f.run() == "W10000000 ");
  CHECK(f.gate.watermark_of(0) == at(10'000'000));
}

}  // namespace
}  // namespace weir::actors::internal
