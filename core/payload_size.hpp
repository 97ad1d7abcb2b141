// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "weir/core/reflect.hpp"

namespace weir {

/// How many bytes a value of `T` holds outside itself. As it stands here: none, which is right for
/// numbers and taken for classes that nobody described. Specialise it for a class of yours that
/// owns memory, so that batches of it stay small.
template <class T>
struct payload_size {
  /// Whether `of` can give anything but 0.
  static constexpr bool dynamic = false;
  static std::size_t of(const T&) { return 0; }
};

/// Whether values of `T` can hold bytes outside themselves. If not, nothing need be summed.
template <class T>
inline constexpr bool has_dynamic_payload = payload_size<std::remove_cvref_t<T>>::dynamic;

/// The bytes that `value` holds outside itself, which `sizeof` does not count: what a string or a
/// vector contains, not what it has room for.
template <class T>
constexpr std::size_t payload_bytes(const T& value) {
  if constexpr (has_dynamic_payload<T>) {
    return payload_size<T>::of(value);
  } else {
    static_cast<void>(value);
    return 0;
  }
}

namespace internal {

/// What an element of a tree or of a chained hash table costs beside its value, about.
inline constexpr std::size_t node_overhead = 32;

template <class Range>
std::size_t payload_of_elements(const Range& range) {
  std::size_t sum = 0;
  if constexpr (has_dynamic_payload<typename Range::value_type>) {
    for (const auto& element : range) sum += payload_bytes(element);
  }
  return sum;
}

template <class Container>
struct node_container_payload {
  static constexpr bool dynamic = true;
  static std::size_t of(const Container& value) {
    constexpr std::size_t node = sizeof(typename Container::value_type) + node_overhead;
    return value.size() * node + payload_of_elements(value);
  }
};

template <class Fields>
inline constexpr bool any_dynamic = false;
template <class... T>
inline constexpr bool any_dynamic<std::tuple<T...>> = (has_dynamic_payload<T> || ...);

inline constexpr auto sum_of_payloads = [](const auto&... part) {
  return (std::size_t{0} + ... + payload_bytes(part));
};

}  // namespace internal

/// A short string lies in the string object itself.
template <>
struct payload_size<std::string> {
  static constexpr bool dynamic = true;
  static std::size_t of(const std::string& value) {
    return value.size() <= std::string{}.capacity() ? 0 : value.size() + 1;
  }
};

template <class T, class Allocator>
struct payload_size<std::vector<T, Allocator>> {
  static constexpr bool dynamic = true;
  static std::size_t of(const std::vector<T, Allocator>& value) {
    return value.size() * sizeof(T) + internal::payload_of_elements(value);
  }
};

template <class T, std::size_t N>
struct payload_size<std::array<T, N>> {
  static constexpr bool dynamic = has_dynamic_payload<T>;
  static std::size_t of(const std::array<T, N>& value) {
    return internal::payload_of_elements(value);
  }
};

template <class T>
struct payload_size<std::optional<T>> {
  static constexpr bool dynamic = has_dynamic_payload<T>;
  static std::size_t of(const std::optional<T>& value) { return value ? payload_bytes(*value) : 0; }
};

template <class First, class Second>
struct payload_size<std::pair<First, Second>> {
  static constexpr bool dynamic = has_dynamic_payload<First> || has_dynamic_payload<Second>;
  static std::size_t of(const std::pair<First, Second>& value) {
    return payload_bytes(value.first) + payload_bytes(value.second);
  }
};

template <class... T>
struct payload_size<std::tuple<T...>> {
  static constexpr bool dynamic = internal::any_dynamic<std::tuple<T...>>;
  static std::size_t of(const std::tuple<T...>& value) {
    return std::apply(internal::sum_of_payloads, value);
  }
};

template <class... T>
struct payload_size<std::variant<T...>> {
  static constexpr bool dynamic = internal::any_dynamic<std::tuple<T...>>;
  static std::size_t of(const std::variant<T...>& value) {
    if (value.valueless_by_exception()) return 0;
    return std::visit(internal::sum_of_payloads, value);
  }
};

template <class... Parameters>
struct payload_size<std::set<Parameters...>>
    : internal::node_container_payload<std::set<Parameters...>> {};
template <class... Parameters>
struct payload_size<std::map<Parameters...>>
    : internal::node_container_payload<std::map<Parameters...>> {};
template <class... Parameters>
struct payload_size<std::unordered_set<Parameters...>>
    : internal::node_container_payload<std::unordered_set<Parameters...>> {};
template <class... Parameters>
struct payload_size<std::unordered_map<Parameters...>>
    : internal::node_container_payload<std::unordered_map<Parameters...>> {};

/// Plain structs: the sum over their fields.
template <reflectable T>
struct payload_size<T> {
  static constexpr bool dynamic = internal::any_dynamic<decltype(fields(std::declval<const T&>()))>;
  static std::size_t of(const T& value) {
    return std::apply(internal::sum_of_payloads, fields(value));
  }
};

}  // namespace weir
