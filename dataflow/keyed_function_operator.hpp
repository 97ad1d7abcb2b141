// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/dataflow/function_calls.hpp"
#include "weir/dataflow/function_operator.hpp"
#include "weir/dataflow/keyed_accesses.hpp"
#include "weir/dataflow/keyed_context.hpp"
#include "weir/dataflow/keyed_state_port.hpp"
#include "weir/dataflow/output_keys.hpp"

namespace weir::dataflow {

/// What all operators have in common that call a user's function with a current key, but for its
/// timers: its states, its context, and the order of its keys where state is not in memory. See
/// keyed_operator.hpp.
template <class Input, class K, class F, class Timing, class Keys, class... R>
class keyed_function_operator : public function_operator<Input, F, R...> {
 protected:
  using base = function_operator<Input, F, R...>;
  using typename base::function;
  using context = keyed_context<K>;

 public:
  keyed_function_operator(F f, Keys output_keys)
      : base{std::move(f)}, state_{this->function_}, output_keys_{std::move(output_keys)} {}

  status open(const operator_environment& environment) override {
    if (auto done = base::open(environment); !done) return done;
    state_.open(this->environment());
    this->out_.with(
        [&](auto&... out) { accesses_.open(this->function_, environment.accesses, out...); });
    timers_.emplace(environment.place);
    context_.emplace(*this, *this->whole_, this->life_.listed(), *timers_);
    if constexpr (Keys::checked) output_keys_.watch(this->out_, context_->key());
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    if (auto done = base::restore(chunks); !done) return done;
    return state_.restore(chunks);
  }

  status start() override {
    auto done = base::start();
    check_output();
    return done;
  }

  std::optional<event_time> restored_watermark() const override {
    return state_.restored_watermark();
  }

  clock_time next_alarm() const override { return state_.next_alarm(); }
  void on_alarm(clock_time now) override { state_.on_alarm(now); }

  void begin_snapshot(snapshot_context& into) override {
    base::begin_snapshot(into);
    state_.begin_snapshot(into.stream());
  }
  bool snapshot_running() const override {
    return base::snapshot_running() || state_.rows().snapshotting();
  }
  void sweep_snapshot(std::size_t slots) override {
    base::sweep_snapshot(slots);
    state_.rows().sweep(slots);
  }
  void abort_snapshot() override {
    base::abort_snapshot();
    state_.rows().abort_snapshot();
  }

 protected:
  /// Calls `call(function&, const T&, collector<R>&...[, keyed_context<K>&])` for the records of
  /// the batch at the front of `queue`, with their keys, until the outputs are full; takes it out
  /// if all are done.
  template <class Stream, class T, class Call>
  void process_front(element_queue<T>& queue, const typename Stream::select_type& select,
                     Call call) {
    auto& data = queue.front().data;
    if (!data->hashes()) {
      data = writable(std::move(data));
      Stream::hash_keys(select, *data);
    }
    const bool done = accesses_.at_once() ? process_keyed(select, std::as_const(*data), call)
                                          : take_in(select, data, call);
    if (done) queue.pop_data();
    end_keys();
  }

  /// Calls `call(function&, collector<R>&...)` with this key: at once if it can be.
  template <class Call>
  void call_for(const K& key, event_time time, Call call) {
    const auto hash = stable_hash(key);
    if (accesses_.at_once())
      with_key(key, hash, time, [&] { call_function(call); });
    else
      call_in_order(key, hash, time, [this, call] { this->call_function(call); });
    end_keys();
  }

  /// Whether another record or timer may be processed.
  bool takes_more() const { return !this->out_.full() && !accesses_.full(); }

  /// Goes on with what is in flight. @pre accesses_.has_work()
  void go_on_in_order() {
    accesses_.go_on([this] { return !this->out_.full(); },
                    [this](const K& key, std::uint64_t hash, event_time time, const auto& run) {
                      this->with_key(key, hash, time, run);
                    });
    end_keys();
  }

  /// Behind each call of the function.
  [[gnu::always_inline]] void check_output() {
    if constexpr (Keys::checked) {
      this->out_.with([](auto&... out) { (out.show_emitted(), ...); });
    }
  }

  /// Calls `use(const K&)` for each key that has state, with that key as the current one.
  template <class Use>
  void visit(Use use) {
    const context before = *context_;
    const typename keyed_accesses<K>::made_at_once at_once{accesses_};
    state_.visit([&](const K& key) {
      context_->set(key, before.timestamp(), state_.watermark());
      use(key);
      check_output();
    });
    *context_ = before;
  }

  void visit_partitions(partition_visitor& visitor) override {
    const auto& visit_one = visitor.as<typed_partition_visitor<context, R...>>();
    visit([&](const K&) { this->out_.with([&](auto&... out) { visit_one(out..., *context_); }); });
  }

  keyed_state_port<K, function, Timing> state_;
  keyed_accesses<K> accesses_;
  mutable std::optional<timer_client<K>> timers_;
  std::optional<context> context_;

 private:
  template <class T, class Call>
  static constexpr bool with_context =
      internal::takes_context<Call, context, function&, const T&, collector<R>&...>();

  template <class Select, class T, class Call>
  [[gnu::flatten]] bool process_keyed(const Select& select, const batch<T>& data, Call call) {
    return state_.process(select, data,
                          [&](function& f, const T& in, const K& key, event_time time) {
                            this->out_.set_time(time);
                            if constexpr (with_context<T, Call> || Keys::checked)
                              context_->set(key, time, state_.watermark());
                            call_record(f, in, call);
                            check_output();
                            return !this->out_.full();
                          });
  }

  /// As `process_keyed`, where state is not in memory: parked records keep their batch.
  template <class Select, class T, class Call>
  [[gnu::noinline]] bool take_in(const Select& select, const batch_reference<batch<T>>& data,
                                 Call call) {
    if (accesses_.full()) {
      accesses_.stall();
      return false;
    }
    return state_.hand_out(select, *data, [&](const K& key, std::uint64_t hash, std::size_t row) {
      call_in_order(key, hash, data->times()[row], [this, data, row, call] {
        this->call_record(this->function_, data->values()[row], call);
      });
      return takes_more();
    });
  }

  template <class Run>
  void call_in_order(const K& key, std::uint64_t hash, event_time time, const Run& run) {
    accesses_.in_order(key, hash, time, [&] { with_key(key, hash, time, run); }, run);
  }

  template <class T, class Call>
  [[gnu::always_inline]] void call_record(function& f, const T& in, const Call& call) {
    this->out_.with([&](auto&... out) {
      if constexpr (with_context<T, Call>) {
        call(f, in, out..., *context_);
      } else {
        call(f, in, out...);
      }
    });
  }

  template <class Call>
  void call_function(const Call& call) {
    this->out_.with([&](auto&... out) { call(this->function_, out...); });
  }

  template <class Run>
  void with_key(const K& key, std::uint64_t hash, event_time time, const Run& run) {
    this->out_.set_time(time);
    state_.with_key(key, hash, time, [&](function&, const K& current) {
      context_->set(current, time, state_.watermark());
      run();
      check_output();
    });
  }

  /// Behind calls for records or timers: what is emitted now belongs to no key.
  void end_keys() {
    if constexpr (Keys::checked) context_->end_key();
  }

  [[no_unique_address]] Keys output_keys_;
};

}  // namespace weir::dataflow
