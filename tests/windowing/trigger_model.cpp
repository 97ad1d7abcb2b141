// SPDX-License-Identifier: Apache-2.0
#include "windowing/trigger_model.hpp"

#include <algorithm>

namespace weir::testing::model {
namespace {

constexpr auto event = clock_kind::event;
constexpr auto processing = clock_kind::processing;

verdict together(const verdict& a, const verdict& b) {
  verdict both{a.fire || b.fire, a.purge || b.purge, false};
  if (a.fire && b.fire) both.because_of_end = a.because_of_end && b.because_of_end;
  if (a.fire != b.fire) both.because_of_end = a.fire ? a.because_of_end : b.because_of_end;
  return both;
}

/// What happens to a trigger: an element or a timer.
using happening = std::function<verdict(node&)>;

/// A trigger made of others.
template <class Self>
class composite : public node {
 public:
  explicit composite(std::vector<trigger> all) : parts{std::move(all)} {}

  trigger fresh() const override {
    std::vector<trigger> copies;
    for (const auto& p : parts) copies.push_back(p->fresh());
    return static_cast<const Self&>(*this).like(std::move(copies));
  }
  verdict element(int value, std::int64_t time, const view& v) override {
    return happens([&](node& n) { return n.element(value, time, v); }, v);
  }
  verdict ring(const alarm& due, const view& v) override {
    return happens([&](node& n) { return n.ring(due, v); }, v);
  }
  void start(const view& v) override {
    for (auto& p : parts) p->start(v);
  }
  void forget() override {
    for (auto& p : parts) p->forget();
  }
  void merge(const std::vector<const node*>& old, const view& v) override {
    for (std::size_t i = 0; i < parts.size(); ++i) merge_part(i, old, v);
  }
  std::set<alarm> alarms() const override {
    std::set<alarm> all;
    for (const auto& p : parts)
      for (const auto& a : p->alarms()) all.insert(a);
    return all;
  }
  void take(const alarm& due) override {
    for (auto& p : parts) p->take(due);
  }

  std::vector<trigger> parts;

 protected:
  virtual verdict happens(const happening& what, const view& v) = 0;

  void merge_part(std::size_t i, const std::vector<const node*>& old, const view& v) {
    std::vector<const node*> theirs;
    for (const auto* o : as<Self>(old)) theirs.push_back(o->parts[i].get());
    parts[i]->merge(theirs, v);
  }
};

class any_node final : public composite<any_node> {
 public:
  using composite::composite;
  trigger like(std::vector<trigger> p) const { return std::make_unique<any_node>(std::move(p)); }
  verdict happens(const happening& what, const view&) override {
    verdict all;
    for (auto& p : parts)
      if (!p->finished()) all = together(all, what(*p));
    return all;
  }
  bool can_finish() const override {
    return std::all_of(parts.begin(), parts.end(), [](auto& p) { return p->can_finish(); });
  }
  bool finished() const override {
    return std::all_of(parts.begin(), parts.end(), [](auto& p) { return p->finished(); });
  }
};

class all_node final : public composite<all_node> {
 public:
  struct mark {
    bool for_good = false;  // fired for another reason than the window's end
    bool at_end = false;
    bool purge = false;

    bool there() const { return for_good || at_end; }
  };

  explicit all_node(std::vector<trigger> p) : composite{std::move(p)}, marks(parts.size()) {}
  trigger like(std::vector<trigger> p) const { return std::make_unique<all_node>(std::move(p)); }
  verdict happens(const happening& what, const view&) override {
    if (finished()) return {};
    verdict out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i]->finished()) continue;
      const verdict v = what(*parts[i]);
      if (v.fire) {
        (v.because_of_end ? marks[i].at_end : marks[i].for_good) = true;
        marks[i].purge |= v.purge;
      } else {
        out.purge |= v.purge;
      }
    }
    if (!std::all_of(marks.begin(), marks.end(), [](auto& m) { return m.there(); })) return out;
    out.fire = true;
    for (const auto& m : marks) {
      out.purge |= m.purge;
      out.because_of_end |= !m.for_good;
    }
    marks.assign(parts.size(), {});
    tidy();
    return out;
  }
  void forget() override {
    composite::forget();
    marks.assign(parts.size(), {});
  }
  void merge(const std::vector<const node*>& old, const view& v) override {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const auto* o : as<all_node>(old)) {
        marks[i].for_good |= o->marks[i].for_good;
        marks[i].at_end |= o->marks[i].at_end;
        marks[i].purge |= o->marks[i].purge;
      }
      if (!v.ended() && !marks[i].for_good) marks[i] = {};
    }
    composite::merge(old, v);
    tidy();
  }
  bool can_finish() const override {
    return std::any_of(parts.begin(), parts.end(), [](auto& p) { return p->can_finish(); });
  }
  bool finished() const override {
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i]->finished() && !marks[i].there()) return true;
    return false;
  }
  void tidy() {
    if (!finished()) return;
    for (auto& p : parts)
      if (!p->finished()) p->forget();
  }
  std::vector<mark> marks;
};

class sequence_node final : public composite<sequence_node> {
 public:
  using composite::composite;
  trigger like(std::vector<trigger> p) const {
    return std::make_unique<sequence_node>(std::move(p));
  }
  verdict happens(const happening& what, const view& v) override {
    if (!active) active = 0;
    const verdict out = what(*parts[*active]);
    if (out.fire && *active + 1 < parts.size()) {
      parts[*active]->forget();
      ++*active;
      parts[*active]->start(v);
    }
    return out;
  }
  void start(const view& v) override {
    active = 0;
    parts[0]->start(v);
  }
  void forget() override {
    composite::forget();
    active.reset();
  }
  void merge(const std::vector<const node*>& old, const view& v) override {
    for (const auto* o : as<sequence_node>(old))
      if (o->active) active = active ? std::min(*active, *o->active) : *o->active;
    if (active) merge_part(*active, old, v);
  }
  bool can_finish() const override { return parts.back()->can_finish(); }
  bool finished() const override {
    return active && *active + 1 == parts.size() && parts.back()->finished();
  }
  std::optional<std::size_t> active;
};

class again_node final : public composite<again_node> {
 public:
  using composite::composite;
  trigger like(std::vector<trigger> p) const { return std::make_unique<again_node>(std::move(p)); }
  verdict happens(const happening& what, const view& v) override {
    const verdict out = what(*parts[0]);
    if (parts[0]->can_finish() ? parts[0]->finished() : out.fire) begin(v);
    return out;
  }
  void merge(const std::vector<const node*>& old, const view& v) override {
    composite::merge(old, v);
    if (parts[0]->finished()) begin(v);
  }
  void begin(const view& v) {
    parts[0]->forget();
    parts[0]->start(v);
  }
};

class once_node final : public composite<once_node> {
 public:
  using composite::composite;
  trigger like(std::vector<trigger> p) const { return std::make_unique<once_node>(std::move(p)); }
  verdict happens(const happening& what, const view&) override {
    if (done) return {};
    const verdict out = what(*parts[0]);
    if (out.fire) {
      done = true;
      parts[0]->forget();
    }
    return out;
  }
  void forget() override {
    composite::forget();
    done = false;
  }
  void merge(const std::vector<const node*>& old, const view& v) override {
    for (const auto* o : as<once_node>(old)) done |= o->done;
    if (!done) composite::merge(old, v);
  }
  bool can_finish() const override { return true; }
  bool finished() const override { return done; }
  bool done = false;
};

class until_node final : public composite<until_node> {
 public:
  using composite::composite;
  trigger like(std::vector<trigger> p) const { return std::make_unique<until_node>(std::move(p)); }
  verdict happens(const happening& what, const view&) override {
    if (done) return {};
    const verdict some = parts[0]->finished() ? verdict{} : what(*parts[0]);
    const verdict last = parts[1]->finished() ? verdict{} : what(*parts[1]);
    if (last.fire) {
      composite::forget();
      done = true;
    }
    return together(some, last);
  }
  void forget() override {
    composite::forget();
    done = false;
  }
  void merge(const std::vector<const node*>& old, const view& v) override {
    for (const auto* o : as<until_node>(old)) done |= o->done;
    if (!done) composite::merge(old, v);
  }
  bool can_finish() const override { return true; }
  bool finished() const override { return done; }
  bool done = false;
};

class emptying_node final : public composite<emptying_node> {
 public:
  using composite::composite;
  trigger like(std::vector<trigger> p) const {
    return std::make_unique<emptying_node>(std::move(p));
  }
  verdict happens(const happening& what, const view&) override {
    verdict out = what(*parts[0]);
    out.purge |= out.fire;
    return out;
  }
  bool can_finish() const override { return parts[0]->can_finish(); }
  bool finished() const override { return parts[0]->finished(); }
};

/// Parts: early and late, repeated.
class watermark_node final : public composite<watermark_node> {
 public:
  using composite::composite;
  trigger like(std::vector<trigger> p) const {
    return std::make_unique<watermark_node>(std::move(p));
  }
  verdict element(int value, std::int64_t time, const view& v) override {
    if (!past_end && v.last <= v.watermark) return on_time(v);
    if (!past_end) end_wanted = v.last;
    return composite::element(value, time, v);
  }
  verdict ring(const alarm& due, const view& v) override {
    if (end_rings) {
      end_rings = false;
      return on_time(v);
    }
    return composite::ring(due, v);
  }
  verdict happens(const happening& what, const view&) override {
    return what(*parts[past_end ? 1 : 0]);
  }
  void start(const view& v) override {
    if (v.last <= v.watermark) return;
    end_wanted = v.last;
    parts[0]->start(v);
  }
  void forget() override {
    composite::forget();
    past_end = end_rings = false;
    end_wanted.reset();
  }
  void merge(const std::vector<const node*>& old, const view& v) override {
    if (v.last > v.watermark) {
      end_wanted = v.last;
      merge_part(0, old, v);
      return;
    }
    for (const auto* o : as<watermark_node>(old)) past_end |= o->past_end;
    if (past_end) merge_part(1, old, v);
  }
  std::set<alarm> alarms() const override {
    auto all = composite::alarms();
    if (end_wanted) all.insert({event, *end_wanted});
    return all;
  }
  void take(const alarm& due) override {
    composite::take(due);
    if (end_wanted && due == alarm{event, *end_wanted}) {
      end_wanted.reset();
      end_rings = true;
    }
  }

 private:
  verdict on_time(const view& v) {
    parts[0]->forget();
    end_wanted.reset();
    past_end = true;
    parts[1]->start(v);
    return {.fire = true, .because_of_end = true};
  }

  bool past_end = false;
  bool end_rings = false;
  std::optional<std::int64_t> end_wanted;
};

class timeout_node final : public composite<timeout_node> {
 public:
  struct options {
    std::int64_t delay;
    bool reset, clear, purge_too;
  };
  timeout_node(std::vector<trigger> p, options o) : composite{std::move(p)}, how{o} {}
  trigger like(std::vector<trigger> p) const {
    return std::make_unique<timeout_node>(std::move(p), how);
  }
  verdict element(int value, std::int64_t time, const view& v) override {
    const verdict out = parts[0]->element(value, time, v);
    if (out.fire) {
      forget();
      return out;
    }
    if (how.reset) remembered.reset(), wanted.reset();
    if (!remembered) remembered = wanted = v.clock + how.delay;
    return out;
  }
  verdict ring(const alarm& due, const view& v) override {
    verdict out = parts[0]->ring(due, v);
    if (rings) out = together(out, {true, how.purge_too, false});
    rings = false;
    if (out.fire && how.clear) forget();
    return out;
  }
  verdict happens(const happening&, const view&) override { return {}; }
  void forget() override {
    composite::forget();
    remembered.reset();
    wanted.reset();
  }
  std::set<alarm> alarms() const override {
    auto all = composite::alarms();
    if (wanted) all.insert({processing, *wanted});
    return all;
  }
  void take(const alarm& due) override {
    composite::take(due);
    if (!wanted || due != alarm{processing, *wanted}) return;
    wanted.reset();
    rings = true;
  }

 private:
  options how;
  std::optional<std::int64_t> remembered, wanted;
  bool rings = false;
};

std::vector<trigger> list(trigger a) {
  std::vector<trigger> all;
  all.push_back(std::move(a));
  return all;
}
std::vector<trigger> list(trigger a, trigger b) {
  auto all = list(std::move(a));
  all.push_back(std::move(b));
  return all;
}

}  // namespace

trigger any(std::vector<trigger> parts) { return std::make_unique<any_node>(std::move(parts)); }
trigger all(std::vector<trigger> parts) { return std::make_unique<all_node>(std::move(parts)); }
trigger sequence(std::vector<trigger> parts) {
  return std::make_unique<sequence_node>(std::move(parts));
}
trigger again(trigger part) { return std::make_unique<again_node>(list(std::move(part))); }
trigger just_once(trigger part) { return std::make_unique<once_node>(list(std::move(part))); }
trigger until(trigger part, trigger last) {
  return std::make_unique<until_node>(list(std::move(part), std::move(last)));
}
trigger emptying(trigger part) { return std::make_unique<emptying_node>(list(std::move(part))); }
trigger watermark(trigger early, trigger late) {
  return std::make_unique<watermark_node>(list(again(std::move(early)), again(std::move(late))));
}
trigger timeout(trigger part, std::int64_t delay, bool reset, bool clear, bool purge_too) {
  return std::make_unique<timeout_node>(list(std::move(part)),
                                        timeout_node::options{delay, reset, clear, purge_too});
}

}  // namespace weir::testing::model
