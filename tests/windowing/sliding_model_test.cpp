// SPDX-License-Identifier: Apache-2.0
// Sliding windows that share panes beside windows that keep all their records, a key at a time.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "weir/core/random.hpp"

#include "support/catch.hpp"
#include "windowing/sliding_sums.hpp"
#include "windowing/window_subtask.hpp"

namespace weir::testing {
namespace {

/// A function that shows in which order values were added and merged: each value is a map x → ax +
/// b, and they are composed. Composition is associative and not commutative.
struct composition {
  struct accumulator {
    std::uint64_t a = 1, b = 0;
  };
  void add(const reading& r, accumulator& to) const {
    const auto v = static_cast<std::uint64_t>(r.value);
    merge({2 * v + 3, v}, to);
  }
  void merge(const accumulator& from, accumulator& into) const {
    into = {into.a * from.a, into.a * from.b + into.b};
  }
  std::int64_t get_result(const accumulator& x) const {
    return static_cast<std::int64_t>(x.a * 31 + x.b);
  }
};

struct shape {
  std::int64_t size, slide, offset, lateness;
};

/// The windows of one key.
class naive_windows {
 public:
  explicit naive_windows(std::string key, shape s) : key_{std::move(key)}, shape_{s} {}

  /// Adds a record; `out` gets what is emitted. False: it is late.
  bool add(std::int64_t time, std::int64_t value, std::vector<window_row>& out) {
    const auto [size, slide, offset, lateness] = shape_;
    bool taken = false, any = false;
    for (std::int64_t start = time - size + 1; start <= time; ++start) {
      if (floor_mod(start - offset, slide) != 0) continue;
      any = true;
      const std::int64_t last = start + size - 1;
      if (last + lateness <= watermark_) continue;
      taken = true;
      windows_[start].push_back({time, value});
      if (last <= watermark_) emit(start, out);
    }
    return taken || (!any && time + lateness > watermark_);
  }

  void advance(std::int64_t watermark, std::vector<window_row>& out) {
    if (watermark <= watermark_) return;
    for (const auto& [start, records] : windows_) {
      const std::int64_t last = start + shape_.size - 1;
      if (last > watermark_ && last <= watermark) emit(start, out);
    }
    watermark_ = watermark;
  }

 private:
  struct record {
    std::int64_t time, value;
  };

  /// Records with no edge of a window between them stay in their order, others go by time.
  void emit(std::int64_t start, std::vector<window_row>& out) {
    const auto edges = [&](std::int64_t time) {
      std::int64_t count = 0;
      for (std::int64_t t = start + 1; t <= time; ++t)
        count += floor_mod(t - shape_.offset, shape_.slide) == 0 ||
                         floor_mod(t - shape_.offset - shape_.size, shape_.slide) == 0
                     ? 1
                     : 0;
      return count;
    };
    auto records = windows_.at(start);
    std::stable_sort(records.begin(), records.end(), [&](const record& a, const record& b) {
      return edges(a.time) < edges(b.time);
    });
    composition::accumulator all;
    for (const record& r : records) composition{}.add({key_, r.value}, all);
    out.push_back({key_, at(start), at(start + shape_.size), composition{}.get_result(all)});
  }

  std::string key_;
  shape shape_;
  std::int64_t watermark_ = event_time::min().ms;
  std::map<std::int64_t, std::vector<record>> windows_;
};

void sort(std::vector<window_row>& rows) {
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::tie(a.end, a.sensor, a.result) < std::tie(b.end, b.sensor, b.result);
  });
}

/// Subtasks of sliding windows and the model beside them.
class both_sides {
 public:
  explicit both_sides(std::uint64_t seed) : random_{seed} {
    shape_.size = pick(1, 25);
    shape_.slide = pick(1, 25);
    shape_.offset = pick(1 - shape_.slide, shape_.slide - 1);
    shape_.lateness = random_.chance(1, 2) ? 0 : pick(1, 40);
    using contents = windowing::aggregating<reading, composition>;
    make_ = sliding_operator(
        windowing::sliding_event_time(duration{shape_.size}, duration{shape_.slide},
                                      duration{shape_.offset}),
        contents{composition{}}, duration{shape_.lateness});
    for (int i = 0; i < 9; ++i) {
      keys_.push_back("sensor " + std::to_string(i));
      models_.emplace_back(keys_.back(), shape_);
    }
    begin(nullptr);
  }

  void step() {
    switch (random_.below(8)) {
      case 0: return restore();
      case 1:
      case 2: return advance();
      default: return push();
    }
  }

  std::uint64_t late() const { return late_; }
  std::uint64_t fired() const { return fired_; }

 private:
  std::int64_t pick(std::int64_t from, std::int64_t to) {
    return from +
           static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(to - from + 1)));
  }

  void begin(const std::vector<state::snapshot_chunk>* from) {
    subtasks_.clear();
    const auto parallelism = static_cast<std::uint32_t>(pick(1, 3));
    for (std::uint32_t i = 0; i < parallelism; ++i) {
      groups_[i] = {key_group{test_key_groups * i / parallelism},
                    key_group{test_key_groups * (i + 1) / parallelism - 1}};
      subtasks_.push_back(std::make_unique<window_subtask>(make_, groups_[i], from));
      REQUIRE(subtasks_.back()->outcome.error_text() == "");
    }
  }

  bool owns(std::size_t subtask, const std::string& key) const {
    return groups_[subtask].contains(key_group_of(stable_hash(key), test_key_groups));
  }

  void push() {
    for (std::size_t i = 0; i < subtasks_.size(); ++i) {
      std::vector<std::pair<reading, event_time>> records;
      std::vector<window_row> expected;
      std::uint64_t late = 0;
      for (std::int64_t n = pick(1, 12); n > 0; --n) {
        const auto key = random_.below(keys_.size());
        if (!owns(i, keys_[key])) continue;
        const std::int64_t time = now_ + pick(-45, 30), value = pick(1, 1000);
        records.push_back({{keys_[key], value}, at(time)});
        late += models_[key].add(time, value, expected) ? 0 : 1;
      }
      if (records.empty()) continue;
      const auto before = subtasks_[i]->late();
      subtasks_[i]->push(records);
      CHECK(subtasks_[i]->late() - before == late);
      late_ += late;
      compare(i, std::move(expected));
    }
  }

  /// Subtasks do not get watermarks at the same time.
  void advance() {
    now_ += pick(0, 15);
    for (std::size_t i = 0; i < subtasks_.size(); ++i) {
      const std::int64_t watermark = now_ - pick(0, 20);
      std::vector<window_row> expected;
      for (std::size_t key = 0; key < keys_.size(); ++key)
        if (owns(i, keys_[key])) models_[key].advance(watermark, expected);
      subtasks_[i]->watermark(at(watermark));
      fired_ += expected.size();
      compare(i, std::move(expected));
    }
  }

  void restore() {
    std::vector<state::snapshot_chunk> all;
    for (auto& subtask : subtasks_)
      for (auto& chunk : subtask->snapshot()) all.push_back(std::move(chunk));
    begin(&all);
  }

  void compare(std::size_t subtask, std::vector<window_row> expected) {
    sort(expected);
    REQUIRE(subtasks_[subtask]->take_rows() == expected);
  }

  random_generator random_;
  shape shape_{};
  operator_harness::factory make_;
  std::vector<std::string> keys_;
  std::vector<naive_windows> models_;
  std::vector<std::unique_ptr<window_subtask>> subtasks_;
  key_group_range groups_[3];
  std::int64_t now_ = -40;
  std::uint64_t late_ = 0;
  std::uint64_t fired_ = 0;
};

}  // namespace

TEST_CASE("sliding windows that share panes come to what separate windows do",
          "[sliding_window_operator]") {
  std::uint64_t late = 0, fired = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    both_sides run{seed};
    for (int step = 0; step < 60; ++step) run.step();
    late += run.late();
    fired += run.fired();
  }
  CHECK(late > 1000);
  CHECK(fired > 10'000);
}

}  // namespace weir::testing
