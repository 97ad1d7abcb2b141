// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "windowing/drawn_trigger.hpp"
#include "windowing/random_triggers.hpp"

namespace weir::testing {

template <class Trigger>
class shape_of final : public trigger_shape {
 public:
  explicit shape_of(Trigger trigger) : trigger_{std::move(trigger)} {}

  std::unique_ptr<trigger_shape> copy() const override {
    return std::make_unique<shape_of>(trigger_);
  }
  void attach(trigger_cells& cells) override {
    trigger_.with_states([&](auto&... state) { cells.lend(state...); });
  }
  outcome on(const windowing::added_element<int>& added, const window& w,
             trigger_context& context) override {
    return trigger_.on(added, w, context);
  }
  outcome on(const windowing::due_timers& due, const window& w, trigger_context& context) override {
    return trigger_.on(due, w, context);
  }
  void start(const window& w, trigger_context& context) override { trigger_.start(w, context); }
  void clear(const window& w, trigger_context& context) override { trigger_.clear(w, context); }
  void on_merge(const window& w, trigger_merge_context& context) override {
    trigger_.on_merge(w, context);
  }

 private:
  Trigger trigger_;
};

template <class Trigger>
trigger_pair as_pair(drawn<Trigger> one) {
  return {drawn_trigger{std::make_unique<shape_of<Trigger>>(std::move(one.real))},
          std::move(one.modelled), std::move(one.text)};
}

/// A trigger of one part, of three sizes.
template <unsigned Pick, unsigned Seed>
trigger_pair draw_of_one_part(random_generator& random) {
  switch (random.below(3)) {
    case 0: return as_pair(wrap<Pick>(draw_trigger<Seed, 1, 0>(random), random));
    case 1: return as_pair(wrap<Pick>(draw_trigger<Seed + 1, 2, 0>(random), random));
    default: return as_pair(wrap<Pick>(draw_trigger<Seed + 2, 2, 1>(random), random));
  }
}

/// A trigger of two parts, of three sizes.
template <unsigned Pick, unsigned Seed>
trigger_pair draw_of_two_parts(random_generator& random) {
  // One after the other: the order of arguments is not given.
  switch (random.below(3)) {
    case 0: {
      auto a = draw_trigger<Seed, 1, 0>(random);
      return as_pair(combine<Pick>(std::move(a), draw_trigger<Seed + 1, 1, 0>(random)));
    }
    case 1: {
      auto a = draw_trigger<Seed + 2, 1, 1>(random);
      return as_pair(combine<Pick>(std::move(a), draw_trigger<Seed + 3, 1, 1>(random)));
    }
    default: {
      auto a = draw_trigger<Seed + 4, 2, 0>(random);
      return as_pair(combine<Pick>(std::move(a), draw_trigger<Seed + 5, 1, 1>(random)));
    }
  }
}

/// Draws a trigger of that kind.
trigger_pair draw_trigger_of(trigger_kind kind, random_generator& random);
trigger_pair draw_repeating(trigger_kind kind, random_generator& random);
trigger_pair draw_finishing(trigger_kind kind, random_generator& random);

}  // namespace weir::testing
