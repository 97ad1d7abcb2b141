// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/internal/trace_log.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace weir::simulation::internal {
namespace {

template <class Number>
void append_decimal(std::string& text, Number number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

}  // namespace

void append_number(std::string& text, std::int64_t number) { append_decimal(text, number); }
void append_number(std::string& text, std::uint64_t number) { append_decimal(text, number); }

std::string& trace_log::begin(std::uint64_t step, std::int64_t since_start_ns) {
  line_.clear();
  append_number(line_, step);
  line_ += " t=";
  append_number(line_, since_start_ns);
  line_ += ' ';
  return line_;
}

void trace_log::end() {
  std::replace(line_.begin(), line_.end(), '\n', ' ');
  line_ += '\n';
  // FNV-1a, 64 bits: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm".
  for (const char c : line_) {
    hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  if (mode_ == trace_mode::text) text_ += line_;
}

}  // namespace weir::simulation::internal
