// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "weir/core/error.hpp"

namespace weir {

/// A value or the error that kept it from being. Read the value only where it is there.
template <class T>
class [[nodiscard]] result {
  static_assert(!std::is_same_v<std::remove_cvref_t<T>, error>, "a result holds a value, or fails");

 public:
  using value_type = T;

  result(T value) : content_{std::in_place_index<0>, std::move(value)} {}
  result(error failure) : content_{std::in_place_index<1>, std::move(failure)} {}

  bool ok() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  /// @pre ok()
  T& value() & { return std::get<0>(content_); }
  const T& value() const& { return std::get<0>(content_); }
  T value() && { return std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// @pre !ok()
  const error& failure() const& { return std::get<1>(content_); }
  error failure() && { return std::get<1>(std::move(content_)); }

  /// The message for a person; empty when ok().
  std::string error_text() const { return ok() ? std::string{} : failure().message(); }

 private:
  std::variant<T, error> content_;
};

/// Success, or the error.
class [[nodiscard]] status {
 public:
  status() = default;
  status(error failure) : failure_{std::move(failure)} {}

  bool ok() const noexcept { return !failure_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }

  /// @pre !ok()
  const error& failure() const& { return *failure_; }
  error failure() && { return *std::move(failure_); }

  /// The message for a person; empty when ok().
  std::string error_text() const { return ok() ? std::string{} : failure().message(); }

 private:
  std::optional<error> failure_;
};

}  // namespace weir
