// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <sys/wait.h>

#include "weir/core/file_system.hpp"

#include "support/temp_dir.hpp"

namespace weir::testing {

/// What a program has come to.
struct program_end {
  int exit_code = 0;
  int signal = 0;  ///< that ended it; 0: none
  std::string output;
  std::string errors;
};

/// Runs a program of the build to its end. `variables` are "NAME=value".
inline program_end run_program(const std::string& name, const std::vector<std::string>& arguments,
                               const std::vector<std::string>& variables = {}) {
  const temp_dir folder;
  const auto quoted = [](const std::string& word) { return " '" + word + "'"; };
  std::string command = "exec env" + quoted("TMPDIR=" + folder.path());
  for (const auto& variable : variables) command += quoted(variable);
  command += quoted(std::string{WEIR_PROGRAMS} + "/" + name);
  for (const auto& argument : arguments) command += quoted(argument);
  command += " >" + folder.path() + "/output 2>" + folder.path() + "/errors";
  const int how = std::system(command.c_str());
  program_end end;
  if (WIFSIGNALED(how)) end.signal = WTERMSIG(how);
  if (WIFEXITED(how)) end.exit_code = WEXITSTATUS(how);
  end.output = read_file(real_file_system(), folder.path() + "/output").value();
  end.errors = read_file(real_file_system(), folder.path() + "/errors").value();
  return end;
}

}  // namespace weir::testing
