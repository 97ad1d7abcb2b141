// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/actor_base.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "weir/actors/internal/caf_error.hpp"
#include "weir/simulation/kernel.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using actors::internal::actor_base;
using actors::internal::from_caf;

/// What the actors of a test did.
struct observed {
  int handled = 0;
  std::vector<status> ends;  // reasons of the ends of watched actors
};

class worker final : public actor_base {
 public:
  worker(caf::actor_config& config, observed& seen) : actor_base{config, "worker"}, seen_{seen} {}

  caf::behavior make_behavior() override {
    return {[this](int number) {
      ++seen_.handled;
      if (number == 1) throw std::runtime_error{"one is too many"};
      if (number == 2) fail(error{errc::corrupt, "worker: two"});
      if (number == 3) quit();
    }};
  }

 private:
  observed& seen_;
};

/// Watches an actor; "flood and kill" sends it messages and then kills it, anything else is sent on
/// in a form it does not know.
class owner final : public actor_base {
 public:
  owner(caf::actor_config& config, observed& seen, caf::actor watched)
      : actor_base{config, "owner"}, seen_{seen}, watched_{std::move(watched)} {}

  caf::behavior make_behavior() override {
    monitor(watched_);
    return {[this](const std::string& command) {
      if (command == "flood and kill") {
        for (int i = 0; i < 100; ++i) send(watched_, 0);
        actors::internal::kill(this, watched_);
      } else {
        send(watched_, command, command.size());
      }
    }};
  }

  void on_down(const caf::down_msg& down) override { seen_.ends.push_back(from_caf(down.reason)); }

  void on_exit() override { watched_ = {}; }

 private:
  observed& seen_;
  caf::actor watched_;
};

/// A worker, its owner, and the kernel that runs them.
struct pair_of_actors {
  observed seen;
  simulation::kernel kernel{simulation::kernel_options{}};
  caf::actor_system& system = kernel.actors(kernel.add_system("node"));
  caf::actor watched = system.spawn<worker>(seen);
  caf::actor watcher = system.spawn<owner>(seen, watched);

  pair_of_actors() { kernel.run(); }
};

TEST_CASE("an exception in a handler reaches the owner with its text", "[actor_base]") {
  pair_of_actors t;
  caf::anon_send(t.watched, 1);
  t.kernel.run();
  REQUIRE(t.seen.ends.size() == 1);
  CHECK(t.seen.ends[0].failure() ==
        error{errc::user_function_failed, "worker: exception: one is too many"});
}

TEST_CASE("an actor that fails tells its owner the error", "[actor_base]") {
  pair_of_actors t;
  caf::anon_send(t.watched, 2);
  caf::anon_send(t.watched, 0);
  t.kernel.run();
  REQUIRE(t.seen.ends.size() == 1);
  CHECK(t.seen.ends[0].failure() == error{errc::corrupt, "worker: two"});
  CHECK(t.seen.handled == 1);
}

TEST_CASE("an actor that quits ends without an error", "[actor_base]") {
  pair_of_actors t;
  caf::anon_send(t.watched, 3);
  t.kernel.run();
  REQUIRE(t.seen.ends.size() == 1);
  CHECK(t.seen.ends[0].ok());
}

TEST_CASE("an unexpected message ends the receiver with an error, and not the sender",
          "[actor_base]") {
  pair_of_actors t;
  caf::anon_send(t.watcher, std::string{"hello"});
  t.kernel.run();
  REQUIRE(t.seen.ends.size() == 1);
  CHECK(t.seen.ends[0].failure() ==
        error{errc::invalid_argument, "worker: no handler for a message of type (@str, @u64)"});
  caf::anon_send(t.watcher, std::string{"again"});
  t.kernel.run();
  CHECK(t.seen.ends.size() == 1);
}

TEST_CASE("an empty message, which CAF makes of what it cannot read, is unexpected",
          "[actor_base]") {
  pair_of_actors t;
  caf::anon_send(t.watched, caf::message{});
  t.kernel.run();
  REQUIRE(t.seen.ends.size() == 1);
  CHECK(t.seen.ends[0].error_text() == "worker: no handler for a message of type ()");
}

TEST_CASE("a killed actor handles nothing of what was queued before", "[actor_base]") {
  pair_of_actors t;
  caf::anon_send(t.watcher, std::string{"flood and kill"});
  t.kernel.run();
  CHECK(t.seen.handled == 0);
  REQUIRE(t.seen.ends.size() == 1);
  CHECK(t.seen.ends[0].failure().code() == errc::cancelled);
}

}  // namespace
}  // namespace weir::testing
