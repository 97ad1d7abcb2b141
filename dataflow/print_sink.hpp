// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <ostream>
#include <string>

#include "weir/core/print.hpp"
#include "weir/dataflow/sink.hpp"

namespace weir::dataflow {

/// Writes every record as a line to a stream, at once: a restart repeats lines. The stream must
/// outlive the job; lines of several subtasks do not mix.
template <class T>
class print_sink {
 public:
  using value_type = T;

  class writer {
   public:
    writer(std::ostream& out, std::shared_ptr<std::mutex> lock) : out_{&out}, lock_{lock} {}

    result<sink_readiness> write(const batch<T>& data) {
      std::string text;
      for (std::size_t i = 0; i < data.rows(); ++i) {
        print_value(text, data.values()[i]);
        text += '\n';
      }
      const std::lock_guard guard{*lock_};
      if (!(*out_ << text).flush()) return error{errc::io_error, "printing failed"};
      return sink_readiness::ready;
    }
    sink_readiness ready() const { return sink_readiness::ready; }

   private:
    std::ostream* out_;
    std::shared_ptr<std::mutex> lock_;  // shared by the writers of all subtasks
  };

  explicit print_sink(std::ostream& out) : out_{&out} {}

  result<writer> make_writer(const operator_environment&) const { return writer{*out_, lock_}; }

 private:
  std::ostream* out_;
  std::shared_ptr<std::mutex> lock_ = std::make_shared<std::mutex>();
};

}  // namespace weir::dataflow
