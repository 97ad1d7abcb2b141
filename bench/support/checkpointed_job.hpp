// SPDX-License-Identifier: Apache-2.0
// A whole job that runs for some seconds, with or without checkpoints to the real disk.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/state/state.hpp"

#include "bench/support/checksum_sink.hpp"
#include "bench/support/records.hpp"

namespace weir::bench {

/// A folder that goes when this does.
class temporary_folder {
 public:
  temporary_folder() {
    auto name = (std::filesystem::temp_directory_path() / "weir_bench_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      std::perror("a temporary folder");
      std::exit(1);
    }
    path_ = name;
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The running count of each key.
struct counted_row {
  std::uint64_t key;
  std::int64_t count;
  std::uint64_t digest() const { return key ^ static_cast<std::uint64_t>(count); }
};

struct running_count {
  value_state<std::int64_t> count{"count"};
  auto uses_states() { return states(count); }

  void process_record(const record& in, collector<counted_row>& out) {
    const std::int64_t* before = count.value();
    const std::int64_t after = before == nullptr ? 1 : *before + 1;
    count.update(after);
    out.collect({in.key, after});
  }
};

/// Counts the records of `records`, read `times` times; a checkpoint each `interval` to `folder`,
/// none if that is empty.
inline checksum counting_job(const record_list& records, std::uint64_t times,
                             const std::string& folder, duration interval) {
  environment env{"counting"};
  checksum_sink<counted_row> sink;
  if (!folder.empty()) env.checkpoint_every(interval, folder);
  env.from_source(list_source{records, times})
      .key_by(&record::key)
      .process(running_count{})
      .sink_to(sink);
  if (auto done = execute(env); !done) {
    std::fprintf(stderr, "%s\n", done.error_text().c_str());
    std::exit(1);
  }
  return sink.total();
}

}  // namespace weir::bench
