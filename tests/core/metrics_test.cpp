// SPDX-License-Identifier: Apache-2.0
#include "weir/core/metrics.hpp"

#include <thread>

#include "support/catch.hpp"

namespace weir {

TEST_CASE("a counter counts", "[metrics]") {
  counter records;
  CHECK(records.value() == 0);
  records.increment();
  records.increment(41);
  CHECK(records.value() == 42);
}

TEST_CASE("a gauge goes up and down", "[metrics]") {
  gauge bytes;
  CHECK(bytes.value() == 0);
  bytes.set(10);
  bytes.add(-12);
  CHECK(bytes.value() == -2);
  bytes.max(5);
  CHECK(bytes.value() == 5);
  bytes.max(4);
  CHECK(bytes.value() == 5);
}

TEST_CASE("a metric that is added again is the one that is there", "[metrics]") {
  metric_group group;
  auto& first = group.add_counter("records");
  first.increment();
  CHECK(&group.add_counter("records") == &first);
  CHECK(&group.add_counter("other") != &first);
  auto& level = group.add_gauge("level");
  level.set(3);
  CHECK(&group.add_gauge("level") == &level);
  CHECK(group.add_counter("records").value() == 1);
}

TEST_CASE("a snapshot has all metrics, sorted by name", "[metrics]") {
  metric_group group;
  CHECK(group.snapshot().empty());
  group.add_gauge("b").set(-1);
  group.add_counter("c").increment(7);
  group.add_gauge("c").set(2);
  group.add_counter("a");
  CHECK(group.snapshot() == std::vector<metric_value>{{"a", 0, metric_kind::counter},
                                                      {"b", -1, metric_kind::gauge},
                                                      {"c", 7, metric_kind::counter},
                                                      {"c", 2, metric_kind::gauge}});
}

TEST_CASE("threads may add metrics and take snapshots at the same time", "[metrics]") {
  metric_group group;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&group, t] {
        auto& own = group.add_counter("own " + std::to_string(t));
        for (int i = 0; i < 200; ++i) {
          group.add_gauge("shared " + std::to_string(i));
          own.increment();
          (void)group.snapshot();
        }
      });
    }
  }
  CHECK(group.snapshot().size() == 203);
  CHECK(group.snapshot().front() == metric_value{"own 0", 200, metric_kind::counter});
}

}  // namespace weir
