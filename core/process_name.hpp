// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weir {

/// A name that no other call in any process on any machine gives: host, process id, start time and
/// a count. Of letters, digits, '.', '-' and '_'. Any thread.
std::string unique_process_name();

}  // namespace weir
