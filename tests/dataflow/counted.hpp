// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace weir::testing {

/// A record that owns memory, and counts how many of its kind are alive. Not trivially copyable.
struct counted {
  counted() { ++alive; }
  explicit counted(std::string t) : text{std::move(t)} { ++alive; }
  counted(const counted& other) : text{other.text} { ++alive, ++copies; }
  counted(counted&& other) noexcept : text{std::move(other.text)} { ++alive; }
  counted& operator=(const counted& other) {
    text = other.text;
    ++copies;
    return *this;
  }
  counted& operator=(counted&&) noexcept = default;
  ~counted() { --alive; }

  friend bool operator==(const counted& a, const counted& b) { return a.text == b.text; }

  std::string text;

  static inline int alive = 0;
  static inline int copies = 0;
};

}  // namespace weir::testing
