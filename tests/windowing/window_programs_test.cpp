// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "support/catch.hpp"
#include "support/sanitizers.hpp"
#include "windowing/window_scenario.hpp"

namespace weir::testing {
namespace {

using enum window_kind;

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* given = std::getenv(name);
  return given ? std::strtoull(given, nullptr, 10) : otherwise;
}

constexpr std::uint64_t programs = has_address_sanitizer ? 1'250 : 10'000;

/// All programs of a run, but for those of plain windows: WEIR_WINDOW_PROGRAMS, or so many.
std::uint64_t programs_of_all_tests() { return setting("WEIR_WINDOW_PROGRAMS", programs); }
/// The seed of the first: WEIR_WINDOW_SEED, or 1. A seed says all about a program of a test.
std::uint64_t first_seed() { return setting("WEIR_WINDOW_SEED", 1); }

const std::vector<window_kind> all_kinds{
    tumbling,       sliding,       session,       dynamic_session,
    clock_tumbling, clock_sliding, clock_session, clock_dynamic_session,
    global,         count};

/// Runs so many programs, of each of these combinations.
void run_programs(const std::vector<program_cell>& cells, std::uint64_t share) {
  program_table table;
  program_tally tally;
  for (std::uint64_t seed = first_seed(); seed < first_seed() + share; ++seed) {
    const auto& cell = cells[seed % cells.size()];
    const auto difference = run_window_program(seed, cell, tally);
    table.add(cell);
    if (difference.empty()) continue;
    INFO("WEIR_WINDOW_SEED=" << seed << ": " << difference);
    FAIL("engine and model differ");
  }
  std::cout << share << " programs from seed " << first_seed() << ", with " << tally.results
            << " results, " << tally.late << " late records and " << tally.restores
            << " restores:\n"
            << table.shown(cells) << std::endl;
  if (share >= cells.size())
    CHECK(
        std::all_of(cells.begin(), cells.end(), [&](const auto& c) { return table.count(c) > 0; }));
  CHECK(tally.results > 0);
  CHECK(tally.restores > 0);
}

/// Runs the share of the programs that these windows have.
void run_programs_of(const std::vector<window_kind>& kinds) {
  const auto cells = cells_of(kinds);
  const auto all = cells_of(all_kinds).size();
  run_programs(cells, programs_of_all_tests() * cells.size() / all + 1);
}

}  // namespace

TEST_CASE("random windows of event time do what the rules say, restored at any time",
          "[window_programs]") {
  run_programs_of({tumbling, sliding});
}

TEST_CASE("random sessions of event time do what the rules say, restored at any time",
          "[window_programs]") {
  run_programs_of({session, dynamic_session});
}

TEST_CASE("random windows of the clock do what the rules say, restored at any time",
          "[window_programs]") {
  run_programs_of({clock_tumbling, clock_sliding});
}

TEST_CASE("random sessions of the clock do what the rules say, restored at any time",
          "[window_programs]") {
  run_programs_of({clock_session, clock_dynamic_session});
}

TEST_CASE("random global and count windows do what the rules say, restored at any time",
          "[window_programs]") {
  run_programs_of({global, count});
}

TEST_CASE("random windows that need no more than sums do what the rules say as well",
          "[window_programs]") {
  auto cells = cells_of({tumbling, sliding, session, dynamic_session});
  std::erase_if(cells, [](const auto& c) {
    return c.trigger != 0 || c.evictor != model::eviction::kind::none;
  });
  run_programs(cells, programs_of_all_tests() / 5 + 1);
}

}  // namespace weir::testing
