// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "weir/core/key_groups.hpp"
#include "weir/dataflow/channel_queue.hpp"
#include "weir/dataflow/one_input_operator.hpp"
#include "weir/dataflow/partitioning.hpp"

namespace weir::dataflow {

/// The end of a chain towards another task: distributes records over its subtasks. Every receiver
/// has a queue of its own, so that one receiver's control elements never wait for another's
/// credit.
template <class T>
class channel_operator final : public one_input_operator<T>, public channel_port {
 public:
  /// `hasher` is for partitioning by hash only; `max_parallelism` is that of the receiving task.
  channel_operator(partitioning how, batch_hasher<T> hasher, std::uint32_t max_parallelism)
      : how_{how}, hasher_{std::move(hasher)}, max_parallelism_{max_parallelism} {}

  void bind(channel_sender& sender, std::uint32_t channels) override {
    sender_ = &sender;
    receivers_ = std::vector<receiver>(channels);
    if (how_ != partitioning::hash) return;
    owners_.resize(max_parallelism_);
    for (std::uint32_t group = 0; group < max_parallelism_; ++group) {
      owners_[group] = owner_of(key_group{group}, channels, max_parallelism_).value;
    }
  }

  void add_credit(std::uint32_t channel, std::uint32_t batches) override {
    receivers_[channel].queue.add_credit(batches);
    send(channel);
  }

  bool drained() const override {
    for (const auto& r : receivers_) {
      if (!r.queue.empty()) return false;
    }
    return true;
  }

  channel_port* as_channel() override { return this; }

  bool has_partial() const override {
    for (const auto& r : receivers_) {
      if (r.open) return true;
    }
    return false;
  }

  bool flush() override {
    bool any = false;
    for (std::uint32_t channel = 0; channel < receivers_.size(); ++channel) {
      any |= ship(channel);
      send(channel);
    }
    return any;
  }

 private:
  struct receiver {
    batch_reference<batch<T>> open;
    channel_queue queue;
    std::size_t payload = 0;  ///< what the values in `open` hold outside themselves
  };

  bool over_budget(const receiver& r) const {
    if constexpr (!has_dynamic_payload<T>) return false;
    return r.payload + r.open->rows() * sizeof(T) >= this->environment().limits.bytes;
  }

  bool ready_to_emit() const override {
    for (const auto& r : receivers_) {
      if (!r.queue.has_room()) return false;
    }
    return true;
  }

  status on_batch() override {
    auto data = this->in().pop_data();
    switch (how_) {
      case partitioning::hash: distribute(std::move(data)); break;
      case partitioning::broadcast:
        for (std::uint32_t channel = 1; channel < receivers_.size(); ++channel) {
          enqueue(channel, data);
        }
        enqueue(0, std::move(data));
        break;
      case partitioning::rebalance: {
        const std::uint32_t channel = next_++ % static_cast<std::uint32_t>(receivers_.size());
        enqueue(channel, std::move(data));
        break;
      }
      case partitioning::forward:
      case partitioning::global: enqueue(0, std::move(data)); break;
    }
    return {};
  }

  using handled = typename one_input_operator<T>::handled;

  result<handled> on_control(control c) override {
    for (std::uint32_t channel = 0; channel < receivers_.size(); ++channel) {
      ship(channel);
      receivers_[channel].queue.push(c);
      send(channel);
    }
    return handled::pass_on;
  }

  void distribute(batch_reference<batch<T>> data) {
    if (!data->hashes()) {
      data = writable(std::move(data));
      hasher_(*data);
    }
    if (receivers_.size() == 1) return enqueue(0, std::move(data));
    const bool sole = data->unique();
    const std::size_t capacity = batch<T>::max_rows(this->environment().limits);
    for (std::size_t i = 0; i < data->rows(); ++i) {
      const std::uint64_t hash = data->hashes()[i];
      const std::uint32_t channel = owners_[key_group_of(hash, max_parallelism_).value];
      auto& open = receivers_[channel].open;
      if (!open) open = batch<T>::make(capacity);
      open->hash_column()[open->rows()] = hash;
      if (sole) {
        open->append(std::move(data->values()[i]), data->times()[i]);
      } else {
        open->append(data->values()[i], data->times()[i]);
      }
      if constexpr (has_dynamic_payload<T>) {
        receivers_[channel].payload += payload_bytes(open->values()[open->rows() - 1]);
      }
      if (open->rows() == capacity || over_budget(receivers_[channel])) [[unlikely]]
        ship(channel);
    }
    for (std::uint32_t channel = 0; channel < receivers_.size(); ++channel) send(channel);
  }

  void enqueue(std::uint32_t channel, batch_reference<batch<T>> data) {
    receivers_[channel].queue.push(erased_batch{data.release()}, this->bytes());
    send(channel);
  }

  /// Queues the batch that is being filled. False if there is none.
  bool ship(std::uint32_t channel) {
    auto& open = receivers_[channel].open;
    if (!open) return false;
    open->mark_hashed();
    open->account();
    receivers_[channel].payload = 0;
    receivers_[channel].queue.push(erased_batch{open.release()}, this->bytes());
    return true;
  }

  void send(std::uint32_t channel) {
    receivers_[channel].queue.send(channel, *sender_, this->bytes());
  }

  partitioning how_;
  batch_hasher<T> hasher_;
  std::uint32_t max_parallelism_;
  channel_sender* sender_ = nullptr;
  std::vector<receiver> receivers_;
  std::vector<std::uint32_t> owners_;
  std::uint32_t next_ = 0;
};

}  // namespace weir::dataflow
