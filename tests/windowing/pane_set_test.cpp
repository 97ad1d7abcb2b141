// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/pane_set.hpp"

#include <map>
#include <tuple>
#include <vector>

#include "support/catch.hpp"

namespace weir::windowing {
namespace {

constexpr std::uint32_t groups = 128;
constexpr key_group_range all_groups{key_group{0}, key_group{groups - 1}};

using panes = pane_set<std::int64_t, std::int64_t>;
using pane = panes::pane;

/// What is in windows: by end of the window and key.
using contents = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;

struct chunks final : state::snapshot_stream {
  void put(state::snapshot_chunk chunk) override { all.push_back(std::move(chunk)); }
  std::vector<state::snapshot_chunk> all;
};

state::state_declaration sums(std::string type = codec_identity<std::int64_t>()) {
  return {"contents", "sum", std::move(type)};
}

panes make_panes(key_group_range own = all_groups) {
  panes made{sums()};
  made.open(own, groups);
  return made;
}

time_window window(std::int64_t end) { return {at(end - 10), at(end)}; }

void add(panes& to, std::int64_t end, std::int64_t key, std::int64_t value) {
  pane* in = to.find(window(end));
  if (in == nullptr) in = &to.insert(window(end));
  std::byte* row = in->rows.find_or_insert(key, stable_hash(key));
  if (!state::is_present(row, 0)) {
    state::cell<std::int64_t>::construct(row + pane::layout::offset(0), 0);
    state::set_present(row, 0);
  }
  pane::layout::value<0>(row) += value;
}

contents contents_of(panes& of) {
  contents all;
  of.for_each([&](pane& p) {
    p.rows.for_each([&](std::int64_t key, const std::byte* row) {
      all[{p.window.end.ms, key}] = pane::layout::value<0>(row);
    });
  });
  return all;
}

void fill(panes& to) {
  for (std::int64_t end = 10; end <= 50; end += 10)
    for (std::int64_t key = 0; key < 40; ++key) add(to, end, key, end + key);
}

contents restored(const state::restored_chunks& from) {
  auto made = make_panes();
  REQUIRE(made.restore(from).error_text() == "");
  return contents_of(made);
}

void finish(panes& of) {
  while (of.snapshot_running()) of.sweep(3);
}

}  // namespace

TEST_CASE("a snapshot has what was in the windows when it began", "[pane_set]") {
  auto open = make_panes();
  fill(open);
  const auto before = contents_of(open);
  chunks out;
  open.begin_snapshot(out);
  REQUIRE(open.snapshot_running());
  SECTION("when nothing happens") {}
  SECTION("when rows change, are added, and windows are opened") {
    for (std::int64_t key = 20; key < 60; ++key) add(open, 20, key, 1000);
    add(open, 90, 1, 1);
  }
  SECTION("when windows are closed") {
    open.sweep(5);
    for (const std::int64_t end : {10, 30, 50}) open.erase(*open.find(window(end)));
    CHECK(open.find(window(30)) == nullptr);
  }
  SECTION("when a window is closed and opened again") {
    open.erase(*open.find(window(10)));
    add(open, 10, 1, 4711);
    finish(open);
    CHECK(contents_of(open).at({10, 1}) == 4711);
  }
  SECTION("when it is swept before they are closed") {
    finish(open);
    for (const std::int64_t end : {10, 30, 50}) open.erase(*open.find(window(end)));
  }
  finish(open);
  CHECK(restored(out.all) == before);
}

TEST_CASE("a snapshot of no windows is over at once", "[pane_set]") {
  auto open = make_panes();
  chunks out;
  open.begin_snapshot(out);
  CHECK_FALSE(open.snapshot_running());
  CHECK(restored(out.all).empty());
}

TEST_CASE("an abandoned snapshot leaves the windows as they are", "[pane_set]") {
  auto open = make_panes();
  fill(open);
  chunks abandoned;
  open.begin_snapshot(abandoned);
  open.sweep(5);
  open.erase(*open.find(window(30)));
  const auto before = contents_of(open);
  SECTION("by a call") { open.abort_snapshot(); }
  SECTION("by the next snapshot") {}
  chunks out;
  open.begin_snapshot(out);
  finish(open);
  CHECK(contents_of(open) == before);
  CHECK(restored(out.all) == before);
}

TEST_CASE("a window that is opened anew is empty", "[pane_set]") {
  auto open = make_panes();
  for (int i = 0; i < 3; ++i) {
    fill(open);
    CHECK(contents_of(open).size() == 200);
    CHECK(contents_of(open).at({10, 7}) == 17);
    for (std::int64_t end = 10; end <= 50; end += 10) open.erase(*open.find(window(end)));
    CHECK(open.size() == 0);
  }
}

TEST_CASE("only rows of the own key groups are restored", "[pane_set]") {
  auto open = make_panes();
  fill(open);
  chunks out;
  open.begin_snapshot(out);
  finish(open);
  const key_group middle{groups / 2};
  auto lower = make_panes({key_group{0}, middle});
  auto upper = make_panes({key_group{middle.value + 1}, key_group{groups - 1}});
  REQUIRE(lower.restore(out.all).error_text() == "");
  REQUIRE(upper.restore(out.all).error_text() == "");
  auto both = contents_of(lower);
  CHECK_FALSE(both.empty());
  CHECK(both.size() < 200);
  both.merge(contents_of(upper));
  CHECK(both == contents_of(open));
}

TEST_CASE("windows of one end and different lengths are kept apart", "[pane_set]") {
  auto open = make_panes();
  open.insert({at(0), at(10)});
  open.insert({at(5), at(10)});
  CHECK(open.size() == 2);
  REQUIRE(open.find({at(5), at(10)}) != nullptr);
  CHECK(open.find({at(5), at(10)})->window.start == at(5));
  CHECK(open.find({at(6), at(10)}) == nullptr);
}

TEST_CASE("windows of other types are refused with both types", "[pane_set]") {
  auto open = make_panes();
  fill(open);
  chunks out;
  open.begin_snapshot(out);
  finish(open);
  pane_set<std::string, std::int64_t> of_strings{sums()};
  of_strings.open(all_groups, groups);
  const auto keys = of_strings.restore(out.all).error_text();
  CAPTURE(keys);
  CHECK(keys.find("windows: ") == 0);
  CHECK(keys.find("i64") != std::string::npos);
  CHECK(keys.find("str") != std::string::npos);
  pane_set<std::int64_t, std::string> of_texts{sums(codec_identity<std::string>())};
  of_texts.open(all_groups, groups);
  const auto values = of_texts.restore(out.all).error_text();
  CAPTURE(values);
  CHECK(values.find("contents") != std::string::npos);
  CHECK(values.find("i64") != std::string::npos);
  CHECK(values.find("str") != std::string::npos);
}

TEST_CASE("an accumulator that has got a field is restored with its default", "[pane_set]") {
  struct old_sum {
    std::int64_t sum;
  };
  struct new_sum {
    std::int64_t sum;
    std::int64_t count = 5;
  };
  const std::int64_t key = 3;
  pane_set<std::int64_t, old_sum> before{sums(codec_identity<old_sum>())};
  before.open(all_groups, groups);
  std::byte* const row = before.insert(window(10)).rows.find_or_insert(key, stable_hash(key));
  using old_layout = pane_set<std::int64_t, old_sum>::pane::layout;
  state::cell<old_sum>::construct(row + old_layout::offset(0), old_sum{7});
  state::set_present(row, 0);
  chunks out;
  before.begin_snapshot(out);
  while (before.snapshot_running()) before.sweep(100);

  pane_set<std::int64_t, new_sum> after{sums(codec_identity<new_sum>())};
  after.open(all_groups, groups);
  REQUIRE(after.restore(out.all).error_text() == "");
  using new_layout = pane_set<std::int64_t, new_sum>::pane::layout;
  const auto* found = after.find(window(10))->rows.peek(key, stable_hash(key));
  REQUIRE(found != nullptr);
  CHECK(new_layout::value<0>(found).sum == 7);
  CHECK(new_layout::value<0>(found).count == 5);
}

TEST_CASE("no damage to the bytes of windows passes for a snapshot or is worse than an error",
          "[pane_set]") {
  auto open = make_panes();
  for (std::int64_t key = 0; key < 4; ++key) add(open, 10, key, key);
  chunks out;
  open.begin_snapshot(out);
  finish(open);
  for (std::size_t c = 0; c < out.all.size(); ++c) {
    for (std::size_t length = 0; length < out.all[c].bytes.size(); ++length) {
      auto damaged = out.all;
      damaged[c].bytes.resize(length);
      auto made = make_panes();
      CAPTURE(damaged[c].section, length);
      const bool whole_rows = damaged[c].section == pane_section && length == 0;
      CHECK(made.restore(damaged).ok() == whole_rows);
    }
    for (std::size_t at = 0; at < out.all[c].bytes.size(); ++at) {
      auto damaged = out.all;
      damaged[c].bytes[at] = static_cast<char>(damaged[c].bytes[at] ^ 0x80);
      auto made = make_panes();
      static_cast<void>(made.restore(damaged));  // a checksum is what finds a changed number
    }
  }
}

TEST_CASE("rows without their declarations, or in the wrong key group, are damage", "[pane_set]") {
  auto open = make_panes();
  fill(open);
  chunks out;
  open.begin_snapshot(out);
  finish(open);
  SECTION("no declarations") {
    std::erase_if(out.all, [](const auto& c) { return c.section == pane_declarations_section; });
  }
  SECTION("the wrong group") {
    for (auto& c : out.all)
      if (c.group) c.group = key_group{(c.group->value + 1) % groups};
  }
  SECTION("no group") {
    for (auto& c : out.all) c.group.reset();
  }
  SECTION("twice") {
    const auto once = out.all;
    out.all.insert(out.all.end(), once.begin(), once.end());
  }
  auto made = make_panes();
  const auto done = made.restore(out.all);
  REQUIRE_FALSE(done.ok());
  CHECK(done.failure().code() == errc::corrupt);
}

}  // namespace weir::windowing
