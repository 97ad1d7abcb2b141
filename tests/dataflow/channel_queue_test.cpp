// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/channel_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"

#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using testing::batch_of;
using testing::describe;
using texts = std::vector<std::string>;

/// Writes down what is sent.
class noting_sender final : public channel_sender {
 public:
  void send_data(std::uint32_t, erased_batch data) override {
    ++batches;
    sent.push_back(std::to_string(static_cast<batch<int>&>(*data).values()[0]));
  }
  void send_control(std::uint32_t, control c) override { sent.push_back(describe(c)); }

  texts sent;
  std::size_t batches = 0;
};

struct channel {
  void data(int value) {
    queue.push(batch_of({value}), bytes);
    send();
  }
  void signal(control c) {
    queue.push(c);
    send();
  }
  void credit(std::uint32_t batches) {
    queue.add_credit(batches);
    send();
  }
  void send() { queue.send(0, sender, bytes); }

  channel_queue queue;
  noting_sender sender;
  in_flight_bytes bytes;
};

TEST_CASE("a batch needs a credit each, and goes when there is one", "[channel_queue]") {
  channel c;
  c.data(1);
  CHECK(c.queue.has_room());
  c.data(2);
  CHECK_FALSE(c.queue.has_room());
  CHECK(c.sender.sent.empty());
  CHECK(c.bytes.now > 0);
  c.credit(1);
  CHECK(c.sender.sent == texts{"1"});
  CHECK(c.queue.has_room());
  CHECK(c.queue.credit() == 0);
  c.credit(2);
  CHECK(c.sender.sent == texts{"1", "2"});
  CHECK(c.queue.credit() == 1);
  CHECK(c.queue.empty());
  CHECK(c.bytes.now == 0);
}

TEST_CASE("watermarks and status go at once while there is credit, and use none",
          "[channel_queue]") {
  channel c;
  c.credit(1);
  c.signal(control::watermark(at(1)));
  c.signal(control::watermark(at(2)));
  c.signal(control::idle());
  c.signal(control::active());
  CHECK(c.sender.sent == texts{"watermark 1", "watermark 2", "idle", "active"});
  CHECK(c.queue.credit() == 1);
}

TEST_CASE("without credit only the last watermark waits", "[channel_queue]") {
  channel c;
  for (int t = 1; t <= 9; ++t) c.signal(control::watermark(at(t)));
  CHECK(c.queue.size() == 1);
  c.credit(1);
  CHECK(c.sender.sent == texts{"watermark 9"});
}

TEST_CASE("ten million watermarks to a receiver that takes nothing cost no memory",
          "[channel_queue]") {
  channel c;
  c.data(1);
  std::size_t most = 0;
  for (std::int64_t t = 0; t < 10'000'000; ++t) {
    c.queue.push(control::watermark(at(t)));
    most = std::max(most, c.queue.size());
    if (t % 1'000 == 0) {  // and the stream is idle now and then
      c.queue.push(control::idle());
      c.queue.push(control::active());
    }
  }
  c.send();
  CHECK(most <= 3);
  CHECK(c.sender.sent.empty());
  c.credit(2);
  CHECK(c.sender.sent == texts{"1", "watermark 9999999"});
}

TEST_CASE("statuses that wait cancel each other out", "[channel_queue]") {
  channel c;
  c.signal(control::watermark(at(1)));
  c.signal(control::idle());
  CHECK(c.queue.size() == 2);
  c.signal(control::active());
  CHECK(c.queue.size() == 1);
  c.signal(control::watermark(at(2)));
  c.signal(control::idle());
  c.credit(1);
  CHECK(c.sender.sent == texts{"watermark 2", "idle"});
}

TEST_CASE("watermarks on both sides of a batch do not coalesce", "[channel_queue]") {
  channel c;
  c.signal(control::watermark(at(1)));
  c.data(5);
  c.signal(control::watermark(at(6)));
  c.credit(2);
  CHECK(c.sender.sent == texts{"watermark 1", "5", "watermark 6"});
}

TEST_CASE("a barrier needs no credit, and takes the signals before it along", "[channel_queue]") {
  channel c;
  c.signal(control::watermark(at(1)));
  c.signal(control::idle());
  c.signal(control::barrier({3}));
  CHECK(c.sender.sent == texts{"watermark 1", "idle", "barrier 3"});
  c.signal(control::watermark(at(2)));
  CHECK(c.sender.sent.size() == 3);
  c.signal(control::end_of_input());
  CHECK(c.sender.sent == texts{"watermark 1", "idle", "barrier 3", "watermark 2", "end of input"});
}

TEST_CASE("a barrier and the end never overtake data", "[channel_queue]") {
  channel c;
  c.signal(control::watermark(at(1)));
  c.data(5);
  c.signal(control::watermark(at(6)));
  c.signal(control::barrier({1}));
  c.signal(control::end_of_input());
  CHECK(c.sender.sent.empty());
  c.credit(1);
  CHECK(c.sender.sent == texts{"watermark 1", "5", "watermark 6", "barrier 1", "end of input"});
}

TEST_CASE(
    "of a custom watermark the newest value waits, of each identifier, behind what came since",
    "[channel_queue]") {
  channel c;
  c.signal(control::custom(1, 10));
  c.signal(control::watermark(at(5)));
  c.signal(control::custom(2, 20));
  c.signal(control::custom(1, 11));
  c.signal(control::watermark(at(6)));
  c.signal(control::custom(2, 20));
  CHECK(c.queue.size() == 3);
  c.credit(1);
  CHECK(c.sender.sent == texts{"watermark 6", "custom 1 = 11", "custom 2 = 20"});
  CHECK(c.queue.credit() == 1);
}

TEST_CASE("a custom watermark stays on its side of data and of a barrier", "[channel_queue]") {
  channel c;
  c.signal(control::custom(1, 10));
  c.data(5);
  c.signal(control::custom(1, 11));
  c.signal(control::barrier({3}));
  c.signal(control::custom(1, 12));
  c.signal(control::custom(1, 13));
  c.credit(1);
  CHECK(c.sender.sent == texts{"custom 1 = 10", "5", "custom 1 = 11", "barrier 3"});
  c.credit(1);
  CHECK(c.sender.sent.back() == "custom 1 = 13");
}

TEST_CASE("a million custom watermarks of three identifiers to a receiver that takes nothing",
          "[channel_queue]") {
  channel c;
  std::size_t most = 0;
  bool idle = false;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) {
    c.queue.push(control::custom(i % 3, i));
    if (i % 11 == 0) c.queue.push(idle ? control::active() : control::idle());
    if (i % 11 == 0) idle = !idle;
    if (i % 7 == 0 && !idle) c.queue.push(control::watermark(at(i)));
    most = std::max(most, c.queue.size());
  }
  CHECK(most <= 6);
}

TEST_CASE("whatever the credit, a channel keeps order and loses no batch, barrier or status",
          "[channel_queue]") {
  random_generator random{GENERATE(1u, 2u, 3u, 4u)};
  channel c;
  texts pushed;  // what must come, without watermarks and statuses
  std::int64_t time = 0;
  bool idle = false;
  std::uint32_t granted = 0;
  int next = 0;
  for (int step = 0; step < 5'000; ++step) {
    switch (random.below(6)) {
      case 0:
        if (!c.queue.has_room()) break;
        pushed.push_back(std::to_string(next));
        c.data(next++);
        break;
      case 1: c.signal(control::watermark(at(++time))); break;
      case 2:
        c.signal(idle ? control::active() : control::idle());
        idle = !idle;
        break;
      case 3:
        pushed.push_back("barrier " + std::to_string(step));
        c.signal(control::barrier({static_cast<std::uint64_t>(step)}));
        break;
      default: granted += 1; c.credit(1);
    }
    REQUIRE(c.sender.batches <= granted);
  }
  c.credit(10);
  REQUIRE(c.queue.empty());
  texts came;
  std::string last_watermark;
  bool told_idle = false;
  for (const auto& text : c.sender.sent) {
    if (text.starts_with("watermark")) {
      last_watermark = text;
    } else if (text == "idle" || text == "active") {
      REQUIRE(told_idle == (text == "active"));
      told_idle = !told_idle;
    } else {
      came.push_back(text);
    }
  }
  CHECK(came == pushed);
  CHECK(last_watermark == "watermark " + std::to_string(time));
  CHECK(told_idle == idle);
}

}  // namespace
}  // namespace weir::dataflow
