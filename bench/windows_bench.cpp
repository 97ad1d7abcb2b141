// SPDX-License-Identifier: Apache-2.0
// Windows beside hand-written loops over the same records in the same run, with 1 k and 1 M keys;
// timers beside a heap; and what windows hold.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "weir/windowing/session_windows.hpp"
#include "weir/windowing/sliding_windows.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "bench/support/timer_rounds.hpp"
#include "bench/support/window_jobs.hpp"
#include "bench/support/window_loops.hpp"
#include "bench/support/window_memory.hpp"

namespace {

using namespace weir::bench;
using namespace std::chrono_literals;

constexpr std::size_t record_count = 16'000'000;
constexpr std::size_t session_count = 8'000'000;
constexpr int rounds = 5;

struct size {
  const char* name;
  std::uint64_t keys;
};
constexpr size sizes[] = {{"1k", 1'000}, {"1M", 1'000'000}};

/// A row for each number of keys: `job(records)` beside `loop(records, keys)`.
template <class Make, class Job, class Loop>
void window_rows(report& rows, const std::string& kind, Make make, Job job, Loop loop) {
  for (const auto& size : sizes) {
    const auto row = kind + '/' + size.name;
    if (!rows.wants(row)) continue;
    const record_list records = make(size.keys);
    rows.add(compare(
        row, records->size(), rounds, [&] { return job(records); },
        [&] { return loop(*records, size.keys); }));
  }
}

/// Windows of 1 s with 4 million records each.
void tumbling_rows(report& rows) {
  window_rows(
      rows, "tumbling", [](auto keys) { return make_records(record_count, keys, 4'000); },
      [](const auto& records) { return windowed_job(records, weir::tumbling_event_time(1s)); },
      [](const auto& records, auto keys) { return tumbling_sums(records, keys, 1'000); });
}

/// Windows of 10 s every 1 s, with 800,000 records each second: of 1 M keys each second has about
/// half, and each window nearly all.
void sliding_rows(report& rows) {
  window_rows(
      rows, "sliding", [](auto keys) { return make_records(record_count, keys, 800); },
      [](const auto& records) { return windowed_job(records, weir::sliding_event_time(10s, 1s)); },
      [](const auto& records, auto keys) { return sliding_loop<10>{keys, 1'000}.run(records); });
}

/// Each second 800,000 records for another quarter of the keys: so a key has a session of about 1 s
/// every 4 s.
record_list make_sessions(std::uint64_t keys) {
  weir::random_generator random{42};
  auto list = std::make_shared<std::vector<record>>();
  list->reserve(session_count);
  for (std::size_t i = 0; i < session_count; ++i) {
    const auto time = static_cast<std::int64_t>(i / 800);
    const auto quarter = static_cast<std::uint64_t>(time / 1'000 % 4);
    list->push_back({1 + 4 * random.below(keys / 4) + quarter, time,
                     static_cast<std::int64_t>(random.below(1000))});
  }
  return list;
}

/// Sessions with a gap of 1 s. Event time goes on some hundred times as fast as the clock, so the
/// watermark comes more often than usual: else most sessions would wait for it, as in no real job.
void session_rows(report& rows) {
  window_rows(
      rows, "session", make_sessions,
      [](const auto& records) { return windowed_job(records, weir::session_event_time(1s), 1ms); },
      [](const auto& records, auto keys) { return session_loop{keys, 1'000}.run(records); });
}

/// Registrations, deletions and firings per second.
void timer_row(report& rows) {
  if (!rows.wants("timers")) return;
  constexpr std::size_t count = 4'000'000;
  comparison c{"timers", {}, {}};
  for (int round = 0; round <= rounds; ++round) {
    timer_totals expected, got;
    const double by_hand =
        computing_seconds_of([&] { expected = timer_rounds<heap_timers>(count); });
    const double by_weir = computing_seconds_of([&] { got = timer_rounds<engine_timers>(count); });
    if (!(expected == got)) {
      std::fprintf(stderr, "timers: the two sides do not come to the same\n");
      std::exit(1);
    }
    if (round == 0) continue;
    c.job.push_back(static_cast<double>(got.calls) / by_weir);
    c.reference.push_back(static_cast<double>(got.calls) / by_hand);
  }
  rows.add(c);
}

/// Not more than twice the key and the sum and 32 bytes; for sessions twice their ends more.
void bytes_rows(report& rows) {
  constexpr double limit = 2 * (8 + 8) + 32;
  const auto add = [&](const std::string& kind, double most, auto measure) {
    const auto row = "bytes/" + kind;
    if (rows.wants(row)) rows.add(figure{row, "bytes per window and key", measure(), most});
  };
  add("tumbling", limit, [] {
    return bytes_per_window_and_key(weir::tumbling_event_time(10s), 1'000'000, 1, 1'000, 1);
  });
  // A record each second for 10 s is in 19 windows.
  add("sliding", limit, [] {
    return bytes_per_window_and_key(weir::sliding_event_time(10s, 1s), 200'000, 10, 1'000, 19);
  });
  add("session", limit + 2 * 16, [] {
    return bytes_per_window_and_key(weir::session_event_time(10s), 1'000'000, 1, 1'000, 1);
  });
}

/// No state, no timers, and not more than 10 % more memory than before.
void expired_row(report& rows) {
  if (!rows.wants("expired_sessions")) return;
  const auto left = left_of_expired(weir::session_event_time(1s), 1'000'000);
  if (left.state_bytes > 0 || left.timers > 0) {
    std::fprintf(stderr, "expired_sessions: %zu bytes of state and %zu timers are left\n",
                 left.state_bytes, left.timers);
    std::exit(1);
  }
  rows.add(figure{"expired_sessions", "% of the memory before", left.memory * 100, 110});
}

}  // namespace

int main(int argc, char** argv) {
  report rows{parse_options("windows", argc, argv)};
  tumbling_rows(rows);
  sliding_rows(rows);
  session_rows(rows);
  timer_row(rows);
  bytes_rows(rows);
  expired_row(rows);
  return rows.finish();
}
