// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "weir/connectors/line_file_source.hpp"
#include "weir/connectors/nexmark_source.hpp"

namespace example {

/// What the sources of a process have read, as all subtasks note it. Any thread.
class read_log {
 public:
  void begin(std::uint64_t number) {
    auto lowest = first_.load();
    while (number < lowest && !first_.compare_exchange_weak(lowest, number)) {
    }
  }
  void add(std::uint64_t count) { read_ += count; }

  std::uint64_t read() const { return read_; }
  /// The lowest number from which a subtask read on. @pre read() > 0
  std::uint64_t first() const { return first_; }

 private:
  std::atomic<std::uint64_t> read_{0};
  std::atomic<std::uint64_t> first_{std::numeric_limits<std::uint64_t>::max()};
};

/// The number, in the whole input, of the record at a position of a split.
inline std::uint64_t number_at(const weir::connectors::nexmark_split& split,
                               std::uint64_t position) {
  return split.first + position;
}
inline std::uint64_t number_at(const weir::connectors::line_split& split,
                               const weir::connectors::line_position& position) {
  return split.first_line + position.lines;
}

/// A source that notes what it reads: a source made from another one.
template <weir::dataflow::source S>
class noting_source {
 public:
  using value_type = typename S::value_type;
  using split_type = typename S::split_type;
  using position_type = typename S::position_type;

  class reader {
   public:
    reader(typename S::reader inner, std::shared_ptr<read_log> log)
        : inner_{std::move(inner)}, log_{std::move(log)} {}

    weir::status open(const split_type& split, const position_type& position) {
      split_ = split;
      number_ = number_at(split, position);
      log_->begin(number_);
      return inner_.open(split, position);
    }
    weir::result<weir::dataflow::poll_outcome> poll(weir::collector<value_type>& out,
                                                    std::size_t most) {
      auto outcome = inner_.poll(out, most);
      const auto next = number_at(split_, inner_.position());
      log_->add(next - std::exchange(number_, next));
      return outcome;
    }
    position_type position() const { return inner_.position(); }

   private:
    typename S::reader inner_;
    std::shared_ptr<read_log> log_;  // shared by all subtasks, and who reports
    split_type split_{};
    std::uint64_t number_ = 0;
  };

  noting_source(S inner, std::shared_ptr<read_log> log)
      : inner_{std::move(inner)}, log_{std::move(log)} {}

  weir::result<std::vector<split_type>> splits(weir::file_system& files) const {
    return inner_.splits(files);
  }
  reader make_reader(weir::file_system& files) const {
    return reader{inner_.make_reader(files), log_};
  }

 private:
  S inner_;
  std::shared_ptr<read_log> log_;
};

}  // namespace example
