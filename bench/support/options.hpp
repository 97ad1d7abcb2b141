// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace weir::bench {

/// What a benchmark is asked for on its command line.
struct options {
  std::string program;  ///< "state" for state_bench
  std::string csv;      ///< file to add the rows to; empty: none
  std::string only;     ///< a program, or what the names of the rows begin with; empty: all

  bool selects(std::string_view row) const { return only == program || row.starts_with(only); }
};

/// Ends the process if the command line makes no sense.
inline options parse_options(std::string program, int argc, char** argv) {
  options parsed{std::move(program), {}, {}};
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    if (i + 1 < argc && option == "--csv") {
      parsed.csv = argv[i + 1];
    } else if (i + 1 < argc && option == "--only") {
      parsed.only = argv[i + 1];
    } else {
      std::fprintf(stderr, "usage: %s_bench [--csv FILE] [--only PROGRAM|PREFIX]\n",
                   parsed.program.c_str());
      std::exit(2);
    }
  }
  return parsed;
}

}  // namespace weir::bench
