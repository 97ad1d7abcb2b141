// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/dataflow/function_lifecycle.hpp"
#include "weir/dataflow/source.hpp"
#include "weir/dataflow/watermark_manager.hpp"

namespace weir::dataflow {

/// A reader of a source with the split that it reads, and its life. Owned and used by one subtask.
template <source S>
class split_reader {
 public:
  using reader = typename S::reader;
  using record = typename S::value_type;

  static_assert(!parallel_source<S> ||
                    !(state::has_states<reader> ||
                      requires(reader& r, initialization_context& c) { r.initialize_state(c); }),
                "a source that reads several splits at once: its readers cannot have states of "
                "their own");

  split_reader(const S& definition, const operator_environment& environment)
      : reader_{make(definition, environment)}, life_{reader_} {
    life_.open(environment);
  }
  split_reader(const split_reader&) = delete;
  split_reader& operator=(const split_reader&) = delete;

  function_lifecycle<reader>& life() { return life_; }
  const function_lifecycle<reader>& life() const { return life_; }

  /// Errors: corrupt; those of the reader.
  status open(encoded_split next) {
    current_ = std::move(next);
    auto split = decode<typename S::split_type>(current_.split);
    if (!split) return std::move(split).failure();
    typename S::position_type position{};
    if (!current_.position.empty()) {
      auto stored = decode<typename S::position_type>(current_.position);
      if (!stored) return std::move(stored).failure();
      position = *std::move(stored);
    }
    if (auto done = reader_.open(*split, position); !done) return done;
    reading_ = true;
    return {};
  }

  /// @pre reading()
  result<poll_outcome> poll(collector<record>& out, std::size_t most,
                            watermark_manager watermarks) {
    auto outcome = ask(out, most, watermarks);
    if (!outcome) return outcome;
    if (*outcome == poll_outcome::split_done) reading_ = false;
    if (*outcome != poll_outcome::nothing_now) return outcome;
    if (auto done = rest(); !done) return std::move(done).failure();
    return outcome;
  }

  std::uint64_t split() const { return current_.number; }
  std::string position() { return encode(reader_.position()); }
  bool reading() const { return reading_; }

  /// Whether the reader has nothing now, and since then nothing has said otherwise.
  bool resting() const { return resting_; }
  clock_time next_poll() const { return resting_ ? next_poll_ : clock_time::max(); }
  void on_alarm(clock_time now) {
    if (now >= next_poll_) resting_ = false;
  }
  void on_wake() { resting_ = false; }

 private:
  static reader make(const S& definition, const operator_environment& environment) {
    if constexpr (environment_source<S>) {
      return definition.make_reader(environment);
    } else {
      return definition.make_reader(*environment.files);
    }
  }

  result<poll_outcome> ask(collector<record>& out, std::size_t most,
                           [[maybe_unused]] watermark_manager& watermarks) {
    if constexpr (watermark_source<S>) {
      return reader_.poll(out, most, watermarks);
    } else {
      return reader_.poll(out, most);
    }
  }

  status rest() {
    if constexpr (!timed_reader<reader> && !environment_source<S>) {
      return error{
          errc::invalid_argument,
          "the source has nothing now, and no way to be asked again: give its reader a "
          "`clock_time next_poll()`, or make it with the environment, and call its wake()"};
    }
    resting_ = true;
    next_poll_ = clock_time::max();
    if constexpr (timed_reader<reader>) next_poll_ = reader_.next_poll();
    return {};
  }

  reader reader_;
  function_lifecycle<reader> life_;
  encoded_split current_;
  clock_time next_poll_ = clock_time::max();
  bool reading_ = false;
  bool resting_ = false;
};

}  // namespace weir::dataflow
