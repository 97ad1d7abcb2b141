// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/dataflow/source.hpp"

namespace weir::dataflow {

/// The records of a vector, in order; with several subtasks, in splits of up to 1,024 records.
template <class T>
class collection_source {
  static_assert(!std::is_same_v<T, bool>, "collection_source<T>: a vector of bool has no records");

 public:
  using value_type = T;
  using split_type = std::uint64_t;     ///< number of the split's first record
  using position_type = std::uint64_t;  ///< records of the split that were emitted

  static constexpr std::uint64_t split_size = 1024;

  class reader {
   public:
    explicit reader(std::shared_ptr<const std::vector<T>> records) : records_{std::move(records)} {}

    status open(const split_type& first, const position_type& done) {
      const auto size = static_cast<std::uint64_t>(records_->size());
      const auto end = std::min(size, first + split_size);
      if (first > size || done > end - first) {
        return error{errc::invalid_argument, "a collection has become shorter than its checkpoint"};
      }
      first_ = first;
      at_ = first + done;
      end_ = end;
      return {};
    }
    result<poll_outcome> poll(collector<T>& out, std::size_t most) {
      const auto count = std::min<std::uint64_t>(most, end_ - at_);
      out.collect_all(records_->data() + at_, count, [](const T&) { return event_time::min(); });
      at_ += count;
      return at_ == end_ ? poll_outcome::split_done : poll_outcome::produced;
    }
    position_type position() const { return at_ - first_; }

   private:
    std::shared_ptr<const std::vector<T>> records_;  // shared by all subtasks, constant
    std::uint64_t first_ = 0;
    std::uint64_t at_ = 0;
    std::uint64_t end_ = 0;
  };

  explicit collection_source(std::vector<T> records)
      : records_{std::make_shared<const std::vector<T>>(std::move(records))} {}

  result<std::vector<split_type>> splits(file_system&) const {
    std::vector<split_type> all;
    for (std::uint64_t first = 0; first < records_->size(); first += split_size) {
      all.push_back(first);
    }
    return all;
  }
  reader make_reader(file_system&) const { return reader{records_}; }

 private:
  std::shared_ptr<const std::vector<T>> records_;
};

}  // namespace weir::dataflow
