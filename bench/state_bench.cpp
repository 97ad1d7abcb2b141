// SPDX-License-Identifier: Apache-2.0
// Keyed state beside bare hash tables in the same run, with 1 k, 1 M and 10 M keys; its memory for
// each key; and what snapshots cost.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "bench/support/checkpointed_job.hpp"
#include "bench/support/keyed_access.hpp"
#include "bench/support/report.hpp"
#include "bench/support/state_figures.hpp"
#include "bench/support/state_functions.hpp"

namespace {

using namespace weir::bench;

constexpr int rounds = 5;

struct size {
  const char* name;
  std::uint64_t keys;
};
constexpr size sizes[] = {{"1k", 1'000}, {"1M", 1'000'000}, {"10M", 10'000'000}};

constexpr std::size_t access_count = 8'000'000;

/// Feeds both in turn; the first round fills the tables and warms up.
template <class First, class Second>
comparison compare(const std::string& row, First& first, Second& second, std::uint64_t keys,
                   bool same_sums) {
  const auto accesses = make_accesses(access_count, keys);
  const auto each_key = make_each_key(keys);
  feed(second, each_key);
  feed(first, each_key);
  comparison c{row, {}, {}};
  for (int round = 0; round <= rounds; ++round) {
    std::uint64_t expected = 0, got = 0;
    const double by_second = computing_seconds_of([&] { expected = feed(second, accesses); });
    const double by_first = computing_seconds_of([&] { got = feed(first, accesses); });
    if (same_sums && expected != got) {
      std::fprintf(stderr, "%s: the two sides do not come to the same\n", row.c_str());
      std::exit(1);
    }
    if (round == 0) continue;
    c.job.push_back(access_count / by_first);
    c.reference.push_back(access_count / by_second);
  }
  return c;
}

/// Keyed state of `F` beside a bare table.
template <class F>
void access_rows(report& rows, const std::string& kind) {
  for (const auto& [name, keys] : sizes) {
    const auto row = kind + '/' + name;
    if (!rows.wants(row)) continue;
    keyed_side<F> keyed;
    bare_side<typename F::by_hand> bare{keys};
    rows.add(compare(row, keyed, bare, keys, true));
  }
}

/// Three states of one function beside one.
void three_states_rows(report& rows) {
  for (const auto& [name, keys] : {sizes[0], sizes[1]}) {
    const auto row = std::string{"three_states/"} + name;
    if (!rows.wants(row)) continue;
    keyed_side<three_states_function> three;
    keyed_side<reducing_function> one;
    rows.add(compare(row, three, one, keys, true));
  }
}

/// Not more than twice the key and the value and 32 bytes; with a TTL, 16 more.
void bytes_rows(report& rows) {
  constexpr double limit = 2 * (8 + 8) + 32;
  for (const auto& [name, keys] : sizes) {
    const auto row = std::string{"bytes/"} + name;
    if (rows.wants(row))
      rows.add(figure{row, "bytes per key", bytes_per_key(value_function{}, keys), limit});
    if (rows.wants(row + "/ttl")) {
      using weir::state::timed;
      value_function with_ttl;
      with_ttl.sum = weir::state::value_state<std::int64_t>{
          "sum", {.ttl = weir::state::ttl(weir::duration{1'000'000})}};
      rows.add(figure{row + "/ttl", "bytes per key",
                      bytes_per_key<value_function, timed>(with_ttl, keys), limit + 16});
    }
  }
}

/// Accesses while a snapshot runs beside those before, and the stall at the barrier.
void snapshot_rows(report& rows) {
  for (const auto& [name, keys] : {sizes[1], sizes[2]}) {
    const auto row = std::string{"snapshot/"} + name;
    if (!rows.wants(row)) continue;
    const auto accesses = make_accesses(access_count, keys);
    keyed_side<value_function> side;
    feed(side, make_each_key(keys));
    comparison c{row, {}, {}};
    std::vector<double> stalls;
    for (int round = 0; round <= rounds; ++round) {
      const auto found = take_snapshot(side, accesses, 1024);
      if (round == 0) continue;
      c.job.push_back(found.during);
      c.reference.push_back(found.before);
      stalls.push_back(found.stall * 1e6);
    }
    rows.add(c);
    rows.add(figure{row + "/stall", "us", *std::max_element(stalls.begin(), stalls.end()), 1000});
  }
}

/// A whole job with a checkpoint each second, to the real disk, beside the same without any.
void checkpointed_rows(report& rows) {
  const std::string row = "checkpointed/1M";
  if (!rows.wants(row)) return;
  constexpr std::size_t count = 16'000'000;
  constexpr std::uint64_t times = 10;
  const auto records = make_records(count, 1'000'000, 4'000);
  comparison c{row, {}, {}};
  for (int round = 0; round <= rounds; ++round) {
    checksum without, with;
    const double alone =
        seconds_of([&] { without = counting_job(records, times, "", weir::duration{0}); });
    const temporary_folder folder;
    const double beside = seconds_of(
        [&] { with = counting_job(records, times, folder.path(), weir::duration{1000}); });
    if (!(without == with)) {
      std::fprintf(stderr, "%s: the rows are not the same\n", row.c_str());
      std::exit(1);
    }
    if (round == 0) continue;
    c.job.push_back(count * times / beside);
    c.reference.push_back(count * times / alone);
  }
  rows.add(c);
}

}  // namespace

int main(int argc, char** argv) {
  report rows{parse_options("state", argc, argv)};
  access_rows<value_function>(rows, "value");
  access_rows<reducing_function>(rows, "reducing");
  access_rows<aggregating_function>(rows, "aggregating");
  access_rows<list_function>(rows, "list");
  access_rows<map_function>(rows, "map");
  three_states_rows(rows);
  bytes_rows(rows);
  snapshot_rows(rows);
  checkpointed_rows(rows);
  return rows.finish();
}
