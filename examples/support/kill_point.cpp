// SPDX-License-Identifier: Apache-2.0
#include "examples/support/kill_point.hpp"

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <memory>

#include "examples/support/published_files.hpp"

namespace example {

weir::result<kill_point> parse_kill_point(const std::string& text) {
  const auto colon = text.find(':');
  kill_point point{text.substr(0, colon), 0};
  if (colon != std::string::npos) {
    const auto* const end = text.data() + text.size();
    const auto [at, outcome] = std::from_chars(text.data() + colon + 1, end, point.passage);
    if (outcome != std::errc{} || at != end) point.passage = 0;
  }
  if (point.name.empty() || point.passage == 0) {
    return weir::error{weir::errc::invalid_argument,
                       "\"" + text + "\" is no point and passage, such as subtask.acknowledged:3"};
  }
  return point;
}

std::function<void(std::string_view)> make_kill_hook(const std::string& output_root) {
  const char* const text = std::getenv(kill_point_variable);
  if (text == nullptr) return [](std::string_view) {};
  auto wanted = parse_kill_point(text);
  if (!wanted) return [](std::string_view) {};
  auto passages = std::make_shared<std::atomic<std::uint64_t>>(0);  // points are passed by threads
  return [passages, point = *std::move(wanted), output_root](std::string_view name) {
    if (name != point.name || ++*passages < point.passage) return;
    if (!published_files(output_root).empty()) std::raise(SIGKILL);
  };
}

}  // namespace example
