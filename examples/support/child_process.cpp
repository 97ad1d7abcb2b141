// SPDX-License-Identifier: Apache-2.0
#include "examples/support/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace example {
namespace {

weir::error failed(const std::string& what) {
  return {weir::errc::io_error, what + ": " + std::strerror(errno)};
}

/// In the new process: becomes the program. Only calls what is safe after a fork.
[[noreturn]] void become(char* const* arguments, char* const* variables, int output, int parent) {
  ::dup2(output, STDOUT_FILENO);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before that took effect
  ::execve(arguments[0], arguments, variables);
  ::_exit(127);
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (auto& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

weir::result<child_process> child_process::start(const std::vector<std::string>& command,
                                                 const std::vector<std::string>& variables) {
  auto arguments = command;
  std::vector<std::string> all = variables;
  for (char** variable = ::environ; *variable != nullptr; ++variable) all.emplace_back(*variable);
  const auto argument_pointers = pointers_to(arguments);
  const auto variable_pointers = pointers_to(all);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("no pipe");
  const auto parent = ::getpid();
  const auto pid = ::fork();
  if (pid == 0) become(argument_pointers.data(), variable_pointers.data(), ends[1], parent);
  ::close(ends[1]);
  if (pid > 0) return child_process{pid, ends[0]};
  auto failure = failed("no process");
  ::close(ends[0]);
  return failure;
}

child_process::child_process(child_process&& other) noexcept
    : pid_{std::exchange(other.pid_, -1)},
      output_{std::exchange(other.output_, -1)},
      buffer_{std::move(other.buffer_)} {}

child_process::~child_process() {
  if (output_ >= 0) ::close(output_);
  if (pid_ < 0) return;
  kill();
  static_cast<void>(wait());
}

child_process::read_outcome child_process::read_line(std::string& line,
                                                     std::chrono::milliseconds most) {
  for (;;) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return read_outcome::line;
    }
    pollfd waiting{output_, POLLIN, 0};
    const auto ready = ::poll(&waiting, 1, static_cast<int>(most.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return read_outcome::nothing_yet;
    char bytes[4096];
    const auto count = ::read(output_, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return read_outcome::end;
    buffer_.append(bytes, static_cast<std::size_t>(count));
  }
}

void child_process::kill() const {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

process_end child_process::wait() {
  int how = 0;
  while (::waitpid(pid_, &how, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (WIFSIGNALED(how)) return {0, WTERMSIG(how)};
  return {WEXITSTATUS(how), 0};
}

}  // namespace example
