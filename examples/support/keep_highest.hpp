// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace example {

/// An aggregate that keeps all records that have the highest value of a member.
template <class Record, auto Member>
struct keep_highest {
  using accumulator = std::vector<Record>;

  void add(const Record& next, accumulator& highest) const {
    if (!highest.empty() && next.*Member < highest.front().*Member) return;
    if (!highest.empty() && next.*Member > highest.front().*Member) highest.clear();
    highest.push_back(next);
  }
  void merge(const accumulator& from, accumulator& into) const {
    for (const auto& each : from) add(each, into);
  }
  const accumulator& get_result(const accumulator& highest) const { return highest; }
};

}  // namespace example
