// SPDX-License-Identifier: Apache-2.0
// All kinds of keyed state against a model, while snapshots run.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/state/keyed_rows.hpp"
#include "weir/state/namespaced_rows.hpp"

#include "state/all_kinds.hpp"
#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::timed;
using state::untimed;

constexpr key_group_range all_groups{{0}, {15}};

/// Rows of all kinds of states, one for each key.
template <class Timing>
struct keyed_kind {
  using function = all_kinds;
  using rows_type = state::keyed_rows<int, function, Timing>;
  static constexpr bool has_time = rows_type::is_timed;
  static constexpr bool merges = false;

  static auto& rows_of(rows_type& rows) { return rows; }
  template <class Use>
  static void with(rows_type& rows, std::pair<int, int> key, Use use) {
    const int number = key.first * 3 + key.second;
    rows.with_key(number, stable_hash(number), [&](function& f, int) { use(f); });
  }
};

/// Rows of states that can be merged, one for each key and namespace.
template <class Timing>
struct namespaced_kind {
  using function = mergeable_kinds;
  using rows_type = state::namespaced_rows<int, int, function, Timing>;
  static constexpr bool has_time = rows_type::rows_type::is_timed;
  static constexpr bool merges = true;

  static auto& rows_of(rows_type& rows) { return rows.rows(); }
  template <class Use>
  static void with(rows_type& rows, std::pair<int, int> key, Use use) {
    rows.with(key.first, key.second, stable_hash(key.first), [&](function& f, int) { use(f); });
  }
};

/// Rows and what they should be, changed at random in the same way.
template <class Kind>
class rows_beside_model {
 public:
  rows_beside_model(std::uint64_t seed, state_options options)
      : random_{seed}, options_{std::move(options)} {
    modelled_states::lifetime = options_.ttl ? options_.ttl->lifetime.count() : 0;
    start_anew();
  }

  void step() {
    switch (random_.below(40)) {
      case 0: begin_snapshot(); break;
      case 1:
        if (random_.chance(1, 8)) rows().abort_snapshot(), at_barrier_.reset();
        break;
      case 2: clear_a_key(); break;
      case 3:
        keys_ = 10 + static_cast<int>(random_.below(random_.chance(1, 4) ? 3000 : 100));
        break;
      case 4: let_time_pass(); break;
      case 5: clean_up(); break;
      case 6:
      case 7: merge(); break;
      default: change_a_key();
    }
    go_on_with_snapshot();
  }

  /// Whether all keys are as they should be.
  bool right() { return is(*rows_, model_, now_); }

  int snapshots = 0;
  int keys_restored = 0;

 private:
  using key = std::pair<int, int>;
  using model = std::map<key, modelled_states>;
  using rows_type = typename Kind::rows_type;

  auto& rows() { return Kind::rows_of(*rows_); }

  void start_anew() {
    rows_.reset();
    function_ = std::make_unique<typename Kind::function>(options_);
    rows_ = std::make_unique<rows_type>(*function_, all_groups, all_groups.size());
    tell_time();
  }

  void tell_time() {
    if constexpr (Kind::has_time) rows().set_time({now_}, {now_});
  }
  void let_time_pass() {
    now_ += static_cast<std::int64_t>(random_.below(10));
    tell_time();
  }
  void clean_up() {
    if constexpr (Kind::has_time) rows().clean_up(random_.below(100));
  }

  key any_key() {
    return {static_cast<int>(random_.below(static_cast<std::uint64_t>(keys_))),
            static_cast<int>(random_.below(3))};
  }

  void change_a_key() {
    const auto k = any_key();
    Kind::with(*rows_, k, [&](auto& f) { model_[k].change(f, random_, now_); });
  }

  void clear_a_key() {
    const auto k = any_key();
    model_.erase(k);
    Kind::with(*rows_, k, [](auto& f) {
      std::apply([](auto&... state) { (state.clear(), ...); }, f.uses_states());
    });
  }

  void merge() {
    if constexpr (Kind::merges) {
      const auto target = any_key();
      const std::vector<int> sources{(target.second + 2) % 3, (target.second + 1) % 3};
      CHECK(rows_->merge_namespaces(target.first, target.second, sources).ok());
      modelled_states merged;
      for (const int source : sources) merged.merge(model_[{target.first, source}], now_);
      model_[target].merge(merged, now_);
    }
  }

  void begin_snapshot() {
    if (at_barrier_) return;
    at_barrier_ = model_;
    barrier_ = now_;
    chunks_ = {};
    rows().begin_snapshot(chunks_, "s");
  }

  void go_on_with_snapshot() {
    if (!at_barrier_) return;
    rows().sweep(random_.below(60));
    if (rows().snapshotting()) return;
    ++snapshots;
    check_snapshot();
    at_barrier_.reset();
  }

  void check_snapshot() {
    const auto before = now_;
    auto function = std::exchange(function_, nullptr);
    auto rows_before = std::exchange(rows_, nullptr);
    now_ = barrier_;
    start_anew();
    REQUIRE(rows().restore(chunks_.chunks, "s").ok());
    keys_restored += static_cast<int>(rows().size());
    REQUIRE(is(*rows_, *at_barrier_, barrier_));
    if (random_.chance(1, 4)) {  // a crash: go on from here
      model_ = *at_barrier_;
      return;
    }
    rows_ = std::move(rows_before);
    function_ = std::move(function);
    now_ = before;
    tell_time();
  }

  static bool is(rows_type& rows, const model& wanted, std::int64_t now) {
    bool right = true;
    std::size_t with_state = 0;
    for (const auto& [k, states] : wanted) {
      const auto seen = states.seen(now);
      with_state += seen == shown_states{} ? 0 : 1;
      Kind::with(rows, k, [&, &s = states](auto& f) { right = right && show(f) == s.seen(now); });
    }
    // The keys that are left are those with something to see: all have been read.
    return right && Kind::rows_of(rows).size() == with_state;
  }

  random_generator random_;
  state_options options_;
  std::unique_ptr<typename Kind::function> function_;
  std::unique_ptr<rows_type> rows_;
  model model_;
  std::optional<model> at_barrier_;
  std::int64_t barrier_ = 0;
  collected_chunks chunks_;
  std::int64_t now_ = 0;
  int keys_ = 30;
};

template <class Kind>
void run(const state_options& options) {
  const auto seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  rows_beside_model<Kind> both{seed, options};
  for (int step = 0; step < 3000; ++step) {
    CAPTURE(step);
    both.step();
  }
  CHECK(both.right());
  CHECK(both.snapshots > 10);
  CHECK(both.keys_restored > 1000);
}

const state_options with_ttl{.ttl = ttl(duration{50})};

TEST_CASE("what a snapshot holds is the state at its barrier, of every kind", "[state_model]") {
  run<keyed_kind<untimed>>({});
}

TEST_CASE("what a snapshot holds is the state at its barrier, with TTL and clean-up",
          "[state_model][ttl]") {
  // as<>: the first value alone would be kept as a reference to a copy that is gone.
  run<keyed_kind<timed>>(GENERATE(as<state_options>{}, with_ttl,
                                  state_options{.ttl = ttl(duration{50}).cleanup_full_snapshot()}));
}

TEST_CASE("what a snapshot holds is the state at its barrier while namespaces merge",
          "[state_model]") {
  run<namespaced_kind<untimed>>({});
}

TEST_CASE("what a snapshot holds is the state at its barrier while namespaces with TTL merge",
          "[state_model][ttl]") {
  run<namespaced_kind<timed>>(with_ttl);
}

TEST_CASE("C071: a snapshot does not see what comes behind its barrier", "[state_model]") {
  struct function {
    list_state<int> list{"list"};
    auto uses_states() { return states(list); }
  };
  using rows_type = state::keyed_rows<std::string, function>;
  const auto with = [](rows_type& rows, const std::string& key, auto use) {
    rows.with_key(key, stable_hash(key), [&](function& f, const std::string&) { use(f.list); });
  };
  const auto holds = [&](rows_type& rows, const std::string& key, const std::vector<int>& wanted) {
    bool right = false;
    with(rows, key, [&](list_state<int>& list) {
      const auto held = list.get();
      right = std::vector<int>(held.begin(), held.end()) == wanted;
    });
    return right;
  };
  function f, g;
  rows_type rows{f, all_groups, all_groups.size()}, restored{g, all_groups, all_groups.size()};
  with(rows, "a", [](list_state<int>& list) { list.add(1); });
  collected_chunks chunks;
  rows.begin_snapshot(chunks, "s");
  with(rows, "a", [](list_state<int>& list) { list.add(2); });
  with(rows, "b", [](list_state<int>& list) { list.add(3); });
  while (rows.snapshotting()) rows.sweep(100);
  REQUIRE(restored.restore(chunks.chunks, "s").ok());
  CHECK(restored.size() == 1);
  CHECK(holds(restored, "a", {1}));
  CHECK(holds(restored, "b", {}));
  CHECK(holds(rows, "a", {1, 2}));
}

}  // namespace
}  // namespace weir::testing
