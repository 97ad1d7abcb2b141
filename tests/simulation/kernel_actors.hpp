// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weir/actors/internal/actor_base.hpp"
#include "weir/simulation/kernel.hpp"

namespace weir::testing {

using tick_atom = caf::atom_constant<caf::atom("tick")>;

/// What happened, in order.
using journal = std::vector<std::string>;

/// Writes down its name and each number that it is told, and tells another actor, if there is one,
/// numbers down to 0.
class relay final : public actors::internal::actor_base {
 public:
  relay(caf::actor_config& config, std::string name, journal& seen, caf::actor next = {})
      : actor_base{config, std::move(name)}, seen_{seen}, next_{std::move(next)} {}

  caf::behavior make_behavior() override {
    return {[this](int number) {
      seen_.push_back(std::string{name()} + std::to_string(number));
      if (number > 0 && next_) send(next_, number - 1);
    }};
  }

  void on_exit() override { next_ = {}; }

 private:
  journal& seen_;
  caf::actor next_;
};

/// Calls a function for each number that it is told, and for each actor it watches that ends.
class caller final : public actors::internal::actor_base {
 public:
  using on_number = std::function<void(caller&, int)>;

  caller(caf::actor_config& config, std::string name, on_number function)
      : actor_base{config, std::move(name)}, function_{std::move(function)} {}

  caf::behavior make_behavior() override {
    return {[this](int number) { function_(*this, number); },
            [this](tick_atom, int number) { function_(*this, number); }};
  }

  void on_down(const caf::down_msg& down) override { downs.push_back(down.reason); }

  void on_exit() override { function_ = {}; }

  std::vector<caf::error> downs;

 private:
  on_number function_;
};

}  // namespace weir::testing
