// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weir::internal {

/// Moves the file `from` to `to` unless there is a `to`. Returns 0 or the `errno`. Any thread.
int rename_new(const std::string& from, const std::string& to);

/// The same by `link` and `unlink`, for file systems that cannot rename without replacing.
/// After a crash both names may be there.
int rename_new_by_link(const std::string& from, const std::string& to);

}  // namespace weir::internal
