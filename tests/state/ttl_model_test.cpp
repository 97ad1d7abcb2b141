// SPDX-License-Identifier: Apache-2.0
// Random programs over all kinds of state with TTL, against a model that keeps every stamp in a
// map. Clean-ups, snapshots and restores come in between and must not be seen, but for what B.5 of
// the semantics says about a TTL that has changed.
#include "state/ttl_model.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/random.hpp"

#include "state/ttl_contexts.hpp"
#include "state/ttl_rows.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using configs = std::array<optional_ttl, 6>;
enum state_number : std::size_t { value, with_default, reducing, aggregating, list, map };

struct all_states {
  explicit all_states(const configs& c)
      : v{"v", {.ttl = c[value]}},
        d{"d", 77, {.ttl = c[with_default]}},
        r{"r", {.ttl = c[reducing]}},
        a{"a", {.ttl = c[aggregating]}},
        l{"l", {.ttl = c[list]}},
        m{"m", {.ttl = c[map]}} {}
  value_state<std::int64_t> v;
  value_state_with_default<std::int64_t> d;
  reducing_state<std::int64_t, std::plus<>> r;
  aggregating_state<sum_from_three> a;
  list_state<std::int64_t> l;
  map_state<std::int64_t, std::int64_t> m;
  auto uses_states() { return states(v, d, r, a, l, m); }
};

std::string text(const std::optional<std::int64_t>& v) { return v ? std::to_string(*v) : "-"; }
std::string text(const std::int64_t* v) { return v == nullptr ? "-" : std::to_string(*v); }

/// One use of one state: what the state is asked, and what the model says.
struct access {
  std::size_t what;
  std::int64_t n;
};
constexpr std::size_t access_kinds = 21;

std::string carry_out(all_states& f, access a) {
  std::string seen;
  switch (a.what) {
    case 0: return text(f.v.value());
    case 1: return f.v.update(a.n), "";
    case 2: return std::to_string(f.v.edit([&](std::int64_t& v) { return v += a.n; }));
    case 3: return f.v.clear(), "";
    case 4: return std::to_string(f.d.value());
    case 5: return f.d.update(a.n), "";
    case 6: return std::to_string(f.d.edit([&](std::int64_t& v) { return v += a.n; }));
    case 7: return text(f.r.get());
    case 8: return f.r.add(a.n), "";
    case 9: return f.a.get().value_or("-");
    case 10: return f.a.add(a.n), "";
    case 11:
      for (auto v : f.l.get()) seen += std::to_string(v) + ' ';
      return seen;
    case 12: return f.l.add(a.n), "";
    case 13: return f.l.update(std::vector<std::int64_t>{a.n, a.n + 1}), "";
    case 14: return std::to_string(f.l.size()) + (f.l.empty() ? "e" : "");
    case 15: return text(f.m.get(a.n % 3));
    case 16: return f.m.put(a.n % 3, a.n), "";
    case 17: return f.m.remove(a.n % 3), "";
    case 18: return f.m.contains(a.n % 3) ? "yes" : "no";
    case 19: return std::to_string(f.m.size()) + (f.m.empty() ? "e" : "");
    default: return whole_map_context::text_of(f.m.entries());
  }
}

class model {
 public:
  configs ttl;
  model_time time;
  std::map<int, model_row> rows;

  std::string carry_out(int key, access a) {
    model_row& row = rows[key];
    switch (a.what) {
      case 0: return text(read(row, value));
      case 1: return write(row, value, a.n), "";
      case 2: return std::to_string(change(row, value, 0, a.n));
      case 3: return row[value].units.clear(), "";
      case 4: return std::to_string(read(row, with_default).value_or(77));
      case 5: return write(row, with_default, a.n), "";
      case 6: return std::to_string(change(row, with_default, 77, a.n));
      case 7: return text(read(row, reducing));
      case 8: return change(row, reducing, 0, a.n), "";
      case 9: return text(read(row, aggregating));
      case 10: return change(row, aggregating, 3, a.n), "";
      case 11: return read_list(row[list]);
      case 12: return append(row[list], a.n), "";
      case 13:
        row[list].units.clear();
        return append(row[list], a.n), append(row[list], a.n + 1), "";
      case 14: return size_of(row, list);
      case 15: return text(read(row, map, a.n % 3));
      case 16: return write(row, map, a.n, a.n % 3), "";
      case 17: return row[map].units.erase(a.n % 3), "";
      case 18: return read(row, map, a.n % 3) ? "yes" : "no";
      case 19: return size_of(row, map);
      default: return read_map(row[map]);
    }
  }

  std::size_t keys_with_live_state() const {
    std::size_t count = 0;
    for (auto [key, row] : rows) {
      drop_expired(row);
      count += std::any_of(row.begin(), row.end(), [](const auto& c) { return !c.units.empty(); });
    }
    return count;
  }

  void drop_expired(model_row& row) const {
    for (std::size_t s = 0; s < row.size(); ++s) row[s].drop_expired(ttl[s], time);
  }

  /// What a snapshot of now has in it.
  model at_barrier() const {
    model copy = *this;
    for (auto& [key, row] : copy.rows)
      for (std::size_t s = 0; s < row.size(); ++s)
        if (ttl[s] && ttl[s]->full_snapshot) row[s].drop_expired(ttl[s], time);
    return copy;
  }

  /// Goes on with what was snapshotted, under other TTLs, at `now`.
  void restore(const configs& changed, const model_time& now) {
    for (auto& [key, row] : rows)
      for (std::size_t s = 0; s < row.size(); ++s) {
        if (!changed[s] || (ttl[s] && ttl[s]->clock == changed[s]->clock)) continue;
        for (auto& [n, unit] : row[s].units) unit.stamp = model_cell::now(*changed[s], now);
      }
    ttl = changed;
    time = now;
  }

 private:
  std::optional<std::int64_t> read(model_row& row, std::size_t s, std::int64_t n = 0) {
    return row[s].read(n, ttl[s], time);
  }
  void write(model_row& row, std::size_t s, std::int64_t v, std::int64_t n = 0) {
    row[s].write(n, v, ttl[s], time);
  }
  std::int64_t change(model_row& row, std::size_t s, std::int64_t initial, std::int64_t by) {
    const auto changed = row[s].base(0, ttl[s], time).value_or(initial) + by;
    write(row, s, changed);
    return changed;
  }
  void append(model_cell& cell, std::int64_t v) {
    const auto last = cell.units.empty() ? 0 : cell.units.rbegin()->first;
    cell.write(last + 1, v, ttl[list], time);
  }
  std::string size_of(const model_row& row, std::size_t s) const {
    const auto size = row[s].visible(ttl[s], time);
    return std::to_string(size) + (size == 0 ? "e" : "");
  }

  /// Expired elements go when nothing lives, or when the rest is written anew.
  std::string read_list(model_cell& cell) {
    std::string seen;
    bool live = false;
    for (const auto& [n, unit] : cell.units) {
      const bool over = model_cell::expired(unit, ttl[list], time);
      live |= !over;
      if (!over || model_cell::shows(ttl[list])) seen += std::to_string(unit.value) + ' ';
    }
    if (!live) cell.units.clear();
    if (!model_cell::refreshes(ttl[list])) return seen;
    cell.drop_expired(ttl[list], time);
    for (auto& [n, unit] : cell.units)
      unit.stamp = std::max(unit.stamp, model_cell::touch(ttl[list], time));
    return seen;
  }

  std::string read_map(model_cell& cell) {
    std::map<std::int64_t, std::int64_t> seen;
    for (std::int64_t n = 0; n < 3; ++n)
      if (const auto read = cell.read(n, ttl[map], time)) seen.emplace(n, *read);
    return whole_map_context::text_of(seen);
  }
};

/// `exact`: nothing is cleaned up but by reads, and what has expired may be returned.
optional_ttl random_ttl(random_generator& random, bool exact) {
  if (random.below(6) == 0) return std::nullopt;
  auto config = ttl(duration{static_cast<std::int64_t>(1 + random.below(30))});
  if (random.below(2) == 0) config = config.with_update(ttl_update::on_read_and_write);
  if (random.below(2) == 0) config = config.with_clock(ttl_clock::event_time);
  if (random.below(2) == 0) config = config.cleanup_full_snapshot();
  if (!exact) return config.cleanup_incrementally(1 + random.below(3), random.below(2) == 0);
  config = config.disable_cleanup_in_background();
  return random.below(2) == 0
             ? config
             : config.with_visibility(ttl_visibility::return_expired_if_not_cleaned_up);
}

/// The TTLs after a restore. What had expired may come back only where nothing cleans it up.
configs changed_ttls(random_generator& random, const configs& before, bool exact) {
  configs after = before;
  for (auto& config : after) {
    if (random.below(3) != 0) continue;
    const auto other = random_ttl(random, exact);
    const bool brings_back =
        config && (!other || other->clock != config->clock || other->lifetime > config->lifetime);
    if (exact || !brings_back) config = other;
  }
  return after;
}

class program {
 public:
  program(std::uint64_t seed, bool exact) : random_{seed}, exact_{exact} {
    for (auto& config : model_.ttl) config = random_ttl(random_, exact);
    start();
  }

  void run(std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) {
      pass_time();
      for (auto left = 1 + random_.below(6); left > 0; --left) use_one();
      if (!exact_) rows_->clean_up_behind(6);
      if (!exact_ && random_.below(10) == 0) rows_->clean_up(random_.below(20));
      if (random_.below(12) == 0) begin_snapshot();
      if (rows_->snapshotting()) rows_->sweep(random_.below(8));
      if (taken_ && !rows_->snapshotting() && random_.below(2) == 0) restore();
    }
    if (!exact_) {
      rows_->clean_up(1'000'000);  // to the end of the round
      rows_->clean_up(1'000'000);
      CHECK(rows_->size() == model_.keys_with_live_state());
    }
  }

 private:
  using timed_rows = state::keyed_rows<int, all_states, state::timed>;

  void start() {
    rows_.reset();
    function_ = std::make_unique<all_states>(model_.ttl);
    rows_ = std::make_unique<timed_rows>(*function_, ttl_groups, ttl_max_parallelism);
    set_time();
  }
  void set_time() { rows_->set_time({model_.time.clock}, {model_.time.watermark}); }

  void pass_time() {
    if (random_.below(2) == 0) model_.time.clock += static_cast<std::int64_t>(random_.below(8));
    if (random_.below(2) == 0) model_.time.watermark += static_cast<std::int64_t>(random_.below(8));
    set_time();
  }

  void use_one() {
    const auto watermark = model_.time.watermark;
    model_.time.record = watermark - 10 + static_cast<std::int64_t>(random_.below(30));
    const int key = static_cast<int>(random_.below(20));
    const access chosen{random_.below(access_kinds), static_cast<std::int64_t>(random_.below(50))};
    rows_->set_record_time({model_.time.record});
    std::string seen;
    rows_->with_key(key, stable_hash(key),
                    [&](all_states& f, int) { seen = testing::carry_out(f, chosen); });
    CAPTURE(key, chosen.what, chosen.n);
    REQUIRE(seen == model_.carry_out(key, chosen));
  }

  void begin_snapshot() {
    taken_.emplace();
    at_barrier_ = model_.at_barrier();
    rows_->begin_snapshot(*taken_, "op");
  }

  /// As after a crash, at once or much later.
  void restore() {
    auto now = model_.time;
    if (random_.below(3) == 0) now.clock += 20;
    if (random_.below(2) == 0) now.watermark = at_barrier_.time.watermark;
    const auto changed = changed_ttls(random_, at_barrier_.ttl, exact_);
    model_ = std::move(at_barrier_);
    model_.restore(changed, now);
    const auto chunks = std::move(taken_->chunks);
    taken_.reset();
    start();
    REQUIRE(rows_->restore(chunks, "op").ok());
  }

  random_generator random_;
  bool exact_;
  model model_;
  std::unique_ptr<all_states> function_;
  std::unique_ptr<timed_rows> rows_;
  std::optional<collected_chunks> taken_;
  model at_barrier_;
};

TEST_CASE("random programs see of a TTL what the model says, whatever is cleaned up", "[ttl]") {
  const bool exact = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(exact, seed);
    program{seed, exact}.run(300);
  }
}

}  // namespace
}  // namespace weir::testing
