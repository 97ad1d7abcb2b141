// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "weir/dataflow/broadcast_port.hpp"
#include "weir/dataflow/non_keyed_operator.hpp"
#include "weir/dataflow/two_input_operator.hpp"

namespace weir::dataflow {

/// Calls a user's function for each record of a stream without keys, as `process_operator` does,
/// and for each record of a broadcast stream, as `broadcast_port` does. `end_input` is called when
/// the first stream has ended, `end_broadcast_input` when the broadcast stream has; both are
/// optional.
template <class T, class B, class F, class Timing, class... R>
class broadcast_operator final
    : public non_keyed_operator<two_input_operator<T, B>, F, Timing, R...>,
      private key_host {
  using base = non_keyed_operator<two_input_operator<T, B>, F, Timing, R...>;
  using typename base::handled;

 public:
  using base::base;

  status open(const operator_environment& environment) override {
    if (auto done = base::open(environment); !done) return done;
    broadcast_.open(*this, *this, *this, this->life_.listed());
    return {};
  }

 private:
  status on_first_batch() override {
    this->process_front(this->first(), internal::call_process_record);
    return {};
  }
  status on_second_batch() override {
    broadcast_.process_front(this->second(), this->function_, this->out_, watermark_, [] {});
    return {};
  }
  result<handled> on_control(control c) override {
    if (c.kind() == control_kind::watermark) watermark_ = std::max(watermark_, c.time());
    return base::on_control(c);
  }
  result<handled> on_input_ended(std::size_t port) override {
    if (port == 0) {
      this->call_end(port, internal::call_end_input);
    } else {
      this->call_end(port, internal::call_end_broadcast_input);
    }
    return handled::ends_here;
  }

  void visit_keys(const state::state_handle&, key_visitor&) override {
    key_visitor::fail_without_keys();
  }

  broadcast_port broadcast_;
  event_time watermark_ = event_time::min();
};

}  // namespace weir::dataflow
