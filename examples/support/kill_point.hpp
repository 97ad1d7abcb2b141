// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "weir/core/result.hpp"

namespace example {

/// Where a job is to be killed: at passage number `passage` of a point of the engine, or at the
/// next one by which a file is published.
struct kill_point {
  std::string name;
  std::uint64_t passage = 1;
};

/// Reads "coordinator.published:3". Errors: invalid_argument.
weir::result<kill_point> parse_kill_point(const std::string& text);

/// The environment variable by which the job's process is told.
inline constexpr const char* kill_point_variable = "EXAMPLE_KILL_AT";

/// What the job's process is to call at the points of the engine: kills it as the variable says,
/// nothing if it is not set. Files are published in the folders of `output_root`.
std::function<void(std::string_view)> make_kill_hook(const std::string& output_root);

}  // namespace example
