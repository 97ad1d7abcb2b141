// SPDX-License-Identifier: Apache-2.0
#include "weir/testing/operator_harness.hpp"

#include <algorithm>

#include "weir/core/memory_file_system.hpp"
#include "weir/testing/internal/running_operator.hpp"

namespace weir::testing {

using dataflow::operator_base;
using internal::running_operator;

namespace {

constexpr std::uint32_t key_groups = 128;

/// Steps after which an operator that still has something to do is taken for one that never ends.
constexpr std::size_t endless = 1'000'000;

/// Slots of a running snapshot that are swept after each turn: few, so that it lasts.
constexpr std::size_t slots_a_turn = 1;

}  // namespace

std::string_view to_string(harness_mode mode) noexcept {
  switch (mode) {
    case harness_mode::one_by_one: return "one by one";
    case harness_mode::all_at_once: return "all at once";
    case harness_mode::refusing_output: return "refusing output";
    case harness_mode::restored: return "restored after every element";
    case harness_mode::replayed: return "replayed from a running snapshot";
  }
  return "?";
}

operator_harness::operator_harness(factory make, harness_mode mode, clock_time start)
    : make_{std::move(make)},
      mode_{mode},
      clock_{start},
      files_{std::make_unique<memory_file_system>()} {
  gate_.refusing = mode == harness_mode::refusing_output;
}

operator_harness::~operator_harness() = default;

void operator_harness::fail(std::string message) {
  fail(error{errc::invalid_argument, std::move(message)});
}

void operator_harness::fail(error cause) {
  if (outcome_) outcome_ = std::move(cause);
}

// -- making an instance --------------------------------------------------------------------------

bool operator_harness::ready() {
  if (!running_ && outcome_) start(nullptr);
  return outcome_.ok();
}

dataflow::operator_base& operator_harness::instance() {
  ready();
  return running_->op();
}

std::size_t operator_harness::timers() const {
  return running_ && running_->service ? running_->service->size() : 0;
}

void operator_harness::start(const taken_snapshot* from) {
  auto made = std::make_unique<running_operator>();
  if (auto done = wire(*made); !done) return fail(std::move(done).failure());
  if (auto done = open_instance(*made, from); !done) return fail(std::move(done).failure());
  running_ = std::move(made);
  guarded([&] { return running_->op().start(); });
  if (running_->service) running_->carry_out(running_->service->start(clock_.now()));
  if (from && outcome_) run_commit(from->id);
  settle();
  // The ends of inputs come again.
  for (const auto input : running_->ended) tell_end(input);
}

void operator_harness::guarded(const std::function<status()>& call) {
  auto done = dataflow::chain::guarded(running_->op(), call);
  if (!done) fail(std::move(done).failure());
}

status operator_harness::wire(running_operator& made) {
  auto& chain = made.chain;
  chain.add(make_());
  std::size_t side = chain.head().outputs().size();
  for (const auto& output : outputs_) {
    std::size_t index = 0;
    if (output.tag == second_output) {
      index = 1;
    } else if (output.tag != main_output) {
      chain.head().add_side_output(output.tag, output.make());
      index = side++;
    } else if (chain.head().outputs().empty()) {
      return error{errc::invalid_argument, "the operator has no main output"};
    }
    const auto place = chain.add(output.make_reader());
    if (auto done = chain.connect(0, index, place); !done) {
      return error{errc::invalid_argument,
                   "output \"" + output.tag + "\" is read with another record type than it has"};
    }
    ++made.readers;
  }
  chain.seal([this](operator_base& op, checkpoint_id) {
    if (&op == &running_->op()) op.begin_snapshot(*running_->snapshot);
  });
  return {};
}

status operator_harness::open_instance(running_operator& made, const taken_snapshot* from) {
  dataflow::operator_environment environment;
  environment.job = "test";
  environment.uid = "operator";
  environment.name = "operator under test";
  environment.max_parallelism = key_groups;
  environment.groups = {key_group{0}, key_group{key_groups - 1}};
  if (from) environment.restored = from->id;
  environment.current = {epoch_id{1}, attempt_id{static_cast<std::uint32_t>(restores_ + 1)}};
  if (mode_ == harness_mode::refusing_output) environment.limits.rows = 1;
  environment.time = &clock_;
  environment.files = files_.get();
  environment.metrics = &metrics_;
  environment.log = &null_log_sink();
  environment.watermarks = watermarks_;
  environment.wake = [&made] { made.woken = true; };
  auto& op = made.op();
  auto done = dataflow::chain::guarded(op, [&] { return op.open(environment); });
  if (!done) return done;
  return restore_instance(made, from);
}

status operator_harness::restore_instance(running_operator& made, const taken_snapshot* from) {
  auto& op = made.op();
  if (from) {
    if (auto done = op.restore(from->chunks); !done)
      return std::move(done).failure().within("restoring");
  }
  if (op.timers()) {
    auto queue = op.make_timer_queue(from ? from->chunks : state::restored_chunks{});
    if (!queue) return std::move(queue).failure().within("restoring timers");
    made.service.emplace();
    made.service->add_operator(op.timers()->operator_index(), *std::move(queue));
  }
  made.valves.assign(std::max<std::size_t>(1, op.inputs()), dataflow::watermark_valve{1});
  if (!from || !running_) return {};
  // Those who sent idleness before would send it again.
  made.valves = running_->valves_at_cut;
  made.both_inputs = running_->both_inputs_at_cut;
  made.ended = running_->ended_at_cut;
  const auto floor = op.restored_watermark();
  const auto given = made.valves.size() > 1 ? made.both_inputs.current() : made.valves[0].current();
  if (!floor || *floor == given) return {};
  return error{errc::invalid_argument, "the restored operator goes on from " +
                                           describe(dataflow::control::watermark(*floor)) +
                                           ", not from " +
                                           describe(dataflow::control::watermark(given))};
}

// -- running -------------------------------------------------------------------------------------

/// Does whatever can be done now without feeding, until there is nothing.
void operator_harness::settle() {
  if (!running_) return;
  for (std::size_t turns = 0; outcome_; ++turns) {
    auto done = running_->chain.run(endless);
    if (!done) return fail(std::move(done).failure());
    if (*done == dataflow::chain::outcome::more_to_do || turns == endless) {
      return fail("the operator does not come to rest");
    }
    if (!go_on()) return;
  }
}

bool operator_harness::go_on() {
  auto& r = *running_;
  const auto now = clock_.now();
  r.send_to_service();
  if (r.deliver_to_service(now) || r.deliver_to_operator() || r.ring_service(now)) return true;
  if (r.op().next_alarm() <= now) {
    r.op().on_alarm(now);
    if (r.op().has_work()) return true;
    fail("the operator asks for an alarm at " + std::to_string(r.op().next_alarm().ms) +
         ", which is over, and has nothing to do then");
    return false;
  }
  if (std::exchange(r.woken, false)) {
    r.op().on_wake();
    return true;
  }
  if (!gate_.refusing || gate_.open || !r.output_waits()) return false;
  if (const auto rows = r.overrun(); rows > rows_per_call_) {
    fail("the operator emitted " + std::to_string(rows) +
         " records after its output had no room: more than one call of a user's function");
    return false;
  }
  return gate_.open = true;
}

bool operator_harness::begin_record(dataflow::type_tag type, std::size_t input) {
  if (!ready()) return false;
  if (pending_ && (pending_->type() != type || pending_input_ != input)) deliver_pending();
  pending_input_ = input;
  auto& op = running_->op();
  if (input >= op.inputs()) {
    fail("the operator has no input " + std::to_string(input));
  } else if (op.input(input).type() != type) {
    fail("input " + std::to_string(input) + " of the operator takes records of another type");
  }
  return outcome_.ok();
}

void operator_harness::end_record(std::size_t most) {
  if (pending_->rows() == most || one_record_a_batch()) deliver_pending();
}

void operator_harness::deliver_pending() {
  if (!pending_ || !ready()) return;
  auto data = std::move(pending_);
  complete_(*data);
  if (!one_record_a_batch() && hashers_.contains(pending_input_)) hashers_[pending_input_](*data);
  const bool shared = mode_ == harness_mode::refusing_output;
  const auto before = shared ? contents_(*data) : std::string{};
  const auto kept = shared ? data : dataflow::erased_batch{};
  running_->op().input(pending_input_).push_erased(std::move(data));
  settle();
  if (!outcome_) return;
  if (!running_->at_rest()) return fail("the operator came to rest with a batch left in its input");
  if (shared && contents_(*kept) != before) {
    return fail("the operator changed a batch that others hold, too");
  }
  if (!one_record_a_batch()) return;
  running_->op().flush();
  settle();
}

void operator_harness::deliver() {
  if (!ready()) return;
  deliver_pending();
  if (!outcome_) return;
  settle();
  running_->op().flush();
  settle();
}

void operator_harness::admit(dataflow::control c) {
  if (!outcome_) return;
  running_->chain.admit(c);
  settle();
  if (outcome_ && !running_->at_rest()) {
    fail("the operator came to rest and has not passed on: " + describe(c));
  }
}

void operator_harness::control(dataflow::control c, std::size_t input) {
  using dataflow::control_kind;
  if (!ready()) return;
  deliver_pending();
  if (!outcome_) return;
  auto& r = *running_;
  if (input >= r.valves.size()) {
    return fail("the operator has no input " + std::to_string(input));
  }
  auto& valve = r.valves[input];
  const auto out = c.kind() == control_kind::watermark ? valve.on_watermark(0, c.time())
                   : c.kind() == control_kind::idle    ? valve.on_idle(0)
                   : c.kind() == control_kind::active  ? valve.on_active(0)
                                                       : valve.on_end(0);
  for (const auto& each : out) {
    if (r.valves.size() == 1) {
      admit(each);
      continue;
    }
    for (const auto& combined : r.both_inputs.on_control(input, each)) admit(combined);
  }
}

void operator_harness::watermark(event_time time, std::size_t input) {
  control(dataflow::control::watermark(time), input);
}
void operator_harness::idle(std::size_t input) { control(dataflow::control::idle(), input); }
void operator_harness::active(std::size_t input) { control(dataflow::control::active(), input); }

void operator_harness::end_of_input() {
  if (!ready()) return;
  for (std::size_t input = 0; input < running_->valves.size(); ++input) {
    if (!running_->ended.contains(input)) end_of_input(input);
  }
}

void operator_harness::end_of_input(std::size_t input) {
  if (!ready()) return;
  control(dataflow::control::end_of_input(), input);
  if (!outcome_) return;
  auto& r = *running_;
  tell_end(input);
  r.ended.insert(input);
  ended_ = r.ended.size() == r.valves.size();
  if (ended_) admit(dataflow::control::end_of_input());
}

void operator_harness::tell_end(std::size_t input) {
  if (running_->valves.size() == 1) return;
  admit(dataflow::control::input_ended(static_cast<std::uint8_t>(input)));
}

void operator_harness::declare(std::vector<dataflow::watermark_declaration> declared) {
  if (running_) return fail("a watermark is declared behind the first element");
  declared_.insert(declared_.end(), declared.begin(), declared.end());
  watermarks_ = std::make_shared<const dataflow::watermark_table>(declared_);
}

dataflow::control operator_harness::custom_control(const dataflow::watermark_declaration& which,
                                                   std::int64_t value, std::size_t input) {
  const auto number = watermarks_->find(which.identifier);
  if (!number || watermarks_->at(*number) != which) {
    fail("no such watermark is declared: \"" + which.identifier + "\", " + to_string(which));
  }
  return dataflow::control::custom(number.value_or(0), value, static_cast<std::uint8_t>(input));
}

void operator_harness::custom_watermark(const dataflow::watermark_declaration& which,
                                        std::int64_t value, std::size_t input) {
  if (!ready()) return;
  deliver_pending();
  if (input >= running_->valves.size()) {
    return fail("the operator has no input " + std::to_string(input));
  }
  const auto c = custom_control(which, value, input);
  admit(c);
}

void operator_harness::advance_clock(duration by) {
  if (!ready()) return;
  deliver_pending();
  const auto target = clock_.now() + by;
  while (outcome_ && running_->next_alarm() <= target) {
    clock_.set(running_->next_alarm());
    settle();
  }
  clock_.set(target);
}

// -- checkpoints ---------------------------------------------------------------------------------

void operator_harness::begin_snapshot() {
  deliver_pending();
  if (!outcome_) return;
  auto& r = *running_;
  const checkpoint_id id{++last_checkpoint_.value};
  r.snapshot = std::make_unique<internal::chunk_collector>(id);
  admit(dataflow::control::barrier(id));
  if (!outcome_) return;
  r.chain.barrier_done();
  r.valves_at_cut = r.valves;
  r.both_inputs_at_cut = r.both_inputs;
  r.ended_at_cut = r.ended;
  if (r.op().timers()) {
    r.to_send.snapshot = id;
    r.snapshot->timers_missing = true;
  }
  r.send_to_service();  // the service's cut is the operator's cut
  for (auto& work : r.snapshot->works) {
    auto chunks = work();
    if (!chunks) return fail(std::move(chunks).failure().within("work deferred by the snapshot"));
    for (auto& chunk : *chunks) r.snapshot->put(std::move(chunk));
  }
}

operator_harness::taken_snapshot operator_harness::finish_snapshot() {
  taken_snapshot taken;
  if (!outcome_) return taken;
  auto& r = *running_;
  settle();
  for (std::size_t turns = 0; outcome_ && r.op().snapshot_running(); ++turns) {
    r.op().sweep_snapshot(slots_a_turn);
    if (turns == endless) fail("the snapshot does not end");
  }
  if (!outcome_) return taken;
  if (r.snapshot->timers_missing) fail("the timers are missing in the snapshot");
  taken.id = r.snapshot->id();
  // A section may come in many chunks, in any order.
  taken.chunks.assign(r.snapshot->chunks.rbegin(), r.snapshot->chunks.rend());
  r.snapshot.reset();
  return taken;
}

void operator_harness::run_commit(checkpoint_id id) {
  std::function<status()> work;
  guarded([&] {
    work = running_->op().on_checkpoint_complete(id);
    return status{};
  });
  if (!work) return;
  if (auto done = work(); !done) return fail(std::move(done).failure().within("committing"));
  running_->op().on_committed(id);
}

void operator_harness::checkpoint() {
  if (!ready()) return;
  begin_snapshot();
  const auto taken = finish_snapshot();
  if (outcome_) run_commit(taken.id);
  settle();
}

void operator_harness::aborted_checkpoint() {
  if (!ready()) return;
  begin_snapshot();
  if (!outcome_) return;
  const auto id = running_->snapshot->id();
  running_->op().abort_snapshot();
  guarded([&] {
    running_->op().on_checkpoint_aborted(id);
    return status{};
  });
  settle();
  running_->snapshot.reset();
}

void operator_harness::close() {
  if (!running_ || !outcome_) return;
  guarded([&] {
    running_->op().close();
    return status{};
  });
}

void operator_harness::go_on_from(taken_snapshot snapshot) {
  if (!outcome_) return;
  ++restores_;
  start(&snapshot);
}

void operator_harness::restore() {
  if (!ready()) return;
  begin_snapshot();
  go_on_from(finish_snapshot());
}

void operator_harness::replay(const std::function<void()>& element) {
  begin_snapshot();
  std::map<std::string, std::size_t> sizes;
  for (const auto& [tag, log] : logs_) sizes[tag] = log->size();
  settle();
  element();
  auto taken = finish_snapshot();
  if (!outcome_) return;
  for (const auto& [tag, log] : logs_) log->truncate(sizes[tag]);
  go_on_from(std::move(taken));
  element();
}

void operator_harness::feed(const std::function<void()>& element, bool repeatable) {
  if (!ready()) return;
  const bool restores = !ended_ && one_record_a_batch() && mode_ != harness_mode::one_by_one;
  if (restores && repeatable && mode_ == harness_mode::replayed) return replay(element);
  element();
  if (restores && !ended_) restore();
}

std::string operator_harness::complaint() const {
  for (const auto& [tag, log] : logs_) {
    if (auto text = log->complaint(); !text.empty()) {
      if (tag == main_output) return text;
      return (tag == second_output ? "second output: " : "side output \"" + tag + "\": ") + text;
    }
  }
  return {};
}

}  // namespace weir::testing
