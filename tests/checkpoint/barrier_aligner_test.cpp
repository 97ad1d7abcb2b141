// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/barrier_aligner.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

std::string text(const alignment_action& action) {
  std::string out;
  if (const auto* held = std::get_if<hold_channel>(&action)) {
    out = "hold " + std::to_string(held->channel);
  } else if (const auto* released = std::get_if<release_channels>(&action)) {
    out = "release";
    for (const auto channel : released->channels) out += " " + std::to_string(channel);
  } else if (const auto* complete = std::get_if<alignment_complete>(&action)) {
    out = "complete " + std::to_string(complete->id.value);
  } else {
    out = "abandon " + std::to_string(std::get<alignment_abandoned>(action).id.value);
  }
  return out;
}

std::string text(const alignment_actions& actions) {
  std::string out;
  for (const auto& action : actions) out += (out.empty() ? "" : ", ") + text(action);
  return out;
}

/// "b1:7" is barrier 7 from channel 1, "e1" its end, "c7" and "t7" cancel and trigger of 7.
alignment_actions feed(barrier_aligner& aligner, const std::string& event) {
  const auto colon = event.find(':');
  const auto number = std::stoull(event.substr(1, colon - 1));
  if (event[0] == 'b') {
    return aligner.on_barrier(number, {std::stoull(event.substr(colon + 1))}).value();
  }
  if (event[0] == 'e') return aligner.on_end_of_input(number).value();
  if (event[0] == 't') return aligner.on_trigger({number}).value();
  return aligner.on_cancel({number});
}

/// The actions of all events, those of each behind a bar.
std::string run(std::size_t channels, const std::string& script) {
  barrier_aligner aligner{channels};
  std::istringstream events{script};
  std::string out;
  for (std::string event; events >> event;) out += "| " + text(feed(aligner, event)) + " ";
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

TEST_CASE("a barrier aligner answers each event as the table says", "[barrier_aligner]") {
  struct row {
    const char* what;
    std::size_t channels;
    const char* script;
    const char* expected;
  };
  const auto [what, channels, script, expected] = GENERATE(
      row{"one channel", 1, "b0:1", "| hold 0, complete 1, release 0"},
      row{"two channels", 2, "b0:1 b1:1", "| hold 0 | hold 1, complete 1, release 0 1"},
      row{"the same barrier twice", 2, "b0:1 b0:1 b1:1",
          "| hold 0 |  | hold 1, complete 1, release 0 1"},
      row{"a newer barrier abandons the older", 2, "b0:1 b1:2 b0:2",
          "| hold 0 | abandon 1, release 0, hold 1 | hold 0, complete 2, release 0 1"},
      row{"an older barrier holds nothing", 2, "b0:2 b1:1 b1:2",
          "| hold 0 |  | hold 1, complete 2, release 0 1"},
      row{"a late barrier of a complete one", 2, "b0:1 e1 b1:1",
          "| hold 0 | complete 1, release 0 |"},
      row{"ids may leave gaps", 1, "b0:1 b0:7",
          "| hold 0, complete 1, release 0 | hold 0, complete 7, release 0"},
      row{"an end completes", 2, "b0:1 e1", "| hold 0 | complete 1, release 0"},
      row{"an end before the barrier counts", 2, "e1 b0:1", "|  | hold 0, complete 1, release 0"},
      row{"barrier and end count once", 3, "b0:1 e0 b1:1 b2:1",
          "| hold 0 |  | hold 1 | hold 2, complete 1, release 0 1 2"},
      row{"an ended channel is not held", 2, "e0 b0:1 b1:1",
          "|  |  | hold 1, complete 1, release 1"},
      row{"a barrier from the last ended channel", 2, "e0 e1 b0:1 b1:1", "|  |  | complete 1 |"},
      row{"an end without a checkpoint", 1, "e0", "|"},
      row{"cancel while aligning", 2, "b0:1 c1 b1:1", "| hold 0 | abandon 1, release 0 |"},
      row{"cancel before the barrier", 2, "c1 b0:1 b1:1", "| abandon 1 |  |"},
      row{"cancel of a newer one", 2, "b0:1 c2 b1:1 b1:2",
          "| hold 0 | abandon 1, release 0, abandon 2 |  |"},
      row{"cancel of an older one", 2, "b0:2 c1 b1:2",
          "| hold 0 |  | hold 1, complete 2, release 0 1"},
      row{"cancel of a complete one", 1, "b0:1 c1", "| hold 0, complete 1, release 0 |"},
      row{"cancel twice", 2, "b0:1 c1 c1", "| hold 0 | abandon 1, release 0 |"},
      row{"after a cancel the next one aligns", 2, "b0:1 c1 b0:2 b1:2",
          "| hold 0 | abandon 1, release 0 | hold 0 | hold 1, complete 2, release 0 1"},
      row{"a source's trigger completes", 0, "t1 t1 t2", "| complete 1 |  | complete 2"},
      row{"a trigger after all inputs ended", 2, "e0 e1 t1", "|  |  | complete 1"},
      row{"a trigger waits for open inputs", 2, "e0 t1 b1:1",
          "|  |  | hold 1, complete 1, release 1"});
  CAPTURE(what);
  CHECK(run(channels, script) == expected);
}

TEST_CASE("a barrier aligner refuses a channel that it does not have", "[barrier_aligner]") {
  barrier_aligner aligner{2};
  CHECK(aligner.on_barrier(2, {1}).failure().code() == errc::invalid_argument);
  CHECK(aligner.on_end_of_input(2).failure().message() ==
        "input channel 2 does not exist: there are 2");
  CHECK(aligner.on_barrier(0, {0}).failure().code() == errc::invalid_argument);
  CHECK(aligner.on_trigger({0}).failure().code() == errc::invalid_argument);
  CHECK(aligner.on_end_of_input(1).ok());
  CHECK(aligner.on_end_of_input(1).failure().message() ==
        "input channel 1 has ended a second time");
  CHECK_FALSE(aligner.aligning());
}

/// A subtask that keeps all records in its state, fed by channels that are scripts: of records
/// ("r1"), barriers ("b1") and the end ("END").
struct model {
  using script = std::vector<std::string>;

  explicit model(std::vector<script> scripts)
      : aligner{scripts.size()}, inputs{std::move(scripts)}, next(inputs.size()) {}

  bool can_step(std::size_t channel) const {
    return held.count(channel) == 0 && next[channel] < inputs[channel].size();
  }

  void step(std::size_t channel) {
    const auto& element = inputs[channel][next[channel]++];
    if (element == "END") {
      follow(aligner.on_end_of_input(channel).value());
    } else if (element[0] == 'b') {
      follow(aligner.on_barrier(channel, {std::stoull(element.substr(1))}).value());
    } else {
      seen.insert(element);
    }
  }

  void follow(const alignment_actions& actions) {
    for (const auto& action : actions) {
      if (const auto* hold = std::get_if<hold_channel>(&action)) held.insert(hold->channel);
      if (const auto* complete = std::get_if<alignment_complete>(&action)) {
        snapshots.push_back({complete->id.value, seen});
      }
      const auto* released = std::get_if<release_channels>(&action);
      if (!released) continue;
      for (const auto channel : released->channels) held.erase(channel);
    }
  }

  barrier_aligner aligner;
  std::vector<script> inputs;
  std::vector<std::size_t> next;
  std::set<std::size_t> held;
  std::set<std::string> seen;
  std::vector<std::pair<std::uint64_t, std::set<std::string>>> snapshots;
};

/// Calls `visit` with the model after every possible order of its inputs. Returns how many.
template <class Visit>
std::size_t for_all_interleavings(const model& from, const Visit& visit) {
  std::size_t orders = 0;
  for (std::size_t channel = 0; channel < from.inputs.size(); ++channel) {
    if (!from.can_step(channel)) continue;
    auto next = from;
    next.step(channel);
    orders += for_all_interleavings(next, visit);
  }
  if (orders > 0) return orders;
  visit(from);
  return 1;
}

using snapshots = std::vector<std::pair<std::uint64_t, std::set<std::string>>>;

TEST_CASE("C089: an ended input neither hangs a checkpoint nor the later ones",
          "[barrier_aligner]") {
  const model start{{{"r1", "b1", "r2", "b2", "r4", "b3"}, {"r3", "END"}}};
  const auto orders = for_all_interleavings(start, [](const model& end) {
    CHECK(end.snapshots.size() == 3);
    for (const auto& [id, state] : end.snapshots) {
      std::set<std::string> expected{"r1", "r3"};
      if (id >= 2) expected.insert("r2");
      if (id >= 3) expected.insert("r4");
      CHECK(state == expected);
    }
    CHECK(end.held.empty());
    CHECK(end.seen.size() == 4);
  });
  CHECK(orders > 5);
}

TEST_CASE("C090: in no interleaving does data from behind the barrier get into the snapshot",
          "[barrier_aligner]") {
  const model start{{{"r1", "b1", "r2"}, {"r3", "r4", "b1", "r5"}}};
  const auto orders = for_all_interleavings(start, [](const model& end) {
    CHECK(end.snapshots == snapshots{{1, {"r1", "r3", "r4"}}});
    CHECK(end.held.empty());
    // Restored from the snapshot, what lies behind the barriers is read again: each record once.
    auto restored = end.snapshots.front().second;
    for (const auto& replayed : {"r2", "r5"}) CHECK(restored.insert(replayed).second);
    CHECK(restored == end.seen);
  });
  CHECK(orders > 10);
}

TEST_CASE("three inputs align in every interleaving, whichever ends first", "[barrier_aligner]") {
  const model start{{{"r1", "b1", "r2", "END"}, {"b1", "END"}, {"r3", "b1", "b2"}}};
  for_all_interleavings(start, [](const model& end) {
    CHECK(end.snapshots == snapshots{{1, {"r1", "r3"}}, {2, {"r1", "r2", "r3"}}});
    CHECK(end.held.empty());
  });
}

TEST_CASE("in every interleaving a skipped barrier abandons its checkpoint and holds nobody",
          "[barrier_aligner]") {
  const model start{{{"r1", "b1", "r2", "b2"}, {"r3", "b2"}}};
  for_all_interleavings(start, [](const model& end) {
    CHECK(end.snapshots == snapshots{{2, {"r1", "r2", "r3"}}});
    CHECK(end.held.empty());
  });
}

}  // namespace
}  // namespace weir::checkpoint
