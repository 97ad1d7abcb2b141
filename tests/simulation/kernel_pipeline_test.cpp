// SPDX-License-Identifier: Apache-2.0
// A pipeline of three actors with credit, timers, a disk and restarts, under drawn faults: adds up
// 0 ... count - 1, saves the sum now and then, and goes on from the saved sum after a crash.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "weir/actors/internal/actor_base.hpp"
#include "weir/core/memory_file_system.hpp"
#include "weir/simulation/gated_file_system.hpp"
#include "weir/simulation/kernel.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::gated_file_system;
using simulation::kernel;
using simulation::kernel_options;
using simulation::system_id;
using simulation::trace_mode;

using number_atom = caf::atom_constant<caf::atom("number")>;
using credit_atom = caf::atom_constant<caf::atom("credit")>;
using barrier_atom = caf::atom_constant<caf::atom("barrier")>;
using wake_atom = caf::atom_constant<caf::atom("wake")>;
using saved_atom = caf::atom_constant<caf::atom("saved")>;

/// How far the sum has come: of the numbers below `next`.
struct progress {
  std::int64_t next = 0;
  std::int64_t sum = 0;
};

constexpr std::int64_t count = 60;
constexpr std::int64_t barrier_every = 10;

/// What an attempt to run the pipeline shares with its actors.
struct environment {
  kernel& k;
  system_id id;
  gated_file_system files;
  bool syncs;                  // false: the planted bug
  std::int64_t& acknowledged;  // the outer world was told that this much is saved
};

status save(environment& env, progress what) {
  auto file = env.files.create("/state.new");
  if (!file.ok()) return std::move(file).failure();
  const std::string text = std::to_string(what.next) + " " + std::to_string(what.sum);
  if (status done = (*file)->append(text); !done.ok()) return done;
  if (env.syncs) {
    if (status done = (*file)->sync(); !done.ok()) return done;
  }
  if (status done = env.files.rename("/state.new", "/state"); !done.ok()) return done;
  return env.files.sync_folder("/");
}

progress load(file_system& files) {
  progress what;
  if (const auto text = read_file(files, "/state"); text.ok()) {
    std::istringstream{*text} >> what.next >> what.sum;
  }
  return what;
}

/// Saves sums, one after the other, and acknowledges them.
class keeper final : public actors::internal::actor_base {
 public:
  keeper(caf::actor_config& config, std::shared_ptr<environment> env)
      : actor_base{config, "keeper"}, env_{std::move(env)} {}

  caf::behavior make_behavior() override {
    return {[this](std::int64_t next, std::int64_t sum) {
              const caf::actor self = caf::actor_cast<caf::actor>(this);
              env_->k.executor_of(env_->id).submit(1, [self, env = env_, next, sum] {
                if (save(*env, {next, sum}).ok()) {
                  caf::anon_send(self, saved_atom::value, next);
                }
              });
            },
            [this](saved_atom, std::int64_t next) {
              env_->k.point("saved");
              if (!env_->k.is_cut(env_->id)) env_->acknowledged = next;
            }};
  }

  void on_exit() override { env_.reset(); }

 private:
  std::shared_ptr<environment> env_;
};

class adder final : public actors::internal::actor_base {
 public:
  adder(caf::actor_config& config, progress start, caf::actor next)
      : actor_base{config, "adder"}, progress_{start}, keeper_{std::move(next)} {}

  caf::behavior make_behavior() override {
    return {[this](number_atom, std::int64_t number) {
              progress_.sum += number;
              progress_.next = number + 1;
              send(caf::actor_cast<caf::actor>(current_sender()), credit_atom::value);
            },
            [this](barrier_atom) { send(keeper_, progress_.next, progress_.sum); }};
  }

  void on_exit() override { keeper_ = {}; }

 private:
  progress progress_;
  caf::actor keeper_;
};

/// Sends numbers while it has credit, with a pause after each barrier.
class source final : public actors::internal::actor_base {
 public:
  source(caf::actor_config& config, std::int64_t next, caf::actor receiver)
      : actor_base{config, "source"}, next_{next}, receiver_{std::move(receiver)} {}

  caf::behavior make_behavior() override {
    send(this, wake_atom::value);
    return {[this](credit_atom) {
              ++credit_;
              emit();
            },
            [this](wake_atom) {
              asleep_ = false;
              emit();
            }};
  }

  void on_exit() override { receiver_ = {}; }

 private:
  void emit() {
    for (; credit_ > 0 && !asleep_ && next_ < count; --credit_) {
      send(receiver_, number_atom::value, next_);
      if (++next_ % barrier_every == 0) {
        send(receiver_, barrier_atom::value);
        asleep_ = true;
        delayed_send(this, std::chrono::milliseconds{5}, wake_atom::value);
      }
    }
  }

  std::int64_t next_;
  int credit_ = 4;
  bool asleep_ = true;
  caf::actor receiver_;
};

/// A run of the pipeline with all that `seed` stands for.
class pipeline_run {
 public:
  explicit pipeline_run(std::uint64_t seed, bool syncs = true, trace_mode mode = trace_mode::hash)
      : syncs_{syncs}, kernel_{options_for(seed, mode)} {
    start();
  }

  /// Whether the sum was saved as a whole, and nothing acknowledged was ever lost.
  bool succeeds() {
    const bool finished = kernel_.run_until([this] { return acknowledged_ == count; }, 100'000);
    return finished && !lost_ && load(disk_).sum == count * (count - 1) / 2;
  }

  kernel& simulated() { return kernel_; }
  std::uint64_t crashes() const { return crashes_; }
  std::uint64_t restored_late() const { return restored_late_; }

 private:
  kernel_options options_for(std::uint64_t seed, trace_mode mode) {
    simulation::fault_space space;
    space.systems = {"job"};
    space.points = {"saved", "disk.append", "disk.rename", "disk.sync_folder"};
    space.steps = 150;
    space.point_hits = 6;
    kernel_options options;
    options.seed = seed;
    options.trace = mode;
    options.faults = simulation::plan_from_seed(seed, space);
    options.on_crash = [this](system_id) {
      ++crashes_;
      disk_.crash(kernel_.random());
      kernel_.after(duration{50}, "restart", [this] { start(); });
    };
    return options;
  }

  void start() {
    const progress saved = load(disk_);
    if (saved.next < acknowledged_) lost_ = true;
    if (saved.next > 0) ++restored_late_;
    const system_id id = kernel_.add_system("job");
    const auto env = std::make_shared<environment>(environment{
        kernel_, id, gated_file_system{disk_, kernel_.disk_gate(id)}, syncs_, acknowledged_});
    caf::actor_system& actors = kernel_.actors(id);
    const caf::actor k = actors.spawn<keeper>(env);
    const caf::actor a = actors.spawn<adder>(saved, k);
    actors.spawn<source>(saved.next, a);
    // Finished before the crash, but not acknowledged.
    if (saved.next == count) caf::anon_send(k, saved_atom::value, saved.next);
  }

  bool syncs_;
  bool lost_ = false;
  std::int64_t acknowledged_ = 0;
  std::uint64_t crashes_ = 0;
  std::uint64_t restored_late_ = 0;
  memory_file_system disk_;
  kernel kernel_;
};

/// How many seeds to try: WEIR_SEEDS, or 200.
std::uint64_t seeds() {
  const char* wanted = std::getenv("WEIR_SEEDS");
  return wanted == nullptr ? 200 : std::strtoull(wanted, nullptr, 10);
}

TEST_CASE("a pipeline that saves properly survives every drawn fault", "[kernel][pipeline]") {
  std::uint64_t crashed = 0;
  std::uint64_t restored = 0;
  std::set<std::uint64_t> traces;
  for (std::uint64_t seed = 0; seed < seeds(); ++seed) {
    CAPTURE(seed);
    pipeline_run run{seed};
    CHECK(run.succeeds());
    crashed += run.crashes() > 0 ? 1 : 0;
    restored += run.restored_late() > 0 ? 1 : 0;
    traces.insert(run.simulated().trace_hash());
  }
  CHECK(traces.size() == seeds());
  // A simulation that never restores proves nothing. (Few seeds have no shares to speak of.)
  if (seeds() < 100) return;
  CHECK(crashed * 100 / seeds() > 40);
  CHECK(restored * 100 / seeds() > 20);
}

TEST_CASE("a pipeline that acknowledges what it did not sync is found out", "[kernel][pipeline]") {
  std::uint64_t found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    pipeline_run run{seed, false};
    if (!run.succeeds()) ++found;
  }
  CHECK(found > 10);
}

TEST_CASE("a run with faults leaves the same trace when it is run again", "[kernel][pipeline]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    pipeline_run first{seed, true, trace_mode::text};
    pipeline_run second{seed, true, trace_mode::text};
    CHECK(first.succeeds());
    CHECK(second.succeeds());
    CHECK(first.simulated().trace().size() > 1'000);
    CHECK(first.simulated().trace() == second.simulated().trace());
  }
}

/// Of seeds 0 to 19, as one number.
std::uint64_t hash_of_twenty_runs() {
  std::uint64_t hash = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    pipeline_run run{seed};
    run.succeeds();
    hash = hash * 31 + run.simulated().trace_hash();
  }
  return hash;
}

TEST_CASE("a trace is the same in another process, with other addresses", "[kernel-process]") {
  if (std::getenv("WEIR_PRINT_TRACE_HASH") != nullptr) {
    // This is the other process, started below.
    const std::uint64_t hash = hash_of_twenty_runs();
    std::printf("\nhash of traces %016" PRIx64 "\n", hash);
    CHECK(hash != 0);
    return;
  }
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "WEIR_PRINT_TRACE_HASH=1 '" + program + "' '[kernel-process]'";
  const std::unique_ptr<FILE, int (*)(FILE*)> child{popen(command.c_str(), "r"), &pclose};
  REQUIRE(child != nullptr);
  std::optional<std::uint64_t> hash;
  char line[256];
  while (std::fgets(line, sizeof line, child.get()) != nullptr) {
    std::uint64_t found = 0;
    if (std::sscanf(line, "hash of traces %" SCNx64, &found) == 1) hash = found;
  }
  REQUIRE(hash.has_value());
  CHECK(*hash == hash_of_twenty_runs());
}

}  // namespace
}  // namespace weir::testing
