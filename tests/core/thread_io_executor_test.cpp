// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "weir/core/io_executor.hpp"

#include "support/catch.hpp"

namespace weir {

TEST_CASE("work runs on another thread", "[io_executor]") {
  auto executor = make_thread_io_executor(1);
  std::thread::id ran_on;
  std::latch done{1};
  executor->submit(0, [&] {
    ran_on = std::this_thread::get_id();
    done.count_down();
  });
  done.wait();
  CHECK(ran_on != std::this_thread::get_id());
}

TEST_CASE("works without a lane run at the same time", "[io_executor]") {
  auto executor = make_thread_io_executor(2);
  // Each waits for the other: one after the other, they would never end.
  std::latch both{2};
  std::latch done{2};
  for (int i = 0; i < 2; ++i) {
    executor->submit(0, [&] {
      both.arrive_and_wait();
      done.count_down();
    });
  }
  done.wait();
  CHECK(both.try_wait());
}

TEST_CASE("works of different lanes run at the same time", "[io_executor]") {
  auto executor = make_thread_io_executor(2);
  std::latch both{2};
  std::latch done{2};
  for (std::uint64_t lane : {1, 2}) {
    executor->submit(lane, [&] {
      both.arrive_and_wait();
      done.count_down();
    });
  }
  done.wait();
  CHECK(both.try_wait());
}

TEST_CASE("works of one lane run one at a time, in order", "[io_executor]") {
  constexpr int works = 500;
  std::vector<int> order[3];
  std::atomic<int> running[3] = {};
  std::atomic<bool> overlapped = false;
  {
    auto executor = make_thread_io_executor(4);
    for (int i = 0; i < works; ++i) {
      for (std::uint64_t lane : {1, 2}) {
        executor->submit(lane, [&, lane, i] {
          if (++running[lane] != 1) overlapped = true;
          order[lane].push_back(i);
          --running[lane];
        });
      }
    }
  }
  std::vector<int> expected;
  for (int i = 0; i < works; ++i) expected.push_back(i);
  CHECK(order[1] == expected);
  CHECK(order[2] == expected);
  CHECK_FALSE(overlapped);
}

TEST_CASE("a lane that waits does not keep others waiting", "[io_executor]") {
  auto executor = make_thread_io_executor(2);
  std::latch release{1};
  std::latch others{2};
  std::latch held{2};
  for (int i = 0; i < 2; ++i) {
    executor->submit(7, [&] {
      release.wait();
      held.count_down();
    });
  }
  executor->submit(8, [&] { others.count_down(); });
  executor->submit(0, [&] { others.count_down(); });
  others.wait();
  CHECK_FALSE(held.try_wait());
  release.count_down();
  held.wait();
}

TEST_CASE("the end of the executor waits for all that was submitted", "[io_executor]") {
  std::atomic<int> ran = 0;
  std::latch release{1};
  auto executor = make_thread_io_executor(2);
  executor->submit(1, [&] { release.wait(); });
  for (int i = 0; i < 50; ++i) {
    executor->submit(static_cast<std::uint64_t>(i % 3), [&] { ++ran; });
  }
  executor->submit(1, [&, pool = executor.get()] {
    pool->submit(1, [&] { ++ran; });
    pool->submit(0, [&] { ++ran; });
  });
  release.count_down();
  executor.reset();
  CHECK(ran == 52);
}

TEST_CASE("what a work holds is gone before the next of its lane runs", "[io_executor]") {
  std::latch done{1};
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = held;
  bool was_gone = false;
  auto executor = make_thread_io_executor(2);
  executor->submit(1, [held] { (void)*held; });
  held.reset();
  executor->submit(1, [&] {
    was_gone = watched.expired();
    done.count_down();
  });
  done.wait();
  CHECK(was_gone);
}

TEST_CASE("what a work holds may submit when it goes", "[io_executor]") {
  std::latch done{1};
  auto executor = make_thread_io_executor(1);
  std::shared_ptr<int> held{new int{0}, [&](int* number) {
                              executor->submit(1, [&] { done.count_down(); });
                              delete number;
                            }};
  executor->submit(1, [held] { ++*held; });
  held.reset();
  done.wait();
  CHECK(done.try_wait());
}

TEST_CASE("a pool of no threads has one", "[io_executor]") {
  std::latch done{1};
  auto executor = make_thread_io_executor(0);
  executor->submit(1, [&] { done.count_down(); });
  done.wait();
  CHECK(done.try_wait());
}

}  // namespace weir
