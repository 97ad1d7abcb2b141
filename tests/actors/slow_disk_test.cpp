// SPDX-License-Identifier: Apache-2.0
// Snapshots of a subtask whose disk does not keep up.
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "weir/actors/internal/subtask.hpp"
#include "weir/checkpoint/state_folder.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/state/state.hpp"

#include "actors/subtask_fixture.hpp"
#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using dataflow::control;

constexpr int keys = 100'000;
constexpr int batch_rows = 1000;
constexpr std::size_t chunk = std::size_t{66} << 10;  // what a snapshot comes in
constexpr snapshot_limits limits{.least_slots = 1024,
                                 .idle_slots = 16384,
                                 .write_size = chunk,
                                 .sweep_waits = 4 * chunk,
                                 .work_waits = 8 * chunk,
                                 .time = duration{1'000'000}};

struct counting {
  value_state<std::int64_t> count{"count"};
  std::shared_ptr<std::int64_t> records;
  auto uses_states() { return states(count); }

  void process_record(int, collector<int>&) {
    ++*records;
    const auto* before = count.value();
    count.update(before == nullptr ? 1 : *before + 1);
  }
};

/// A keyed function that counts each key; its disk writes when `write_one` is called.
struct slow_disk : subtask_fixture {
  explicit slow_disk(std::shared_ptr<std::int64_t> count = std::make_shared<std::int64_t>(0))
      : subtask_fixture{[&](environment& env) { describe(env, count); }, 1, null_log_sink(),
                        limits},
        records{std::move(count)} {
    start_opened();
    for (int first = 0; first < keys; first += batch_rows) send_batch(first);
    work();
    REQUIRE(*records == keys);
  }

  static void describe(environment& env, const std::shared_ptr<std::int64_t>& count) {
    const collect_sink<int> out{"out"};
    env.from_collection(std::vector<int>{1})
        .key_by([](int key) { return key; })
        .process(counting{.records = count})
        .start_new_chain()
        .max_parallelism(1)
        .sink_to(out);
  }

  /// To be sent when there is credit.
  void send_batch(int first) { unsent.push_back(first); }

  /// Does all but what waits for the disk.
  void work() {
    for (int turns = 0;; ++turns) {
      REQUIRE(turns < 10'000);
      if (send_one()) continue;
      if (host.self_calls.empty()) return;
      for (const auto call : std::exchange(host.self_calls, {})) subject->on_self(call);
    }
  }

  bool send_one() {
    for (const auto& granted : std::exchange(host.credits, {})) credit += granted.batches;
    if (credit == 0 || unsent.empty()) return false;
    --credit;
    std::vector<int> values(batch_rows);
    std::iota(values.begin(), values.end(), unsent.front());
    unsent.pop_front();
    send(0, values);
    return true;
  }

  void write_one() {
    auto done = host.works.front()();
    host.works.erase(host.works.begin());
    subject->on_io(done);
    work();
  }

  std::size_t held() {
    return static_cast<std::size_t>(metrics.add_gauge("snapshot_bytes_held_most").value());
  }

  std::shared_ptr<std::int64_t> records;
  std::deque<int> unsent;
  std::uint32_t credit = 0;
};

TEST_CASE("the sweep waits while a slow disk has enough to write, and work goes on", "[subtask]") {
  slow_disk f;
  f.send(0, control::barrier({1}));
  f.work();
  CHECK(f.host.reports_of<snapshot_written>().empty());
  CHECK(f.held() >= limits.sweep_waits);
  CHECK(f.held() <= limits.sweep_waits + 4 * chunk);
  f.send_batch(0);
  f.work();
  CHECK(*f.records == keys + batch_rows);
  int writes = 0;
  for (; !f.host.works.empty(); ++writes) f.write_one();
  CHECK(writes > 10);
  CHECK(f.host.reports_of<snapshot_written>().size() == 1);
  CHECK(f.held() <= limits.sweep_waits + 4 * chunk);
}

TEST_CASE("work waits while a slow disk has too much to write", "[subtask]") {
  slow_disk f;
  f.send(0, control::barrier({1}));
  for (int first = 0; first < keys; first += batch_rows) f.send_batch(keys - batch_rows - first);
  f.work();
  CHECK(*f.records > keys);
  CHECK(*f.records < 2 * keys);
  CHECK(f.held() <= limits.work_waits + 4 * chunk);
  while (!f.host.works.empty()) f.write_one();
  CHECK(*f.records == 2 * keys);
  CHECK(f.host.reports_of<snapshot_written>().size() == 1);
  CHECK(f.held() <= limits.work_waits + 4 * chunk);
}

TEST_CASE("bytes of an abandoned snapshot count until they are written", "[subtask]") {
  slow_disk f;
  f.send(0, control::barrier({1}));
  f.work();
  f.subject->on_command(aborted_command{{1}});
  f.send(0, control::barrier({2}));
  f.work();
  CHECK(f.host.works.size() < 8);
  while (!f.host.works.empty()) f.write_one();
  const auto written = f.host.reports_of<snapshot_written>();
  REQUIRE(written.size() == 1);
  CHECK(written[0].id == checkpoint_id{2});
  CHECK(f.held() <= limits.sweep_waits + 4 * chunk);
}

}  // namespace
}  // namespace weir::actors::internal
