// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "weir/core/block_pool.hpp"
#include "weir/core/payload_size.hpp"
#include "weir/core/time.hpp"
#include "weir/dataflow/type_tag.hpp"

namespace weir::dataflow {

/// A batch of records of a type that the holder does not know. Reference-counted: it travels
/// between actors of one process without a copy. Who holds the only reference may change it;
/// a shared one is constant.
class batch_base {
 public:
  batch_base(const batch_base&) = delete;
  batch_base& operator=(const batch_base&) = delete;

  type_tag type() const { return type_; }
  std::size_t rows() const { return rows_; }

  /// Memory that the rows take: columns in use and what the values hold outside themselves.
  std::size_t bytes() const { return bytes_; }
  void set_bytes(std::size_t bytes) { bytes_ = bytes; }

  bool unique() const { return references_.load(std::memory_order_acquire) == 1; }
  void add_reference() { references_.fetch_add(1, std::memory_order_relaxed); }
  void drop_reference() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }

 protected:
  explicit batch_base(type_tag type) : type_{type} {}
  virtual ~batch_base() = default;

  std::size_t rows_ = 0;

 private:
  virtual void destroy() = 0;

  std::atomic<std::uint32_t> references_{1};
  type_tag type_;
  std::size_t bytes_ = 0;
};

/// Owns one reference to a batch, or none. `Batch` is `batch_base` or a `batch<T>`.
template <class Batch>
class batch_reference {
 public:
  batch_reference() = default;
  /// Takes over the reference that the caller holds.
  explicit batch_reference(Batch* adopted) : batch_{adopted} {}
  batch_reference(const batch_reference& other) : batch_{other.batch_} {
    if (batch_) batch_->add_reference();
  }
  batch_reference(batch_reference&& other) noexcept
      : batch_{std::exchange(other.batch_, nullptr)} {}
  batch_reference& operator=(batch_reference other) noexcept {
    std::swap(batch_, other.batch_);
    return *this;
  }
  ~batch_reference() {
    if (batch_) batch_->drop_reference();
  }

  explicit operator bool() const { return batch_ != nullptr; }
  Batch* get() const { return batch_; }
  Batch* operator->() const { return batch_; }
  Batch& operator*() const { return *batch_; }
  Batch* release() { return std::exchange(batch_, nullptr); }

 private:
  Batch* batch_ = nullptr;
};

using erased_batch = batch_reference<batch_base>;

/// The bounds of a batch; set per job.
struct batch_limits {
  std::size_t rows = 1024;
  std::size_t bytes = 64 * 1024;
};

/// Up to `capacity()` records: a column of values, one of event times (`event_time::min()`: none)
/// and, on keyed edges, one of key hashes. One block of pooled memory.
template <class T>
class batch final : public batch_base {
 public:
  /// The most records of type T that one batch may hold, payloads left out of account.
  static constexpr std::size_t max_rows(batch_limits limits = {}) {
    return std::max<std::size_t>(1, std::min(limits.rows, limits.bytes / sizeof(T)));
  }

  static batch_reference<batch> make(std::size_t capacity) {
    void* block = allocate_block(block_bytes(capacity));
    return batch_reference<batch>{::new (block) batch{capacity}};
  }

  std::size_t capacity() const { return capacity_; }

  T* values() { return values_; }
  const T* values() const { return values_; }
  event_time* times() { return times_; }
  const event_time* times() const { return times_; }

  /// The stable hashes of the records' keys, null when nobody has computed them yet.
  const std::uint64_t* hashes() const { return has_hashes_ ? hashes_ : nullptr; }
  /// The same column to be filled: call `mark_hashed` afterwards.
  std::uint64_t* hash_column() { return hashes_; }
  void mark_hashed() { has_hashes_ = true; }
  void forget_hashes() { has_hashes_ = false; }

  /// Says how many values have been constructed. @pre rows ≤ capacity()
  void set_rows(std::size_t rows) { rows_ = rows; }

  /// @pre rows() < capacity()
  void append(T value, event_time time) {
    ::new (values_ + rows_) T(std::move(value));
    times_[rows_++] = time;
  }

  /// Recomputes what `bytes()` says; called once when the batch is complete.
  void account() {
    std::size_t total = rows_ * (sizeof(T) + sizeof(event_time) + sizeof(std::uint64_t));
    if constexpr (has_dynamic_payload<T>) {
      for (std::size_t i = 0; i < rows_; ++i) total += payload_bytes(values_[i]);
    }
    set_bytes(total);
  }

 private:
  static constexpr std::size_t header_bytes() { return (sizeof(batch) + 63) / 64 * 64; }
  static constexpr std::size_t value_bytes(std::size_t capacity) {
    return (capacity * sizeof(T) + 63) / 64 * 64;
  }
  static constexpr std::size_t block_bytes(std::size_t capacity) {
    return header_bytes() + value_bytes(capacity) +
           capacity * (sizeof(event_time) + sizeof(std::uint64_t));
  }

  explicit batch(std::size_t capacity) : batch_base{tag_of<T>()}, capacity_{capacity} {
    static_assert(alignof(T) <= 64, "a record type may not be aligned to more than 64 bytes");
    auto* raw = reinterpret_cast<std::byte*>(this);  // the columns lie behind the header
    values_ = reinterpret_cast<T*>(raw + header_bytes());
    times_ = reinterpret_cast<event_time*>(raw + header_bytes() + value_bytes(capacity));
    hashes_ = reinterpret_cast<std::uint64_t*>(times_ + capacity);
  }
  ~batch() override { std::destroy_n(values_, rows_); }

  void destroy() override {
    const std::size_t bytes = block_bytes(capacity_);
    this->~batch();
    release_block(this, bytes);
  }

  std::size_t capacity_;
  T* values_;
  event_time* times_;
  std::uint64_t* hashes_;
  bool has_hashes_ = false;
};

/// A batch that may be changed: `b` itself when nobody else holds it, else a copy.
template <class T>
batch_reference<batch<T>> writable(batch_reference<batch<T>> b) {
  if (b->unique()) return b;
  auto copy = batch<T>::make(b->capacity());
  for (std::size_t i = 0; i < b->rows(); ++i) copy->append(b->values()[i], b->times()[i]);
  copy->set_bytes(b->bytes());
  return copy;
}

}  // namespace weir::dataflow

namespace weir {
using dataflow::batch;
}
