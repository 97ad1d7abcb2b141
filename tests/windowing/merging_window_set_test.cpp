// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/merging_window_set.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

#include "weir/core/random.hpp"

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"

namespace weir::testing {
namespace {

using windows = std::vector<time_window>;

/// The state of a session is called after the window that it was made for, as in the vectors.
using session_set = windowing::merging_window_set<time_window>;

/// What has come of adding a window.
struct added {
  time_window session;
  time_window state;
  windows merged;  ///< the sessions that became one; none: nothing was merged
  windows states;  ///< theirs

  friend bool operator==(const added&, const added&) = default;
};

added add(session_set& set, const time_window& w) {
  added result;
  const auto& session = set.add(
      w, [&] { return w; },
      [&](const time_window& merged, std::span<const session_set::entry> members) {
        result.session = merged;
        for (const auto& m : members) {
          result.merged.push_back(m.window);
          result.states.push_back(m.state);
        }
      });
  if (!result.merged.empty()) REQUIRE(result.session == session.window);
  result.session = session.window;
  result.state = session.state;
  return result;
}

added alone(const time_window& w) { return {w, w, {}, {}}; }

windows sessions_of(const session_set& set) {
  windows all;
  for (const auto& e : set.sessions()) all.push_back(e.window);
  return all;
}

/// The windows that are left when all that intersect have become one: sorted, and swept.
windows swept(windows all) {
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  windows result;
  for (const auto& w : all) {
    if (!result.empty() && result.back().end >= w.start) {
      result.back().end = std::max(result.back().end, w.end);
    } else {
      result.push_back(w);
    }
  }
  return result;
}

windows sessions_after(const windows& all) {
  session_set set;
  for (const auto& w : all) add(set, w);
  return sessions_of(set);
}

}  // namespace

TEST_CASE("windows that touch intersect, and others that are apart do not", "[time_window]") {
  CHECK(intersects(window(10, 20), window(10, 20)));
  CHECK(intersects(window(10, 20), window(20, 30)));
  CHECK(intersects(window(20, 30), window(10, 20)));
  CHECK(intersects(window(10, 20), window(19, 22)));
  CHECK(intersects(window(10, 20), window(12, 13)));
  CHECK_FALSE(intersects(window(10, 20), window(21, 30)));
  CHECK_FALSE(intersects(window(21, 30), window(10, 20)));
  CHECK(cover(window(10, 20), window(30, 40)) == window(10, 40));
  CHECK(cover(window(10, 40), window(20, 30)) == window(10, 40));
}

TEST_CASE("sessions grow record by record, and keep the state they had first",
          "[merging_window_set]") {
  session_set set;
  CHECK(add(set, window(0, 4)) == alone(window(0, 4)));
  CHECK(add(set, window(0, 4)) == alone(window(0, 4)));
  CHECK(add(set, window(3, 5)) ==
        added{window(0, 5), window(0, 4), {window(0, 4)}, {window(0, 4)}});
  CHECK(add(set, window(4, 6)) ==
        added{window(0, 6), window(0, 4), {window(0, 5)}, {window(0, 4)}});
  for (const auto& w : {window(1, 4), window(0, 4), window(3, 5), window(4, 6)})
    CHECK(add(set, w) == added{window(0, 6), window(0, 4), {}, {}});
  CHECK(add(set, window(11, 14)) == alone(window(11, 14)));
  CHECK(add(set, window(10, 13)) ==
        added{window(10, 14), window(11, 14), {window(11, 14)}, {window(11, 14)}});
  CHECK(add(set, window(12, 15)) ==
        added{window(10, 15), window(11, 14), {window(10, 14)}, {window(11, 14)}});
  CHECK(set.retire(window(0, 6)));
  CHECK(sessions_of(set) == windows{window(10, 15)});
}

TEST_CASE("a late record makes one session of two", "[merging_window_set]") {
  session_set set;
  for (const auto& w : {window(0, 3), window(5, 8), window(10, 13)}) CHECK(add(set, w) == alone(w));
  CHECK(add(set, window(8, 10)) == added{window(5, 13),
                                         window(5, 8),
                                         {window(5, 8), window(10, 13)},
                                         {window(5, 8), window(10, 13)}});
  CHECK(sessions_of(set) == windows{window(0, 3), window(5, 13)});
  CHECK(add(set, window(3, 5)) == added{window(0, 13),
                                        window(0, 3),
                                        {window(0, 3), window(5, 13)},
                                        {window(0, 3), window(5, 8)}});
  CHECK(sessions_of(set) == windows{window(0, 13)});
}

TEST_CASE("a window that covers sessions takes their place", "[merging_window_set]") {
  session_set one;
  add(one, window(1, 2));
  CHECK(add(one, window(0, 3)) ==
        added{window(0, 3), window(1, 2), {window(1, 2)}, {window(1, 2)}});
  session_set three;
  for (const auto& w : {window(1, 3), window(5, 8), window(10, 13)}) add(three, w);
  const windows all{window(1, 3), window(5, 8), window(10, 13)};
  CHECK(add(three, window(0, 13)) == added{window(0, 13), window(1, 3), all, all});
  CHECK(sessions_of(three) == windows{window(0, 13)});
}

TEST_CASE("sessions that are not there are neither found nor retired", "[merging_window_set]") {
  session_set set;
  CHECK(set.empty());
  CHECK_FALSE(set.retire(window(0, 3)));
  add(set, window(0, 3));
  add(set, window(10, 13));
  for (const auto& w : {window(0, 4), window(1, 3), window(13, 14), window(5, 6), window(-4, -2)}) {
    CHECK(set.find(w) == nullptr);
    CHECK_FALSE(set.retire(w));
  }
  REQUIRE(set.find(window(10, 13)) != nullptr);
  CHECK(set.find(window(10, 13))->state == window(10, 13));
  CHECK(set.retire(window(10, 13)));
  CHECK(set.retire(window(0, 3)));
  CHECK(set.empty());
}

TEST_CASE("windows merge as if they were sorted and swept", "[merging_window_set]") {
  CHECK(sessions_after({window(0, 0)}) == windows{window(0, 0)});
  CHECK(sessions_after({window(0, 1)}) == windows{window(0, 1)});
  CHECK(sessions_after({window(0, 1), window(1, 2), window(2, 3), window(4, 5), window(5, 6)}) ==
        windows{window(0, 3), window(4, 6)});
  CHECK(sessions_after({window(1, 1), window(0, 2), window(4, 7), window(5, 6)}) ==
        windows{window(0, 2), window(4, 7)});
  CHECK(sessions_after({window(5, 6), window(4, 7), window(0, 2), window(1, 1)}) ==
        windows{window(0, 2), window(4, 7)});
}

TEST_CASE("a window without length is part of the session it touches, and does not extend it",
          "[merging_window_set]") {
  CHECK(sessions_after({window(0, 3000), window(1000, 1000), window(2500, 2500)}) ==
        windows{window(0, 3000)});
  CHECK(sessions_after({window(10, 3010), window(1000, 4000), window(2500, 2500)}) ==
        windows{window(10, 4000)});
  CHECK(sessions_after({window(5, 5), window(6, 6), window(5, 5)}) ==
        windows{window(5, 5), window(6, 6)});
}

TEST_CASE("C009: sessions of 2 that touch are one", "[merging_window_set]") {
  CHECK(sessions_after({window(1, 3), window(3, 5)}) == windows{window(1, 5)});
}

TEST_CASE("C012: a record that bridges two sessions leaves one", "[merging_window_set]") {
  CHECK(sessions_after({window(0, 10), window(15, 25), window(9, 19)}) == windows{window(0, 25)});
}

TEST_CASE("a merge that fails leaves the sessions as they were", "[merging_window_set]") {
  session_set set;
  add(set, window(0, 3));
  add(set, window(5, 8));
  const auto fail = [](const time_window&, std::span<const session_set::entry>) {
    throw std::runtime_error{"no"};
  };
  CHECK_THROWS_AS(set.add(window(2, 6), [] { return time_window{}; }, fail), std::runtime_error);
  CHECK(sessions_of(set) == windows{window(0, 3), window(5, 8)});
}

TEST_CASE("sessions are put back as they were stored, and no others", "[merging_window_set]") {
  session_set set;
  CHECK(set.append({window(0, 3), window(1, 2)}));
  CHECK(set.append({window(4, 9), window(5, 6)}));
  CHECK_FALSE(set.append({window(9, 12), window(9, 12)}));
  CHECK_FALSE(set.append({window(0, 3), window(0, 3)}));
  CHECK_FALSE(set.append({window(20, 19), window(20, 19)}));
  CHECK(sessions_of(set) == windows{window(0, 3), window(4, 9)});
  CHECK(set.sessions()[1].state == window(5, 6));
}

TEST_CASE("a set that has been moved from is empty, and the other one has its sessions",
          "[merging_window_set]") {
  const std::int64_t sessions = GENERATE(1, 5);
  session_set from;
  for (std::int64_t i = 0; i < sessions; ++i) add(from, window(i * 10, i * 10 + 3));
  const auto all = sessions_of(from);
  session_set to{std::move(from)};
  CHECK(sessions_of(to) == all);
  session_set other;
  add(other, window(7, 8));
  other = std::move(to);
  CHECK(sessions_of(other) == all);
}

TEST_CASE("random windows make the sessions that sorting and sweeping them makes",
          "[merging_window_set]") {
  random_generator random{21};
  for (int program = 0; program < 400; ++program) {
    CAPTURE(program);
    const std::uint64_t range = 20 + random.below(400);
    session_set set;
    windows expected;
    std::map<std::int64_t, windows> held;  // by the start of their state: what was added to it
    std::int64_t next_state = 0;
    for (int i = 0; i < 60; ++i) {
      const auto start = static_cast<std::int64_t>(random.below(range)) - 50;
      const time_window w = window(start, start + static_cast<std::int64_t>(random.below(12)));
      expected.push_back(w);
      expected = swept(expected);
      const auto make = [&] { return window(next_state++, 0); };
      const auto merge = [&](const time_window& merged, std::span<session_set::entry> members) {
        windows covered{w};
        for (const auto& m : members) covered.push_back(m.window);
        REQUIRE(swept(covered) == windows{merged});
        for (const auto& m : members.subspan(1)) {
          auto& of_first = held[members[0].state.start.ms];
          auto& other = held[m.state.start.ms];
          of_first.insert(of_first.end(), other.begin(), other.end());
          held.erase(m.state.start.ms);
        }
      };
      const auto& session = set.add(w, make, merge);
      held[session.state.start.ms].push_back(w);
      REQUIRE(sessions_of(set) == expected);
      if (random.chance(1, 8)) {
        const auto gone = set.sessions()[random.below(set.sessions().size())];
        held.erase(gone.state.start.ms);
        REQUIRE(set.retire(gone.window));
        std::erase(expected, gone.window);
      }
    }
    REQUIRE(held.size() == set.sessions().size());
    for (const auto& e : set.sessions())
      REQUIRE(swept(held[e.state.start.ms]) == windows{e.window});
  }
}

}  // namespace weir::testing
