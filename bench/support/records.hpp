// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/source.hpp"

namespace weir::bench {

/// The record of the benchmarks: 24 bytes.
struct record {
  std::uint64_t key;
  std::int64_t time;  ///< event time in ms
  std::int64_t value;
};

using record_list = std::shared_ptr<const std::vector<record>>;

/// `count` records with keys drawn evenly from [1, keys], `per_ms` to a millisecond of event time.
inline record_list make_records(std::size_t count, std::uint64_t keys, std::size_t per_ms) {
  random_generator random{42};
  auto list = std::make_shared<std::vector<record>>();
  list->reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    list->push_back({1 + random.below(keys), static_cast<std::int64_t>(i / per_ms),
                     static_cast<std::int64_t>(random.below(1000))});
  }
  return list;
}

/// Emits the records of a list in memory, one split, with their times; the whole list so many
/// times.
class list_source {
 public:
  using value_type = record;
  using split_type = std::uint64_t;
  using position_type = std::uint64_t;

  class reader {
   public:
    reader(record_list records, std::uint64_t times)
        : records_{std::move(records)}, end_{records_->size() * times} {}

    status open(const split_type&, const position_type& done) {
      at_ = done;
      return {};
    }
    result<dataflow::poll_outcome> poll(dataflow::collector<record>& out, std::size_t most) {
      const std::size_t from = at_ % records_->size();
      const std::size_t count = std::min(most, records_->size() - from);
      out.collect_all(records_->data() + from, count,
                      [](const record& r) { return event_time{r.time}; });
      at_ += count;
      return at_ == end_ ? dataflow::poll_outcome::split_done : dataflow::poll_outcome::produced;
    }
    position_type position() const { return at_; }

   private:
    record_list records_;
    std::uint64_t end_;
    std::uint64_t at_ = 0;
  };

  explicit list_source(record_list records, std::uint64_t times = 1)
      : records_{std::move(records)}, times_{times} {}

  result<std::vector<split_type>> splits(file_system&) const { return std::vector<split_type>{0}; }
  reader make_reader(file_system&) const { return {records_, times_}; }

 private:
  record_list records_;
  std::uint64_t times_;
};

}  // namespace weir::bench
