// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "weir/dataflow/sink.hpp"

namespace weir::testing {

/// Takes 10 batches, and no more.
template <class T>
class stalling_sink {
 public:
  using value_type = T;

  static constexpr std::uint64_t most = 10;

  class writer {
   public:
    explicit writer(std::shared_ptr<std::uint64_t> batches) : batches_{std::move(batches)} {}

    result<dataflow::sink_readiness> write(const dataflow::batch<T>&) {
      ++*batches_;
      return ready();
    }
    dataflow::sink_readiness ready() const {
      return *batches_ < most ? dataflow::sink_readiness::ready : dataflow::sink_readiness::wait;
    }

   private:
    std::shared_ptr<std::uint64_t> batches_;  // shared with the test
  };

  std::uint64_t batches() const { return *batches_; }
  result<writer> make_writer(const dataflow::operator_environment&) const {
    return writer{batches_};
  }

 private:
  std::shared_ptr<std::uint64_t> batches_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace weir::testing
