// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <vector>

#include "weir/core/file_system.hpp"
#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/batch.hpp"
#include "weir/dataflow/operator_environment.hpp"

namespace weir::dataflow {

/// Whether a sink takes another batch now.
enum class sink_readiness {
  ready,
  wait  ///< Not before it has called `operator_environment::wake`.
};

/// What a two-phase sink has prepared and not yet made visible: opaque bytes, kept in checkpoints.
using committables = std::vector<std::string>;

/// A sink as a user writes it.
///
/// - `make_writer(environment)`: once per subtask and attempt, before anything else.
/// - `writer.write(batch)`: takes the whole batch, and says whether it takes another one.
/// - `writer.ready()`: asked again after `wait` and a wake-up.
/// - the calls of function_lifecycle.hpp, all optional, for writers with state: one that buffers
///   puts what it has not written into its state at the barrier, in `snapshot_state`.
template <class S>
concept sink = requires(const S& s, const operator_environment& environment,
                        typename S::writer& writer, const batch<typename S::value_type>& data) {
  { s.make_writer(environment) } -> std::same_as<result<typename S::writer>>;
  { writer.write(data) } -> std::same_as<result<sink_readiness>>;
  { writer.ready() } -> std::same_as<sink_readiness>;
};

/// A writer whose output becomes visible only with the checkpoint that holds it.
///
/// - `prepare_commit(id)`: called at the barrier, before `snapshot_state`; sets aside what was
/// written since the last one.
///   The work that it returns makes that durable, on the `io_executor`, and gives what is to be
///   committed; the acknowledgement waits for it. Its failure fails the attempt: later checkpoints
///   cover what was written before this one.
/// - `commit(prepared)`: the work that makes it visible. Runs once the checkpoint is complete; may
///   run again for what is visible already, which must be a success.
///
/// After a crash: what a complete checkpoint holds is committed, by the next attempt if need be;
/// what no complete checkpoint holds never becomes visible.
template <class Writer>
concept two_phase_writer = requires(Writer& writer, checkpoint_id id, committables prepared) {
  { writer.prepare_commit(id) } -> std::same_as<std::function<result<committables>()>>;
  { writer.commit(std::move(prepared)) } -> std::same_as<std::function<status()>>;
};

/// What a sink is told before an attempt starts.
struct sink_start {
  std::string job;
  incarnation current;
  file_system* files = nullptr;

  /// What the checkpoint that the attempt starts from holds of all subtasks: still to be committed.
  committables prepared;
};

/// A sink with something to do once per attempt, before any subtask opens, such as to make its
/// folder ready. `prepare` runs on the `io_executor`; its failure fails the job.
template <class S>
concept attempt_preparing = requires(const S& s, const sink_start& start) {
  { s.prepare(start) } -> std::same_as<status>;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::committables;
using dataflow::sink_readiness;
}  // namespace weir
