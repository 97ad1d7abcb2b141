// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "weir/dataflow/broadcast_port.hpp"
#include "weir/dataflow/keyed_operator.hpp"
#include "weir/dataflow/two_input_operator.hpp"

namespace weir::dataflow {

/// Calls a user's function for each record of a keyed stream, as `keyed_process_operator` does, and
/// for each record of a broadcast stream, as `broadcast_port` does, without a current key. Timers
/// are those of the keyed side. `end_input` is called when the keyed stream has ended,
/// `end_broadcast_input` when the broadcast stream has; both are optional.
template <class Stream, class B, class F, class Timing, class Keys, class... R>
class keyed_broadcast_operator final
    : public keyed_operator<two_input_operator<typename Stream::value_type, B>,
                            typename Stream::key_type, F, Timing, Keys, R...>,
      private key_host {
  using key = typename Stream::key_type;
  using select = typename Stream::select_type;
  using base = keyed_operator<two_input_operator<typename Stream::value_type, B>, key, F, Timing,
                              Keys, R...>;
  using typename base::handled;

 public:
  keyed_broadcast_operator(select keys, F f, Keys output_keys = {})
      : base{std::move(f), std::move(output_keys)}, select_{std::move(keys)} {}

  status open(const operator_environment& environment) override {
    if (auto done = base::open(environment); !done) return done;
    broadcast_.open(*this, *this, *this, this->life_.listed());
    return {};
  }

 private:
  status on_first_batch() override {
    this->template process_front<Stream>(this->first(), select_, internal::call_process_record);
    return {};
  }
  status on_second_batch() override {
    broadcast_.process_front(this->second(), this->function_, this->out_, this->state_.watermark(),
                             [this] { this->check_output(); });
    return {};
  }
  result<handled> on_input_ended(std::size_t port) override {
    if (!this->accesses_.idle()) return this->not_yet();
    if (port == 0) {
      this->call_end(port, internal::call_end_input);
    } else {
      this->call_end(port, internal::call_end_broadcast_input);
    }
    return handled::ends_here;
  }

  void visit_keys(const state::state_handle& state, key_visitor& visitor) override {
    const auto& visit = visitor.as<key>();
    this->visit([&](const key& current) {
      if (state.has_cell()) visit(current);
    });
  }

  select select_;
  broadcast_port broadcast_;
};

}  // namespace weir::dataflow
