// SPDX-License-Identifier: Apache-2.0
// Random changes of all kinds of operator state while snapshots run, are abandoned and overtaken:
// each snapshot must be the state at its barrier.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/state/operator_state_store.hpp"

#include "state/operator_fleet.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

struct content {
  std::vector<std::string> list;
  std::vector<std::string> all;
  std::map<int, std::string> rules;

  friend bool operator==(const content&, const content&) = default;
};

class operator_state_model {
 public:
  explicit operator_state_model(std::uint64_t seed) : random_{seed} { start({}); }

  /// What went wrong; empty: nothing.
  std::string run(int steps) {
    for (int i = 0; i < steps && wrong_.empty(); ++i) {
      step();
      if (seen() != now_) wrong_ = "the state is not what was put into it";
    }
    return wrong_;
  }

  int restores() const { return restores_; }

 private:
  void start(const std::vector<state::snapshot_chunk>& chunks) {
    store_.emplace();
    kept_log log;
    if (auto done = store_->restore(chunks, {0}, 1, log, "op"); !done) wrong_ = done.error_text();
  }

  content seen() {
    const auto entries = store_->broadcast_state<int, std::string>("rules").entries();
    return {all_of(store_->list_state<std::string>("list")),
            all_of(store_->union_list_state<std::string>("all")),
            {entries.begin(), entries.end()}};
  }

  std::string text() {
    return std::string(random_.below(40), static_cast<char>('a' + random_.below(26)));
  }

  void step() {
    switch (random_.below(10)) {
      case 0: return begin();
      case 1: return abandon();
      case 2:
      case 3:
      case 4: return sweep();
      case 5:
      case 6: return change_lists();
      default: return change_rules();
    }
  }

  void begin() {
    taken_.emplace();
    at_barrier_ = now_;
    store_->begin_snapshot(*taken_);
  }

  void abandon() {
    if (random_.chance(1, 4)) {
      store_->abort_snapshot();
      taken_.reset();
    }
  }

  void sweep() {
    if (!taken_) return;
    const auto most = 1 + random_.below(50);
    if (store_->sweep(most) == most && store_->snapshotting()) return;
    if (store_->snapshotting()) return;
    const auto chunks = std::exchange(taken_, {})->chunks;
    if (random_.chance(1, 2)) return;
    ++restores_;
    start(chunks);
    now_ = at_barrier_;
  }

  void change_lists() {
    change(store_->list_state<std::string>("list"), now_.list);
    change(store_->union_list_state<std::string>("all"), now_.all);
  }

  template <class List>
  void change(List& list, std::vector<std::string>& model) {
    const auto kind = random_.below(30);
    if (kind == 0) {
      list.clear();
      model.clear();
    } else if (kind == 1) {
      std::vector<std::string> values{text(), text(), text()};
      list.update(values);
      model = values;
    } else {
      const auto value = text();
      list.add(value);
      model.push_back(value);
    }
  }

  void change_rules() {
    auto rules = store_->broadcast_state<int, std::string>("rules");
    const auto key = static_cast<int>(random_.below(500));
    const auto kind = random_.below(300);
    if (kind == 0) {
      rules.clear();
      now_.rules.clear();
    } else if (kind < 90) {
      if (rules.remove(key) != (now_.rules.erase(key) > 0)) wrong_ = "remove() lies";
    } else {
      const auto value = text();
      rules.put(key, value);
      now_.rules[key] = value;
    }
    const auto* found = rules.get(key);
    if ((found != nullptr) != now_.rules.contains(key)) wrong_ = "get() lies";
  }

  random_generator random_;
  std::optional<state::operator_state_store> store_;
  content now_;
  content at_barrier_;
  std::optional<operator_snapshot> taken_;
  int restores_ = 0;
  std::string wrong_;
};

TEST_CASE("a snapshot is the operator state at its barrier, whatever changes while it is taken",
          "[operator_state]") {
  int restores = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    operator_state_model model{seed};
    REQUIRE(model.run(2000) == "");
    restores += model.restores();
  }
  CHECK(restores > 200);
}

}  // namespace
}  // namespace weir::testing
