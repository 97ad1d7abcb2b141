// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/checkpoint/manifest.hpp"

namespace weir::checkpoint {

/// A manifest with something in each of its fields: two operators in one chain, one with a blob of
/// an earlier checkpoint, and a stateless one.
inline manifest sample_manifest() {
  const state_file first{.path = "chk-7/2-3-1-0.state",
                         .length = 1234,
                         .checksum = 0xdeadbeef,
                         .kind = file_kind::chunks,
                         .keyed = true,
                         .unkeyed = false};
  auto of_source = first;
  of_source.keyed = false;
  of_source.unkeyed = true;
  const state_file blob{.path = "chk-5/2-1-000012.ldb",
                        .length = std::uint64_t{5} << 32,
                        .checksum = 1,
                        .kind = file_kind::blob,
                        .keyed = true,
                        .unkeyed = false};
  return {.job_name = "word count \xff",
          .graph_fingerprint = "a1b2",
          .id = {7},
          .epoch = {2},
          .attempt = {3},
          .finished = true,
          .created = {-1'700'000'000'123},
          .operators = {{.uid = "source",
                         .parallelism = 1,
                         .max_parallelism = 128,
                         .subtasks = {{.subtask = {0}, .files = {of_source}}}},
                        {.uid = "count",
                         .parallelism = 2,
                         .max_parallelism = 32768,
                         .subtasks = {{.subtask = {0}, .files = {first, blob}},
                                      {.subtask = {1}, .files = {}}}},
                        {.uid = "stateless",
                         .parallelism = 1,
                         .max_parallelism = 1,
                         .subtasks = {{.subtask = {0}, .files = {}}}}}};
}

}  // namespace weir::checkpoint
