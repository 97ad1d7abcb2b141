// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/codec.hpp"
#include "weir/core/file_system.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/operator_environment.hpp"
#include "weir/dataflow/watermark_manager.hpp"

namespace weir::dataflow {

/// What a call of `poll` came to.
enum class poll_outcome {
  produced,    ///< Emitted something, or may next time.
  split_done,  ///< The split is read to its end; what was emitted by this call counts.
  nothing_now  ///< The split goes on, but not yet: to be asked again when `next_poll()` is due, or
               ///< `operator_environment::wake` is called. What was emitted by this call counts.
};

/// A source whose readers may be made with the environment of their operator: they can call its
/// `wake`, from any thread.
template <class S>
concept environment_source = requires(const S& s, const operator_environment& environment) {
  { s.make_reader(environment) } -> std::same_as<typename S::reader>;
};

/// A source whose readers emit watermarks of the job's own, which its `declare_watermarks()` gives:
/// `reader.poll(out, most, watermarks)`.
template <class S>
concept watermark_source =
    requires(typename S::reader& reader, collector<typename S::value_type>& out, std::size_t most,
             watermark_manager& watermarks) {
      { reader.poll(out, most, watermarks) } -> std::same_as<result<poll_outcome>>;
    };

/// A reader that says when it is to be asked again after `nothing_now`; `max()`: when it is woken.
template <class Reader>
concept timed_reader = requires(Reader& reader) {
  { reader.next_poll() } -> std::same_as<clock_time>;
};

/// A source as a user writes it. It is planned once per job into splits, which are handed to the
/// subtasks in order, one at a time; a reader reads one split after the other. See
/// `parallel_source` for several splits side by side.
///
/// - `splits(files)`: called once per job, on the `io_executor`; the list is kept in checkpoints.
/// - `make_reader(files)`, or `make_reader(environment)`: once per subtask.
/// - `reader.open(split, position)`: to read `split` from `position` on; a default-constructed
///   position is the start.
/// - `reader.poll(out, most)`, or as of a `watermark_source`: emits up to about `most` records and
///   returns; never waits. No barrier comes while it runs: so what it emits and how it changes the
///   reader are in the same checkpoint, or both are not.
/// - `reader.position()`: from where to go on after what has been emitted.
/// - `reader.next_poll()`: optional, see `timed_reader`.
/// - the calls of function_lifecycle.hpp, all optional, for readers with state of their own or with
///   something to do when a checkpoint is complete.
///
/// Splits and positions have codecs. Times are given with `out.collect(record, time)`.
template <class S>
concept source =
    requires(const S& s, file_system& files, typename S::reader& reader,
             const typename S::split_type& split, const typename S::position_type& position) {
      { s.splits(files) } -> std::same_as<result<std::vector<typename S::split_type>>>;
      { reader.open(split, position) } -> std::same_as<status>;
      { reader.position() } -> std::same_as<typename S::position_type>;
    } &&
    (watermark_source<S> ||
     requires(typename S::reader& reader, collector<typename S::value_type>& out,
              std::size_t most) {
       { reader.poll(out, most) } -> std::same_as<result<poll_outcome>>;
     }) &&
    (environment_source<S> || requires(const S& s, file_system& files) {
      { s.make_reader(files) } -> std::same_as<typename S::reader>;
    });

/// A source of which each subtask reads up to `splits_at_once()` splits side by side, each with a
/// reader of its own. Such readers have no states of their own.
template <class S>
concept parallel_source = requires(const S& s) {
  { s.splits_at_once() } -> std::convertible_to<std::size_t>;
};

/// Splits as bytes, for those that only carry them. Numbered in order, from 0.
struct encoded_split {
  std::uint64_t number = 0;
  std::string split;
  std::string position;     ///< empty: the start
  std::string watermark{};  ///< of what was read of it; empty: none
};

/// What a subtask and its coordinator do with a source operator, whatever its types.
class source_port {
 public:
  virtual ~source_port() = default;

  /// Whether a further split should be asked for now. True once per split asked for.
  virtual bool take_split_request() = 0;
  virtual status add_split(encoded_split split) = 0;
  virtual void no_more_splits() = 0;

  /// While held, a source emits no data; control elements pass.
  virtual void hold(bool held) = 0;

  /// Whether the end of input has been emitted.
  virtual bool ended() const = 0;

  /// The watermark to report to the coordinator now, of a source that waits for others.
  virtual std::optional<event_time> take_alignment_report(clock_time) { return std::nullopt; }
  /// Splits whose watermark is beyond `allowed` are not read on.
  virtual void on_allowed(event_time /*allowed*/) {}
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::poll_outcome;
}
