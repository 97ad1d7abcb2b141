// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "weir/dataflow/sink.hpp"

namespace weir::bench {

/// What both sides of a benchmark come to: that the sums agree shows that they did the same work.
struct checksum {
  std::uint64_t rows = 0;
  std::uint64_t sum = 0;

  void add(std::uint64_t value) {
    ++rows;
    sum += value;
  }
  friend bool operator==(const checksum&, const checksum&) = default;
};

/// Adds up `digest(row)` over all rows. One subtask.
template <class T>
class checksum_sink {
 public:
  using value_type = T;

  class writer {
   public:
    explicit writer(std::shared_ptr<checksum> total) : total_{std::move(total)} {}

    result<dataflow::sink_readiness> write(const dataflow::batch<T>& data) {
      checksum here = *total_;
      for (std::size_t i = 0; i < data.rows(); ++i) here.add(data.values()[i].digest());
      *total_ = here;
      return dataflow::sink_readiness::ready;
    }
    dataflow::sink_readiness ready() const { return dataflow::sink_readiness::ready; }

   private:
    std::shared_ptr<checksum> total_;  // shared with the benchmark, which reads it at the end
  };

  result<writer> make_writer(const dataflow::operator_environment&) const { return writer{total_}; }
  const checksum& total() const { return *total_; }

 private:
  std::shared_ptr<checksum> total_ = std::make_shared<checksum>();
};

}  // namespace weir::bench
