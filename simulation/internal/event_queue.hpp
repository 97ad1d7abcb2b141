// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "weir/simulation/kernel.hpp"

namespace weir::simulation::internal {

/// Something that happens at a point in virtual time.
struct event {
  std::optional<system_id> owner;
  std::string label;
  std::function<void()> run;
};

/// Events in order of their times; those of one time in the order in which they were added.
class event_queue {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  void add(std::int64_t due_ns, event what) {
    events_.emplace(std::pair{due_ns, next_number_++}, std::move(what));
  }

  /// When the first event is due; `never` if there is none.
  std::int64_t next_due_ns() const {
    return events_.empty() ? never : events_.begin()->first.first;
  }

  /// @pre there is an event
  event pop() {
    auto first = events_.extract(events_.begin());
    return std::move(first.mapped());
  }

  void remove_those_of(system_id owner) {
    std::erase_if(events_, [owner](const auto& entry) { return entry.second.owner == owner; });
  }

  void clear() { events_.clear(); }

 private:
  std::map<std::pair<std::int64_t, std::uint64_t>, event> events_;
  std::uint64_t next_number_ = 0;
};

}  // namespace weir::simulation::internal
