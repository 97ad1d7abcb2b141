// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/dataflow/environment.hpp"

#include "examples/support/job_arguments.hpp"
#include "examples/support/noting_source.hpp"

namespace example {

/// What an output was found to be equal to: a comparison, of so many rows.
struct comparison {
  std::string name;  ///< "highest_bids"
  std::uint64_t rows = 0;
  std::string with;  ///< "an independent computation"
};

/// What was found when the output was checked.
struct verdict {
  std::uint64_t total = 0;  ///< of what was to be read
  std::vector<comparison> comparisons;
};

/// An example whose job is killed in the middle, started again, and checked.
struct example_program {
  std::string name;
  input_kind input = input_kind::events;
  std::string unit;  ///< what is read: "events"

  std::function<void(weir::environment&, const job_arguments&, std::shared_ptr<read_log>)> describe;

  /// Compares what the job has published. Errors: the first difference, for a person.
  std::function<weir::result<verdict>(const job_arguments&)> verify;
};

/// The program's main. Exit codes: 0 verified, or finished before; 1 for what went wrong, in a line
/// on standard error; 2 for the command line.
int run_example(const example_program& program, int argc, char** argv);

/// Compares rows, in any order. Errors: the first row that is missing or too many.
weir::status compare_rows(const std::string& name, std::vector<std::string> found,
                          std::vector<std::string> expected);

}  // namespace example
