// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/internal/layout.hpp"

#include <algorithm>
#include <charconv>

namespace weir::checkpoint::internal {

namespace {

constexpr std::size_t log_digits = 10;
constexpr std::string_view state_folder_prefix = "chk-";
constexpr std::string_view progress_prefix = "last-id-";
constexpr std::string_view temporary_prefix = "tmp-";
constexpr std::string_view temporary_progress_suffix = "-last-id";

/// A whole decimal number without sign.
std::optional<std::uint64_t> parse_number(std::string_view digits) {
  std::uint64_t number = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, failure] = std::from_chars(digits.data(), end, number);
  if (failure != std::errc{} || stop != end || digits.empty()) return std::nullopt;
  return number;
}

/// The number after `prefix`; nothing if `name` is not written as this program writes it.
std::optional<std::uint64_t> parse_numbered(std::string_view prefix, std::string_view name) {
  if (name.substr(0, prefix.size()) != prefix) return std::nullopt;
  const auto digits = name.substr(prefix.size());
  const auto number = parse_number(digits);
  if (number && std::to_string(*number) != digits) return std::nullopt;
  return number;
}

/// The number that `text` starts with, if it is followed by a dash.
std::optional<std::uint64_t> parse_before_dash(std::string_view text) {
  const auto dash = text.find('-');
  return dash == std::string_view::npos ? std::nullopt : parse_numbered({}, text.substr(0, dash));
}

}  // namespace

std::string join(std::string_view folder, std::string_view name) {
  std::string path{folder};
  if (path.empty() || path.back() != '/') path += '/';
  return path.append(name);
}

std::string parent_of(const std::string& path) {
  const auto end = path.find_last_not_of('/');
  const auto slash = end == std::string::npos ? end : path.rfind('/', end);
  if (slash == std::string::npos) return end == std::string::npos ? "/" : ".";
  const auto parent_end = path.find_last_not_of('/', slash);
  return parent_end == std::string::npos ? "/" : path.substr(0, parent_end + 1);
}

std::string log_name(std::uint64_t number) {
  auto digits = std::to_string(number);
  if (digits.size() < log_digits) digits.insert(0, log_digits - digits.size(), '0');
  return digits;
}

std::optional<std::uint64_t> parse_log_name(std::string_view name) {
  const auto number = parse_number(name);
  if (!number || *number == 0 || log_name(*number) != name) return std::nullopt;
  return number;
}

std::string temporary_log_name(std::uint64_t number, std::string_view owner) {
  std::string name{temporary_prefix};
  return name.append(std::to_string(number)).append("-").append(owner);
}

std::optional<std::uint64_t> parse_temporary_log_name(std::string_view name) {
  if (name.substr(0, temporary_prefix.size()) != temporary_prefix) return std::nullopt;
  return parse_before_dash(name.substr(temporary_prefix.size()));
}

std::string state_folder_name(checkpoint_id id) {
  return std::string{state_folder_prefix} + std::to_string(id.value);
}

std::optional<checkpoint_id> parse_state_folder_name(std::string_view name) {
  const auto number = parse_numbered(state_folder_prefix, name);
  return number ? std::optional{checkpoint_id{*number}} : std::nullopt;
}

std::string progress_name(epoch_id epoch) {
  return std::string{progress_prefix} + std::to_string(epoch.value);
}

std::optional<epoch_id> parse_progress_name(std::string_view name) {
  const auto number = parse_numbered(progress_prefix, name);
  return number ? std::optional{epoch_id{*number}} : std::nullopt;
}

std::string temporary_progress_name(epoch_id epoch) {
  std::string name{temporary_prefix};
  return name.append(std::to_string(epoch.value)).append(temporary_progress_suffix);
}

std::optional<epoch_id> parse_temporary_progress_name(std::string_view name) {
  const auto number = parse_temporary_log_name(name);
  if (!number || temporary_progress_name({*number}) != name) return std::nullopt;
  return epoch_id{*number};
}

std::string state_name(epoch_id epoch, attempt_id attempt, std::string_view name) {
  std::string full = std::to_string(epoch.value);
  return full.append("-").append(std::to_string(attempt.value)).append("-").append(name);
}

std::optional<epoch_id> epoch_of_state_name(std::string_view name) {
  const auto number = parse_before_dash(name);
  return number ? std::optional{epoch_id{*number}} : std::nullopt;
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

bool is_state_path(std::string_view path) {
  const auto slash = path.find('/');
  return slash != std::string_view::npos && parse_state_folder_name(path.substr(0, slash)) &&
         is_plain_name(path.substr(slash + 1));
}

std::string_view folder_of(std::string_view path) { return path.substr(0, path.find('/')); }

}  // namespace weir::checkpoint::internal
