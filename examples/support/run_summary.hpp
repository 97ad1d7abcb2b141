// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "examples/support/example_program.hpp"
#include "examples/support/killed_run.hpp"

namespace example {

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

/// What a run came to, in lines; the last one says with what its output was compared.
/// @pre found.comparisons is not empty
std::string summary(const std::string& unit, const killed_run& run, const verdict& found);

/// A line that shows how a job stands.
std::string progress_line(const std::string& unit, const job_progress& progress, bool restarted);

}  // namespace example
