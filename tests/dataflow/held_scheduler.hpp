// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "weir/state/async_access.hpp"

namespace weir::testing {

/// Holds accesses to state back until a test lets them go.
class held_scheduler final : public state::access_scheduler {
 public:
  void request(std::uint64_t id, std::uint64_t key_hash, std::uint32_t) override {
    held_.push_back({id, key_hash});
    ++requested;
  }
  bool has_ready() const override { return !ready_.empty(); }
  std::uint64_t take_ready() override {
    const auto id = ready_.front();
    ready_.pop_front();
    ++taken_;
    return id;
  }
  void made(std::uint64_t) override { --taken_; }

  /// Lets number `i` of those held go.
  void let_go(std::size_t i = 0) {
    ready_.push_back(held_[i].first);
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
    if (wake) wake();
  }
  /// Lets all go that are held of the key with this hash.
  void let_go_of(std::uint64_t key_hash) {
    for (std::size_t i = 0; i < held_.size();) held_[i].second == key_hash ? let_go(i) : void(++i);
  }
  std::size_t held() const { return held_.size(); }
  /// Accesses that may be made and are not.
  std::size_t open() const { return ready_.size() + taken_; }

  std::size_t requested = 0;
  std::function<void()> wake;

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> held_;
  std::deque<std::uint64_t> ready_;
  std::size_t taken_ = 0;
};

}  // namespace weir::testing
