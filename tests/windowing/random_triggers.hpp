// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"

#include "windowing/some_trigger.hpp"

namespace weir::testing {

/// A trigger, the same for the model, and how it is written.
template <class Trigger>
struct drawn {
  Trigger real;
  model::trigger modelled;
  std::string text;
};

template <unsigned Group>
drawn<some_trigger<Group>> draw_leaf(random_generator& random) {
  using leaf = some_trigger<Group>;
  const auto which = static_cast<unsigned>(random.below(leaf::kinds));
  const int n = 1 + static_cast<int>(random.below(4));
  return {leaf{which, n}, leaf::modelled(which, n), leaf::name(which, n)};
}

/// The `i`-th number that comes of `seed`, when compiling.
constexpr unsigned mixed(unsigned seed, unsigned i) {
  random_generator random{seed * 1000003ull + i};
  return static_cast<unsigned>(random.next() >> 33);
}

inline model::trigger pair(model::trigger (*make)(std::vector<model::trigger>), model::trigger a,
                           model::trigger b) {
  std::vector<model::trigger> parts;
  parts.push_back(std::move(a));
  parts.push_back(std::move(b));
  return make(std::move(parts));
}

template <class Trigger>
drawn<Trigger> make_drawn(Trigger real, model::trigger modelled, std::string text) {
  return {std::move(real), std::move(modelled), std::move(text)};
}

/// A trigger of one part.
template <unsigned Pick, class Part>
auto wrap(drawn<Part> part, random_generator& random) {
  if constexpr (Pick == 0) {
    return make_drawn(windowing::repeatedly(part.real), model::again(std::move(part.modelled)),
                      "repeatedly(" + part.text + ")");
  } else if constexpr (Pick == 1) {
    return make_drawn(windowing::once(part.real), model::just_once(std::move(part.modelled)),
                      "once(" + part.text + ")");
  } else if constexpr (Pick == 2) {
    return make_drawn(windowing::purging(part.real), model::emptying(std::move(part.modelled)),
                      "purging(" + part.text + ")");
  } else {
    const std::int64_t delay = 1 + static_cast<std::int64_t>(random.below(6));
    const timeout_options how{random.chance(1, 2), random.chance(1, 2)};
    constexpr bool purges = requires { requires Part::always_purges; };
    return make_drawn(processing_timeout(part.real, duration{delay}, how),
                      model::timeout(std::move(part.modelled), delay, how.reset_on_new_record,
                                     how.clear_on_timeout, purges),
                      "timeout" + std::to_string(delay) + (how.reset_on_new_record ? "r" : "") +
                          (how.clear_on_timeout ? "c" : "") + "(" + part.text + ")");
  }
}

/// A trigger of two parts.
template <unsigned Pick, class A, class B>
auto combine(drawn<A> a, drawn<B> b) {
  const std::string text = "(" + a.text + ", " + b.text + ")";
  if constexpr (Pick == 0) {
    return make_drawn(windowing::any_of(a.real, b.real),
                      pair(model::any, std::move(a.modelled), std::move(b.modelled)),
                      "any_of" + text);
  } else if constexpr (Pick == 1) {
    return make_drawn(windowing::all_of(a.real, b.real),
                      pair(model::all, std::move(a.modelled), std::move(b.modelled)),
                      "all_of" + text);
  } else if constexpr (Pick == 2) {
    return make_drawn(windowing::after_each(a.real, b.real),
                      pair(model::sequence, std::move(a.modelled), std::move(b.modelled)),
                      "after_each" + text);
  } else if constexpr (Pick == 3) {
    return make_drawn(windowing::or_finally(a.real, b.real),
                      model::until(std::move(a.modelled), std::move(b.modelled)),
                      "or_finally" + text);
  } else {
    return make_drawn(windowing::at_watermark().early(a.real).late(b.real),
                      model::watermark(std::move(a.modelled), std::move(b.modelled)),
                      "at_watermark" + text);
  }
}

/// A trigger whose combinators follow from `Seed`, with `Leaves` leaves and up to `Wraps`
/// combinators of one part on each way to them. All else follows from `random`.
template <unsigned Seed, unsigned Leaves, unsigned Wraps>
auto draw_trigger(random_generator& random) {
  if constexpr (Wraps > 0 && mixed(Seed, 0) % 2 == 0) {
    auto part = draw_trigger<mixed(Seed, 1), Leaves, Wraps - 1>(random);
    return wrap<mixed(Seed, 2) % 7 / 2>(std::move(part), random);
  } else if constexpr (Leaves == 1) {
    return draw_leaf<(mixed(Seed, 7) % 4 == 0)>(random);
  } else {
    constexpr unsigned left = 1 + mixed(Seed, 3) % (Leaves - 1);
    auto a = draw_trigger<mixed(Seed, 4), left, Wraps>(random);
    auto b = draw_trigger<mixed(Seed, 5), Leaves - left, Wraps>(random);
    return combine<mixed(Seed, 6) % 5>(std::move(a), std::move(b));
  }
}

}  // namespace weir::testing
