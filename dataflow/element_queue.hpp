// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/dataflow/batch.hpp"
#include "weir/dataflow/control.hpp"

namespace weir::dataflow {

/// What is queued within one chain, for the metric that shows it. Owned by the chain.
struct in_flight_bytes {
  std::size_t now = 0;
  std::size_t most = 0;

  void add(std::size_t bytes) {
    now += bytes;
    if (now > most) most = now;
  }
  void remove(std::size_t bytes) { now -= bytes; }
};

/// The input of an operator within its chain, whatever its record type. Owned by the operator.
class element_queue_base {
 public:
  virtual ~element_queue_base() = default;

  type_tag type() const { return type_; }
  bool empty() const { return head_ == tail_; }

  /// Whether another batch may be queued. Control elements need no room; but when many wait, who
  /// sends them has to wait as well.
  bool has_room() const { return data_ < capacity_ && tail_ - head_ < capacity_ + many; }
  std::size_t batches() const { return data_; }
  std::size_t capacity() const { return capacity_; }
  /// @pre batches > 0
  void set_capacity(std::size_t batches) { capacity_ = batches; }

  /// How many batches the operator has finished with since it was made.
  std::uint64_t finished() const { return finished_; }
  /// How many rows they had.
  std::uint64_t finished_rows() const { return finished_rows_; }

  void account_to(in_flight_bytes& bytes) { bytes_ = &bytes; }

  /// @pre the batch's type is type()
  virtual void push_erased(erased_batch data) = 0;
  virtual void push_control(control c) = 0;

 protected:
  explicit element_queue_base(type_tag type) : type_{type} {}

  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
  std::uint64_t finished_ = 0;
  std::uint64_t finished_rows_ = 0;
  std::size_t data_ = 0;
  std::size_t capacity_ = 2;
  in_flight_bytes* bytes_ = nullptr;

 private:
  static constexpr std::uint64_t many = 64;  ///< control elements

  type_tag type_;
};

/// Batches and control elements in order: a ring that has room for 2 batches, and takes beyond
/// that what one user call still emits.
template <class T>
class element_queue final : public element_queue_base {
 public:
  struct element {
    batch_reference<batch<T>> data;  ///< null: a control element
    control signal = control::idle();
  };

  element_queue() : element_queue_base{tag_of<T>()}, ring_(8) {}

  void push(batch_reference<batch<T>> data) {
    if (bytes_) bytes_->add(data->bytes());
    ++data_;
    put({std::move(data), control::idle()});
  }
  void push_erased(erased_batch data) override {
    push(batch_reference<batch<T>>{static_cast<batch<T>*>(data.release())});
  }
  void push_control(control c) override { put({{}, c}); }

  /// @pre !empty()
  element& front() { return ring_[head_ & (ring_.size() - 1)]; }

  /// Takes the batch at the front out; it counts as finished. @pre the front is a batch
  batch_reference<batch<T>> pop_data() {
    auto data = std::move(front().data);
    if (bytes_) bytes_->remove(data->bytes());
    ++head_, --data_, ++finished_;
    finished_rows_ += data->rows();
    return data;
  }
  /// @pre the front is a control element
  control pop_control() {
    const control c = front().signal;
    ++head_;
    return c;
  }

 private:
  void put(element e) {
    if (tail_ - head_ == ring_.size()) grow();
    ring_[tail_++ & (ring_.size() - 1)] = std::move(e);
  }
  [[gnu::noinline]] void grow() {
    std::vector<element> larger(ring_.size() * 2);
    const std::uint64_t count = tail_ - head_;
    for (std::uint64_t i = 0; i < count; ++i) {
      larger[i] = std::move(ring_[(head_ + i) & (ring_.size() - 1)]);
    }
    ring_ = std::move(larger);
    head_ = 0;
    tail_ = count;
  }

  std::vector<element> ring_;
};

}  // namespace weir::dataflow
