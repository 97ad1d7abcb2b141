// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/dataflow/batch.hpp"

namespace weir::windowing {

/// So many records before its turn the slot of a record's row is fetched.
inline constexpr std::size_t prefetch_ahead = 16;

/// Keys and timers in one step of a firing, so that other operators and actors get their turn.
inline constexpr std::size_t calls_per_step = 1024;

/// Where a keyed operator stands in the batch that it works on, and the hashes of its keys. Stream
/// is a `keyed_stream`. Owned by the operator.
template <class Stream>
class keyed_cursor {
 public:
  using record = typename Stream::value_type;
  using batch = dataflow::batch<record>;

  /// Takes up a batch, or goes on with it. It must live until `finished()`.
  void work_on(batch& data, const typename Stream::select_type& select) {
    if (data_ != nullptr) return;
    data_ = &data;
    position = 0;
    if (data.hashes() == nullptr && data.unique()) Stream::hash_keys(select, data);
    hashes_ = data.hashes();
    if (hashes_ == nullptr) hash_shared(select);
  }

  const record* records() const { return data_->values(); }
  const event_time* times() const { return data_->times(); }
  const std::uint64_t* hashes() const { return hashes_; }
  std::size_t rows() const { return data_->rows(); }

  /// The record in hand and the hash of its key. @pre position < rows()
  const record& record_in_hand() const { return records()[position]; }
  std::uint64_t hash() const { return hashes_[position]; }

  /// True when all records are done: then the batch is let go.
  bool finished() {
    if (position < data_->rows()) return false;
    data_ = nullptr;
    return true;
  }

  /// Whether a batch is being worked on.
  bool busy() const { return data_ != nullptr; }

  /// The time of the record in hand; `min()`: there is none.
  event_time time() const {
    return data_ != nullptr && position < rows() ? times()[position] : event_time::min();
  }

  std::size_t position = 0;  ///< of the next record

 private:
  /// A batch that others hold is not changed.
  void hash_shared(const typename Stream::select_type& select) {
    own_hashes_.clear();
    for (std::size_t i = 0; i < rows(); ++i)
      own_hashes_.push_back(stable_hash(std::invoke(select, records()[i])));
    hashes_ = own_hashes_.data();
  }

  const batch* data_ = nullptr;
  const std::uint64_t* hashes_ = nullptr;
  std::vector<std::uint64_t> own_hashes_;
};

/// A count kept in a register, and written back at the end or when an exception passes.
class local_count {
 public:
  explicit local_count(std::size_t& to) : value{to}, to_{to} {}
  local_count(const local_count&) = delete;
  local_count& operator=(const local_count&) = delete;
  ~local_count() { to_ = value; }

  std::size_t value;

 private:
  std::size_t& to_;
};

}  // namespace weir::windowing
