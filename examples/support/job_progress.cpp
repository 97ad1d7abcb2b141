// SPDX-License-Identifier: Apache-2.0
#include "examples/support/job_progress.hpp"

#include <charconv>

#include "weir/core/reflect.hpp"

namespace example {

std::string to_line(const job_progress& progress) {
  std::string line = "progress";
  const auto add = [&line](auto field) {
    line += ' ' + std::to_string(static_cast<std::uint64_t>(field));
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, weir::fields(progress));
  return line;
}

std::optional<job_progress> parse_progress(std::string_view line) {
  constexpr std::string_view start = "progress";
  if (!line.starts_with(start)) return std::nullopt;
  line.remove_prefix(start.size());
  job_progress progress;
  bool readable = true;
  const auto take = [&](auto& field) {
    std::uint64_t number = 0;
    if (line.empty()) return static_cast<void>(readable = false);
    line.remove_prefix(1);
    const auto [end, outcome] = std::from_chars(line.data(), line.data() + line.size(), number);
    readable = readable && outcome == std::errc{};
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    field = static_cast<std::remove_reference_t<decltype(field)>>(number);
  };
  std::apply([&](auto&... field) { (take(field), ...); }, weir::fields(progress));
  if (!readable || !line.empty()) return std::nullopt;
  return progress;
}

}  // namespace example
