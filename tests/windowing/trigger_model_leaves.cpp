// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "windowing/trigger_model.hpp"

namespace weir::testing::model {
namespace {

constexpr auto event = clock_kind::event;
constexpr auto processing = clock_kind::processing;

/// A trigger without parts. What it remembers is `Memory`, and when it wants to be called.
template <class Self, class Memory>
class leaf : public node {
 public:
  trigger fresh() const override {
    auto copy = std::make_unique<Self>(static_cast<const Self&>(*this));
    copy->forget();
    return copy;
  }
  verdict element(int, std::int64_t, const view&) override { return {}; }
  verdict ring(const alarm& due, const view& v) override {
    if (!called_) return {};
    called_ = false;
    return on_alarm(due, v);
  }
  void start(const view&) override {}
  void forget() override {
    memory = {};
    wanted.clear();
    called_ = false;
  }
  void merge(const std::vector<const node*>& old, const view& v) override {
    join(as<Self>(old), v);
  }
  std::set<alarm> alarms() const override { return wanted; }
  void take(const alarm& due) override { called_ = wanted.erase(due) > 0; }

  Memory memory{};
  std::set<alarm> wanted;

 protected:
  virtual verdict on_alarm(const alarm&, const view&) { return {}; }
  virtual void join(const std::vector<const Self*>&, const view&) {}

  void want(clock_kind kind, std::int64_t time) { wanted.insert({kind, time}); }

 private:
  bool called_ = false;
};

struct nothing {};

class count_node final : public leaf<count_node, int> {
 public:
  explicit count_node(int wanted) : n{wanted} {}
  verdict element(int, std::int64_t, const view&) override {
    if (++memory < n) return {};
    memory = 0;
    return {.fire = true};
  }
  void join(const std::vector<const count_node*>& old, const view&) override {
    for (const auto* o : old) memory += o->memory;
  }
  int n;
};

class sum_node final : public leaf<sum_node, int> {
 public:
  explicit sum_node(int wanted) : threshold{wanted} {}
  verdict element(int value, std::int64_t, const view&) override {
    memory += value;
    if (memory < threshold) return {};
    memory = 0;
    return {.fire = true};
  }
  void join(const std::vector<const sum_node*>& old, const view&) override {
    for (const auto* o : old) memory += o->memory;
  }
  int threshold;
};

class after_clock_node final : public leaf<after_clock_node, nothing> {
 public:
  explicit after_clock_node(std::int64_t d) : delay{d} {}
  verdict element(int, std::int64_t, const view& v) override {
    if (wanted.empty()) want(processing, v.clock + delay);
    return {};
  }
  verdict on_alarm(const alarm&, const view&) override { return {.fire = true}; }
  void join(const std::vector<const after_clock_node*>& old, const view&) override {
    for (const auto* o : old) wanted.insert(o->wanted.begin(), o->wanted.end());
    while (wanted.size() > 1) wanted.erase(std::prev(wanted.end()));
  }
  std::int64_t delay;
};

class event_end_node final : public leaf<event_end_node, nothing> {
 public:
  verdict element(int, std::int64_t, const view& v) override {
    if (v.last <= v.watermark) return {.fire = true, .because_of_end = v.ends_by == event};
    want(event, v.last);
    return {};
  }
  verdict on_alarm(const alarm& due, const view& v) override {
    return {.fire = due.second == v.last, .because_of_end = v.ends_by == event};
  }
  void start(const view& v) override {
    if (v.last > v.watermark) want(event, v.last);
  }
  void join(const std::vector<const event_end_node*>&, const view& v) override { start(v); }
};

class clock_end_node final : public leaf<clock_end_node, nothing> {
 public:
  verdict element(int, std::int64_t, const view& v) override {
    want(processing, v.last);
    return {};
  }
  verdict on_alarm(const alarm& due, const view& v) override {
    return {.fire = true, .because_of_end = v.ends_by == processing && due.second == v.last};
  }
  void start(const view& v) override {
    if (v.last > v.clock) want(processing, v.last);
  }
  void join(const std::vector<const clock_end_node*>&, const view& v) override { start(v); }
};

std::int64_t next_multiple(std::int64_t time, std::int64_t interval) {
  std::int64_t next = time - time % interval;
  while (next > time) next -= interval;
  while (next <= time) next += interval;
  return next;
}

class every_event_node final : public leaf<every_event_node, std::optional<std::int64_t>> {
 public:
  explicit every_event_node(std::int64_t i) : interval{i} {}
  verdict element(int, std::int64_t time, const view& v) override {
    if (v.last <= v.watermark) return {.fire = true, .because_of_end = v.ends_by == event};
    want(event, v.last);
    if (!memory) arm(next_multiple(time, interval), v);
    return {};
  }
  verdict on_alarm(const alarm& due, const view& v) override {
    if (due.second == v.last) return {.fire = true, .because_of_end = v.ends_by == event};
    if (memory != due.second) return {};
    arm(due.second + interval, v);
    return {.fire = true};
  }
  void start(const view& v) override {
    if (v.last > v.watermark) want(event, v.last);
  }
  void join(const std::vector<const every_event_node*>& old, const view&) override {
    for (const auto* o : old)
      if (o->memory) memory = memory ? std::min(*memory, *o->memory) : *o->memory;
    if (memory) want(event, *memory);
  }
  void arm(std::int64_t time, const view& v) {
    memory = std::min(time, v.last);
    want(event, *memory);
  }
  std::int64_t interval;
};

class every_clock_node final : public leaf<every_clock_node, std::optional<std::int64_t>> {
 public:
  explicit every_clock_node(std::int64_t i) : interval{i} {}
  verdict element(int, std::int64_t, const view& v) override {
    if (!memory) arm(next_multiple(v.clock, interval), v);
    return {};
  }
  verdict on_alarm(const alarm& due, const view& v) override {
    if (v.ends_by == processing && due.second == v.last)
      return {.fire = true, .because_of_end = true};
    if (memory != due.second) return {};
    const bool at_last = due.second == v.last;
    arm(due.second + interval, v);
    return {.fire = true, .because_of_end = at_last && v.ends_by == processing};
  }
  void join(const std::vector<const every_clock_node*>& old, const view&) override {
    for (const auto* o : old)
      if (o->memory) memory = memory ? std::min(*memory, *o->memory) : *o->memory;
    if (memory) want(processing, *memory);
  }
  void arm(std::int64_t time, const view& v) {
    memory = v.ends_by == processing ? std::min(time, v.last) : time;
    want(processing, *memory);
  }
  std::int64_t interval;
};

class if_divides_node final : public leaf<if_divides_node, nothing> {
 public:
  explicit if_divides_node(int d) : divisor{d} {}
  verdict element(int value, std::int64_t, const view&) override {
    return {.fire = value % divisor == 0};
  }
  int divisor;
};

class cleanup_node final : public leaf<cleanup_node, nothing> {
 public:
  verdict element(int, std::int64_t, const view& v) override {
    if (has_cleanup(v)) want(*v.ends_by, v.cleanup);
    return {};
  }
  verdict on_alarm(const alarm&, const view&) override { return {.fire = true}; }
  void start(const view& v) override {
    if (has_cleanup(v) && v.cleanup > v.on(*v.ends_by)) want(*v.ends_by, v.cleanup);
  }
  void join(const std::vector<const cleanup_node*>&, const view& v) override {
    if (has_cleanup(v)) want(*v.ends_by, v.cleanup);
  }
  static bool has_cleanup(const view& v) {
    return v.ends_by && v.cleanup != std::numeric_limits<std::int64_t>::max();
  }
};

class never_node final : public leaf<never_node, nothing> {};

class purger_node final : public leaf<purger_node, nothing> {
 public:
  verdict element(int value, std::int64_t, const view&) override {
    return {.fire = value % 3 == 1, .purge = value % 3 < 2};
  }
};

class alarm_for_each_node final : public leaf<alarm_for_each_node, nothing> {
 public:
  verdict element(int, std::int64_t time, const view& v) override {
    want(event, time + 2);
    want(processing, v.clock + 3);
    return {};
  }
  verdict on_alarm(const alarm&, const view&) override { return {.fire = true}; }
  void join(const std::vector<const alarm_for_each_node*>& old, const view&) override {
    std::set<alarm> all;
    for (const auto* o : old) all.insert(o->wanted.begin(), o->wanted.end());
    for (const auto kind : {event, processing}) {
      const auto first = all.lower_bound({kind, std::numeric_limits<std::int64_t>::min()});
      if (first != all.end() && first->first == kind) wanted.insert(*first);
    }
  }
};

}  // namespace

trigger count(int n) { return std::make_unique<count_node>(n); }
trigger after_clock(std::int64_t delay) { return std::make_unique<after_clock_node>(delay); }
trigger event_end() { return std::make_unique<event_end_node>(); }
trigger clock_end() { return std::make_unique<clock_end_node>(); }
trigger every_event(std::int64_t interval) { return std::make_unique<every_event_node>(interval); }
trigger every_clock(std::int64_t interval) { return std::make_unique<every_clock_node>(interval); }
trigger if_divides(int divisor) { return std::make_unique<if_divides_node>(divisor); }
trigger sum_reaches(int threshold) { return std::make_unique<sum_node>(threshold); }
trigger cleanup() { return std::make_unique<cleanup_node>(); }
trigger never() { return std::make_unique<never_node>(); }
trigger purger() { return std::make_unique<purger_node>(); }
trigger alarm_for_each() { return std::make_unique<alarm_for_each_node>(); }

}  // namespace weir::testing::model
