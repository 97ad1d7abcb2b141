// SPDX-License-Identifier: Apache-2.0
// A job of a few subtasks that write to a file sink, over a disk that fails or crashes at each of
// its operations in turn: whatever happens, each row is seen once.
#include <algorithm>
#include <string>
#include <vector>

#include "weir/connectors/file_sink.hpp"
#include "weir/core/memory_file_system.hpp"
#include "weir/dataflow/prepared_commits.hpp"

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

using dataflow::prepared_commits;
using row_sink = file_sink<std::string>;

/// What the newest completed checkpoint holds; published in one step, as a manifest is.
struct checkpoint {
  checkpoint_id id;
  std::size_t rows = 0;                       ///< So many rows of the input it covers.
  std::vector<state::snapshot_chunk> chunks;  ///< Of all subtasks.
};

/// Row i goes to subtask i mod `subtasks`; a checkpoint after every `rows_per_checkpoint` rows.
struct job {
  std::size_t subtasks = 2;
  std::size_t rows = 12;
  std::size_t rows_per_checkpoint = 4;
  std::size_t row_bytes = 10;
  file_sink_options options;
  checkpoint completed;
  std::uint64_t last_id = 0;
  std::uint32_t last_attempt = 0;
  bool done = false;

  job() {
    options.folder = "/out/rows";
    options.job = "sweep";
    options.roll_bytes = 15;
  }

  std::string row(std::size_t i) const {
    auto text = std::to_string(i);
    return text + std::string(row_bytes, 'x');
  }

  /// Restores the newest checkpoint, and runs until the end of the input or the first error.
  status run_attempt(file_system& files) {
    const row_sink sink{options};
    const dataflow::incarnation attempt{epoch_id{1}, attempt_id{++last_attempt}};
    const auto named = prepared_commits::read_all(completed.chunks).value();
    if (auto ready = sink.prepare({"sweep", attempt, &files, named}); !ready) return ready;

    std::vector<row_sink::writer> writers;
    std::vector<prepared_commits> prepared(subtasks);
    for (std::uint32_t s = 0; s < subtasks; ++s) {
      dataflow::operator_environment environment;
      environment.job = "sweep";
      environment.subtask = {s};
      environment.current = attempt;
      environment.files = &files;
      writers.push_back(sink.make_writer(environment).value());
      REQUIRE(
          prepared[s].restore(completed.chunks, {s}, static_cast<std::uint32_t>(subtasks)).ok());
      if (auto done = commit(completed.id, writers[s], prepared[s]); !done) return done;
    }
    for (std::size_t i = completed.rows; i < rows;) {
      const auto end = std::min(rows, i + rows_per_checkpoint);
      for (; i < end; ++i) {
        auto data = dataflow::batch<std::string>::make(1);
        data->append(row(i), event_time::min());
        if (auto written = writers[i % subtasks].write(*data); !written) {
          return std::move(written).failure();
        }
      }
      if (auto taken = take_checkpoint(end, writers, prepared); !taken) return taken;
    }
    done = true;
    return {};
  }

  static status commit(checkpoint_id id, row_sink::writer& writer, prepared_commits& prepared) {
    if (auto committed = writer.commit(prepared.take(id))(); !committed) return committed;
    prepared.committed(id);
    return {};
  }

  status take_checkpoint(std::size_t position, std::vector<row_sink::writer>& writers,
                         std::vector<prepared_commits>& prepared) {
    checkpoint next{checkpoint_id{++last_id}, position, {}};
    for (std::uint32_t s = 0; s < subtasks; ++s) {
      auto chunks = prepared[s].add(next.id, writers[s].prepare_commit(next.id))();
      if (!chunks) return std::move(chunks).failure();
      for (auto& chunk : *chunks) {
        chunk.from = {s};
        next.chunks.push_back(std::move(chunk));
      }
    }
    completed = next;
    // The first subtask never hears of odd checkpoints: the next notice has to do.
    for (std::size_t s = position < rows ? next.id.value % 2 : 0; s < subtasks; ++s) {
      if (auto done = commit(next.id, writers[s], prepared[s]); !done) return done;
    }
    return {};
  }
};

/// The rows in all files that a reader sees, sorted.
std::vector<std::string> visible_rows(memory_file_system& files, const std::string& folder) {
  std::vector<std::string> rows;
  const auto names = files.list(folder);
  if (!names) return rows;
  for (const auto& name : *names) {
    if (name.starts_with('.')) continue;
    const auto text = read_file(files, folder + "/" + name);
    REQUIRE(text.ok());
    for (std::size_t start = 0; start < text->size();) {
      const auto end = text->find('\n', start);
      REQUIRE(end != std::string::npos);
      rows.push_back(text->substr(start, end - start));
      start = end + 1;
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::size_t hidden_files(memory_file_system& files, const std::string& folder) {
  const auto names = files.list(folder).value();
  return static_cast<std::size_t>(std::count_if(
      names.begin(), names.end(), [](const std::string& name) { return name.starts_with('.'); }));
}

std::vector<std::string> expected_rows(const job& running, std::size_t count) {
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(running.row(i));
  std::sort(rows.begin(), rows.end());
  return rows;
}

enum class trouble { one_failure, lasting_failure, crash };

/// Runs the job to its end; at the given operation the disk makes trouble. After each attempt only
/// rows of completed checkpoints may be seen. Returns how many attempts it took.
int run_with_trouble(job& running, memory_file_system& files, trouble kind, std::uint64_t at) {
  random_generator random{at};
  bool over = false;
  files.set_faults([&](const file_operation& operation) -> std::optional<file_fault> {
    if (over || operation.ordinal < at) return std::nullopt;
    if (kind != trouble::lasting_failure) over = true;
    if (kind == trouble::crash) files.crash(random);
    return file_fault{error{errc::io_error, "trouble"}, operation.bytes / 2};
  });
  int attempts = 0;
  while (!running.done) {
    REQUIRE(++attempts <= 2);
    const auto ended = running.run_attempt(files);
    over = true;
    CAPTURE(ended.error_text());
    const auto seen = visible_rows(files, running.options.folder);
    const auto covered = expected_rows(running, running.completed.rows);
    REQUIRE(std::includes(covered.begin(), covered.end(), seen.begin(), seen.end()));
  }
  files.set_faults({});  // it refers to this function's variables
  return attempts;
}

TEST_CASE("each row is seen once, whichever operation of the disk fails or crashes",
          "[file_sink][recovery]") {
  const auto kind = GENERATE(trouble::one_failure, trouble::lasting_failure, trouble::crash);
  const auto row_bytes = GENERATE(std::size_t{10}, std::size_t{70'000});
  job undisturbed;
  undisturbed.row_bytes = row_bytes;
  memory_file_system calm;
  REQUIRE(undisturbed.run_attempt(calm).ok());
  const auto expected = expected_rows(undisturbed, undisturbed.rows);
  REQUIRE(visible_rows(calm, undisturbed.options.folder) == expected);
  const auto operations = calm.operations();
  REQUIRE(operations > 50);

  int restarts = 0;
  for (std::uint64_t at = 1; at <= operations; ++at) {
    CAPTURE(at);
    job running;
    running.row_bytes = row_bytes;
    memory_file_system files;
    restarts += run_with_trouble(running, files, kind, at) - 1;
    REQUIRE(visible_rows(files, running.options.folder) == expected);
    REQUIRE(hidden_files(files, running.options.folder) == 0);
    // What was committed stays.
    random_generator random{at};
    files.crash(random);
    REQUIRE(visible_rows(files, running.options.folder) == expected);
  }
  CHECK(restarts > 30);
}

TEST_CASE("C109: nothing of a checkpoint is seen that failed in another subtask",
          "[file_sink][recovery]") {
  job running;
  running.subtasks = 3;
  running.rows = 6;
  running.rows_per_checkpoint = 3;
  running.last_id = 40;
  memory_file_system files;
  int syncs_of_42 = 0;
  files.set_faults([&](const file_operation& operation) -> std::optional<file_fault> {
    if (running.last_id != 42 || operation.kind != file_operation_kind::sync) return std::nullopt;
    // Subtasks 0 and 1 sync their files, subtask 2 cannot.
    if (++syncs_of_42 != 3) return std::nullopt;
    return error{errc::io_error, "no"};
  });
  REQUIRE_FALSE(running.run_attempt(files).ok());
  CHECK(running.completed.id == checkpoint_id{41});
  const auto before = expected_rows(running, 3);
  const auto seen = visible_rows(files, running.options.folder);
  CHECK(std::includes(before.begin(), before.end(), seen.begin(), seen.end()));

  REQUIRE(running.run_attempt(files).ok());
  CHECK(visible_rows(files, running.options.folder) == expected_rows(running, 6));
}

TEST_CASE("C108: a checkpoint whose notice was lost is committed by the restore",
          "[file_sink][recovery]") {
  job running;
  running.subtasks = 1;
  running.rows = 4;
  running.rows_per_checkpoint = 2;
  memory_file_system files;
  // The first attempt completes checkpoint 1, which the only subtask never hears of, and stops
  // when checkpoint 2 begins, with rows in an open file.
  files.set_faults([&](const file_operation& operation) -> std::optional<file_fault> {
    if (running.last_id != 2 || running.last_attempt != 1) return std::nullopt;
    return error{errc::io_error, "dead (" + std::string{operation.path} + ")"};
  });
  REQUIRE_FALSE(running.run_attempt(files).ok());
  REQUIRE(running.completed.id == checkpoint_id{1});
  CHECK(visible_rows(files, running.options.folder).empty());

  REQUIRE(running.run_attempt(files).ok());
  CHECK(visible_rows(files, running.options.folder) == expected_rows(running, 4));
  CHECK(hidden_files(files, running.options.folder) == 0);
}

}  // namespace
}  // namespace weir::connectors
