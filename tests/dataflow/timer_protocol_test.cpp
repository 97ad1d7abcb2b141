// SPDX-License-Identifier: Apache-2.0
// Random programs of two operators and their timer service, against the plainest model of timers:
// a set. The model follows the run: what is called back must be due in the model, and nothing due
// may be left when an advance is over.
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/timer_client.hpp"
#include "weir/dataflow/timer_queue.hpp"
#include "weir/dataflow/timer_service_logic.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

struct signal {
  std::int64_t key;
  signal_kind kind;
};

}  // namespace

template <>
struct timer_subject<signal> {
  static constexpr bool storable = true;
  static bool stored(const signal&) { return true; }
  static std::uint64_t key_hash(const signal& s) { return stable_hash(s.key); }
  static std::uint64_t hash(const signal& s) { return stable_hash(s.key); }
  static bool equal(const signal& a, const signal& b) { return a.key == b.key && a.kind == b.kind; }
  static signal_kind kind(const signal& s) { return s.kind; }
};

namespace {

constexpr std::size_t operators = 2;
constexpr std::int64_t end_of_time = event_time::max().ms;

/// Sorted as timers fire; keys of one time and kind in any order.
using pending = std::set<std::tuple<std::int64_t, signal_kind, std::int64_t>>;

struct model {
  std::array<std::array<pending, 2>, operators> timers;
  std::array<std::int64_t, operators> watermarks{};

  pending& of(std::size_t op, timer_domain domain) {
    return timers[op][static_cast<std::size_t>(domain)];
  }
};

/// What has to happen for the test to mean something.
struct counts {
  std::uint64_t called = 0;
  std::uint64_t restores = 0;
  std::uint64_t called_from_checkpoint = 0;
  std::uint64_t saved_trips = 0;
  std::uint64_t stopped = 0;
};

class protocol_run {
 public:
  protocol_run(std::uint64_t seed, timer_mutations mutations, counts& sum)
      : random_{seed}, mutations_{mutations}, counts_{sum} {
    limits_.chunk = 1 + random_.below(4);
    limits_.unanswered_removals = static_cast<std::uint32_t>(1 + random_.below(4));
    start({});
  }

  /// What went wrong; empty if nothing did.
  std::string run() {
    for (int steps = 120; steps > 0 && wrong_.empty(); --steps) step();
    finish();
    return wrong_;
  }

 private:
  struct saved {
    std::array<std::vector<state::snapshot_chunk>, operators> chunks;
    model as_was;
  };

  using reply = std::variant<timer_answer, timer_snapshot>;

  void start(const saved& from) {
    to_service_.clear();
    to_subtask_.clear();
    alarms_.clear();
    cuts_.clear();
    advancing_.reset();
    model_ = from.as_was;
    service_ = timer_service_logic{limits_, mutations_};
    for (std::uint32_t op = 0; op < operators; ++op) {
      clients_[op] = std::make_unique<timer_client<signal>>(op);
      auto queue = std::make_unique<timer_queue<signal>>(16);
      if (!queue->restore(from.chunks[op])) wrong_ = "the snapshot cannot be restored";
      service_.add_operator(op, std::move(queue));
    }
    carry_out(service_.start(clock_));
  }

  void step() {
    switch (random_.below(12)) {
      case 0: clock_ = clock_ + duration{static_cast<std::int64_t>(random_.below(12))}; break;
      case 1:
      case 2: ring(); break;
      case 3:
      case 4:
      case 5: deliver_to_service(); break;
      case 6:
      case 7: deliver_to_subtask(), call_back(); break;
      case 8:
      case 9: element(); break;
      case 10: advance(); break;
      default: random_.chance(1, 4) ? crash() : barrier(); break;
    }
  }

  // -- the network -------------------------------------------------------------------------------

  void carry_out(timer_actions actions) {
    for (auto& answer : actions.answers) to_subtask_.emplace_back(std::move(answer));
    if (actions.snapshot) to_subtask_.emplace_back(std::move(*actions.snapshot));
    if (actions.alarm) alarms_.push_back(*actions.alarm);
  }

  void send(std::optional<checkpoint_id> barrier = std::nullopt) {
    timer_message message;
    for (auto& client : clients_) client->add_to(message);
    message.snapshot = barrier;
    if (!message.empty()) to_service_.push_back(std::move(message));
  }

  bool deliver_to_service() {
    if (to_service_.empty()) return false;
    auto message = std::move(to_service_.front());
    to_service_.pop_front();
    carry_out(service_.on_message(std::move(message), clock_));
    return true;
  }

  bool deliver_to_subtask() {
    if (to_subtask_.empty()) return false;
    auto first = std::move(to_subtask_.front());
    to_subtask_.pop_front();
    if (auto* answer = std::get_if<timer_answer>(&first)) {
      clients_[answer->operator_index]->on_answer(std::move(*answer));
    } else {
      for (auto& part : std::get<timer_snapshot>(first).operators)
        checkpoint_.chunks[part.operator_index] = std::move(part.chunks);
      checkpoint_.as_was = std::move(cuts_.front());
      cuts_.pop_front();
    }
    return true;
  }

  /// Any alarm that is due, or now and then one that is not.
  bool ring() {
    for (auto alarm = alarms_.begin(); alarm != alarms_.end(); ++alarm) {
      if (alarm->at > clock_ && !random_.chance(1, 8)) continue;
      const auto number = alarm->number;
      alarms_.erase(alarm);
      carry_out(service_.on_alarm(number, clock_));
      return true;
    }
    return false;
  }

  // -- the subtask -------------------------------------------------------------------------------

  std::int64_t near(std::int64_t time) {
    const auto spread = random_.chance(1, 2) ? 4 : 24;
    return saturating_add(time, static_cast<std::int64_t>(random_.below(spread)) - spread / 4);
  }

  void change_something(std::size_t op, std::int64_t around) {
    const bool processing = random_.chance(1, 2);
    const bool add = random_.chance(3, 5);
    const auto time = near(processing ? clock_.ms : around);
    const signal subject{static_cast<std::int64_t>(random_.below(3)),
                         random_.chance(1, 3) ? signal_kind::purge : signal_kind::fire};
    auto& client = *clients_[op];
    if (processing)
      add ? client.register_timer(clock_time{time}, subject)
          : client.delete_timer(clock_time{time}, subject);
    else
      add ? client.register_timer(event_time{time}, subject)
          : client.delete_timer(event_time{time}, subject);
    auto& expected = model_.of(op, processing ? timer_domain::processing : timer_domain::event);
    if (add)
      expected.insert({time, subject.kind, subject.key});
    else
      expected.erase({time, subject.kind, subject.key});
  }

  /// An advancing operator gets no input, but its timers would bear it.
  void element() {
    const auto op = random_.below(operators);
    for (auto changes = 1 + random_.below(4); changes > 0; --changes)
      change_something(op, model_.watermarks[op]);
    if (random_.chance(2, 3)) send();
  }

  void advance() {
    if (advancing_) return;
    const auto op = random_.below(operators);
    const auto rise = 1 + static_cast<std::int64_t>(random_.below(15));
    begin_advance(op, model_.watermarks[op] + rise);
  }

  void begin_advance(std::size_t op, std::int64_t to) {
    model_.watermarks[op] = to;
    if (!clients_[op]->needs_round_trip({to})) {
      ++counts_.saved_trips;
      return check_all_called(op, to);
    }
    clients_[op]->begin_advance({to});
    advancing_ = op;
    send();
  }

  /// A handler: some callbacks, of the advance or between elements.
  void call_back() {
    auto room = random_.below(5);
    if (advancing_) {
      const auto op = *advancing_;
      for (; room > 0; --room) {
        const auto due = clients_[op]->next_event();
        if (!due) break;
        called(op, *due);
      }
      counts_.stopped += room == 0;
      if (!clients_[op]->advancing()) {
        check_all_called(op, model_.watermarks[op]);
        advancing_.reset();
      }
    } else {
      for (std::size_t op = 0; op < operators; ++op)
        for (; room > 0; --room) {
          const auto due = clients_[op]->next_processing();
          if (!due) break;
          called(op, *due);
        }
    }
    if (random_.chance(3, 4)) send();
  }

  void called(std::size_t op, const timer<signal>& t) {
    auto& expected = model_.of(op, t.domain);
    const auto found = expected.find({t.time, t.subject.kind, t.subject.key});
    ++counts_.called;
    if (found == expected.end()) {
      wrong_ = "called back, but not registered: " + std::to_string(t.time);
      return;
    }
    const bool event = t.domain == timer_domain::event;
    if (t.time > (event ? model_.watermarks[op] : clock_.ms)) wrong_ = "called back too early";
    const auto& [time, kind, key] = *expected.begin();
    if (event && std::tie(time, kind) != std::tie(t.time, t.subject.kind))
      wrong_ = "called back out of order";
    counts_.called_from_checkpoint += comes_from_checkpoint(op, t);
    expected.erase(found);
    if (ending_) return;
    for (auto changes = random_.below(3); changes > 0; --changes) change_something(op, t.time);
  }

  bool comes_from_checkpoint(std::size_t op, const timer<signal>& t) {
    return counts_.restores > 0 &&
           checkpoint_.as_was.of(op, t.domain).count({t.time, t.subject.kind, t.subject.key}) > 0;
  }

  void check_all_called(std::size_t op, std::int64_t until) {
    const auto& expected = model_.of(op, timer_domain::event);
    if (!expected.empty() && std::get<0>(*expected.begin()) <= until)
      wrong_ = "not called back: " + std::to_string(std::get<0>(*expected.begin()));
  }

  void barrier() {
    if (advancing_) return;
    cuts_.push_back(model_);
    send(checkpoint_id{1});
  }

  void crash() {
    ++counts_.restores;
    start(checkpoint_);
  }

  /// No further changes: every timer left must be called back, and nothing else.
  void finish() {
    ending_ = true;
    settle();
    clock_ = clock_ + duration{1000};
    settle();
    for (std::size_t op = 0; op < operators && wrong_.empty(); ++op) {
      begin_advance(op, end_of_time);
      settle();
      if (!model_.of(op, timer_domain::processing).empty())
        wrong_ = "a processing timer was not called back";
    }
    if (wrong_.empty() && service_.size() > 0) wrong_ = "timers left with the service";
  }

  void settle() {
    for (int idle = 0; idle < 20 && wrong_.empty(); ++idle) {
      while (deliver_to_service() || deliver_to_subtask() || ring()) idle = 0;
      call_back();
    }
    if (advancing_ && wrong_.empty()) wrong_ = "the advance does not end";
  }

  random_generator random_;
  timer_mutations mutations_;
  counts& counts_;
  timer_limits limits_;
  timer_service_logic service_;
  std::array<std::unique_ptr<timer_client<signal>>, operators> clients_;
  model model_;
  saved checkpoint_;
  std::deque<model> cuts_;  // of the snapshots on their way
  std::deque<timer_message> to_service_;
  std::deque<reply> to_subtask_;
  std::vector<timer_alarm> alarms_;
  clock_time clock_{};
  std::optional<std::size_t> advancing_;
  std::string wrong_;
  bool ending_ = false;
};

std::string run(std::uint64_t seed, timer_mutations mutations, counts& sum) {
  return protocol_run{seed, mutations, sum}.run();
}

}  // namespace

TEST_CASE("what a subtask calls back is what a plain set of timers says", "[timer_protocol]") {
  counts sum;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const std::string wrong = run(seed, {}, sum);
    CAPTURE(seed, wrong);
    REQUIRE(wrong.empty());
  }
  CHECK(sum.called > 100'000);
  CHECK(sum.restores > 10'000);
  CHECK(sum.called_from_checkpoint > 1'000);
  CHECK(sum.saved_trips > 5'000);
  CHECK(sum.stopped > 1'000);
}

TEST_CASE("a FIRE that leaves the queue when it is sent is found out", "[timer_protocol]") {
  counts sum;
  std::uint64_t found = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed)
    found += !run(seed, {.fire_not_leased = true}, sum).empty();
  CHECK(found > 0);
}

}  // namespace weir::dataflow
