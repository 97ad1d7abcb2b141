// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/simulation/simulated_job_run.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "simulation/window_job.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::job_run_options;
using simulation::kernel;
using simulation::trace_mode;
using windowing::time_window;

/// Writes into the trace which windows fire.
struct note_fired {
  kernel* world;
  void process_record(std::uint32_t, const time_window& window, const window_job::event&,
                      collector<std::int64_t>& out) {
    world->note("fired " + std::to_string(window.max_time().ms));
    out.collect(window.start.ms);
  }
};

/// The usual trigger; writes into the trace which windows are cleaned up.
struct noting_trigger : event_time_trigger {
  kernel* world = nullptr;
  void clear(const time_window& window, windowing::shared_trigger_context& context) const {
    world->note("cleaned " + std::to_string(window.max_time().ms));
    event_time_trigger::clear(window, context);
  }
};

struct add_values {
  window_job::event operator()(const window_job::event& a, const window_job::event& b) const {
    return {a.key, a.value + b.value, b.time};
  }
};

/// `keyed.window(tumbling)` with the triggers that write.
template <class Keyed>
data_stream<std::int64_t> noted_windows(const Keyed& keyed, kernel& world) {
  using contents = windowing::reducing<window_job::event, add_values>;
  using made = windowing::window_operator<windowing::window_definition<
      Keyed, windowing::tumbling_windows<>, contents, noting_trigger, note_fired>>;
  noting_trigger trigger;
  trigger.world = &world;
  typename made::definition definition{keyed.select(),
                                       tumbling_event_time(window_job::window_size),
                                       contents{add_values{}},
                                       trigger,
                                       note_fired{&world},
                                       duration::zero(),
                                       {}};
  dataflow::graph_node node;
  node.kind = "window";
  node.name = "window";
  node.make = [definition] { return std::make_unique<made>(definition); };
  return keyed.template add<std::int64_t>(std::move(node));
}

void describe_noted(environment& env, const window_job& job, kernel& world,
                    const collect_sink<std::int64_t>& out) {
  env.parallelism(2);
  noted_windows(job.keyed_events(env), world).sink_to(out);
}

/// What the trace says of the window subtasks, by the actor, each start of one being another.
class signals {
 public:
  explicit signals(const std::string& trace) {
    std::istringstream lines{trace};
    for (std::string line; std::getline(lines, line);) take(line);
  }

  std::uint64_t fired = 0;
  std::uint64_t cleaned = 0;
  std::vector<std::string> without_signal;

 private:
  void take(const std::string& line) {
    if (const auto run = line.find(" run "); run != std::string::npos) {
      const auto begin = run + 5;
      running_ = line.substr(begin, line.find(' ', begin) - begin);
      take_chunk(line);
    } else if (const auto at = line.find(" fired "); at != std::string::npos) {
      ++fired;
      check(line, fires_[running_].contains(line.substr(at + 7)));
    } else if (const auto at = line.find(" cleaned "); at != std::string::npos) {
      ++cleaned;
      check(line, purges_[running_].contains(line.substr(at + 9)));
    }
  }

  void take_chunk(const std::string& line) {
    std::istringstream words{line};
    for (std::string word; words >> word;) {
      auto* signals = word == "FIRE" ? &fires_ : word == "PURGE" ? &purges_ : nullptr;
      if (signals && words >> word) (*signals)[running_].insert(word);
    }
  }

  void check(const std::string& line, bool signalled) {
    if (!signalled) without_signal.push_back(running_ + ": " + line);
  }

  std::string running_;
  std::map<std::string, std::set<std::string>> fires_;
  std::map<std::string, std::set<std::string>> purges_;
};

TEST_CASE("windows fire behind a FIRE and are cleaned up behind a PURGE of the timer service",
          "[whole_jobs]") {
  const bool without_faults = GENERATE(true, false);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed, without_faults);
    const window_job job;
    const collect_sink<std::int64_t> out{"windows"};
    kernel* world = nullptr;
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::text;
    options.without_faults = without_faults;
    options.on_start = [&](kernel& k) { world = &k; };
    const auto run = simulation::run_job(
        [&](environment& env) { describe_noted(env, job, *world, out); }, options);
    REQUIRE(run.finished);
    const signals seen{run.trace};
    CHECK(seen.without_signal == std::vector<std::string>{});
    CHECK(seen.fired >= job.expected().size());
    CHECK(seen.cleaned > 0);
  }
}

}  // namespace
}  // namespace weir::testing
