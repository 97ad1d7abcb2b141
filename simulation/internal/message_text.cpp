// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/internal/message_text.hpp"

#include <cstdlib>
#include <type_traits>

#include <cxxabi.h>

#include "weir/simulation/internal/trace_log.hpp"

namespace weir::simulation::internal {
namespace {

/// Appends element `index` if it is a T.
template <class T>
bool append_integer(std::string& text, const caf::type_erased_tuple& content, std::size_t index) {
  if (content.type_nr(index) != caf::type_nr<T>::value) return false;
  using wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  append_number(text, static_cast<wide>(content.get_as<T>(index)));
  return true;
}

template <class... Ts>
bool append_any_integer(std::string& text, const caf::type_erased_tuple& content,
                        std::size_t index) {
  return (append_integer<Ts>(text, content, index) || ...);
}

/// The first characters of a string; others than printable ones as dots.
void append_quoted(std::string& text, const std::string& value) {
  constexpr std::size_t shown = 64;
  text += '"';
  for (const char c : value.substr(0, shown)) text += c >= ' ' && c <= '~' ? c : '.';
  text += '"';
  if (value.size() > shown) text += "...";
}

template <class EndMessage>
void append_end(std::string& text, const EndMessage& message) {
  append_number(text, std::uint64_t{message.source ? message.source.id() : 0});
  text += ' ';
  text += caf::to_string(message.reason);
}

}  // namespace

void message_text::append(std::string& text, const caf::type_erased_tuple& content) {
  text += '(';
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (i > 0) text += ", ";
    append_element(text, content, i);
  }
  text += ')';
}

void message_text::append_element(std::string& text, const caf::type_erased_tuple& content,
                                  std::size_t index) {
  const auto [number, type] = content.type(index);
  if (number == 0) {
    text += name_of(*type);
  } else if (number == caf::type_nr<caf::atom_value>::value) {
    text += caf::to_string(content.get_as<caf::atom_value>(index));
  } else if (number == caf::type_nr<std::string>::value) {
    append_quoted(text, content.get_as<std::string>(index));
  } else if (number == caf::type_nr<caf::down_msg>::value) {
    text += "down ";
    append_end(text, content.get_as<caf::down_msg>(index));
  } else if (number == caf::type_nr<caf::exit_msg>::value) {
    text += "exit ";
    append_end(text, content.get_as<caf::exit_msg>(index));
  } else if (number == caf::type_nr<caf::error>::value) {
    text += caf::to_string(content.get_as<caf::error>(index));
  } else if (!append_any_integer<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                                 std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(
                 text, content, index)) {
    text += caf::numbered_type_names[number - 1];
  }
}

const std::string& message_text::name_of(const std::type_info& type) {
  std::string& name = names_[type];
  if (name.empty()) {
    int failure = 0;
    const std::unique_ptr<char, decltype(&std::free)> readable{
        abi::__cxa_demangle(type.name(), nullptr, nullptr, &failure), &std::free};
    name = failure == 0 ? readable.get() : type.name();
  }
  return name;
}

}  // namespace weir::simulation::internal
