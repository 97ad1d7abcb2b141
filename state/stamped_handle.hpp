// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "weir/state/state_handle.hpp"

namespace weir::state {

/// A handle whose cell holds one `T` that lives and dies as a whole, by a stamp in the row: what a
/// value, a reducing and an aggregating state do in the same way with a TTL. All is for the paths
/// of absent values, which those with TTL take.
///
/// With `return_expired_if_not_cleaned_up` a read moves the expired value out of the row; it is
/// kept until the next such read.
template <class T>
class stamped_handle : public state_handle {
 public:
  stamped_handle(const stamped_handle& other) : state_handle{other} {}
  stamped_handle& operator=(const stamped_handle& other) {
    state_handle::operator=(other);
    shown_.reset();
    return *this;
  }

 protected:
  ~stamped_handle() = default;
  using state_handle::state_handle;

  /// What a read returns; null: nothing.
  T* read_absent() const {
    require_row();
    const auto* rule = ttl();
    return rule == nullptr ? nullptr : read_timed(*rule);
  }

  /// Stores `value`.
  void write_absent(T value) {
    require_row();
    const auto* rule = ttl();
    if (rule == nullptr)
      create<T>(std::move(value));
    else
      write_timed(*rule, std::move(value));
  }

  /// Sees to it that there is a value to be changed at `value_at_row`: one that takes part in the
  /// change, or a new one made of `args`. True if it is new.
  template <class... Args>
  bool change_absent(Args&&... args) {
    require_row();
    const auto* rule = ttl();
    if (rule != nullptr) return change_timed(*rule, std::forward<Args>(args)...);
    create<T>(std::forward<Args>(args)...);
    return true;
  }

 private:
  T* read_timed(const ttl_rule& rule) const {
    if (!cell_present()) return nullptr;
    if (!rule.expired(stamp())) {
      stamp() = rule.after_read(stamp());
      return &value_at_row<T>();
    }
    if (rule.shows_expired()) shown_ = std::make_unique<T>(std::move(value_at_row<T>()));
    drop<T>();
    return rule.shows_expired() ? shown_.get() : nullptr;
  }

  void write_timed(const ttl_rule& rule, T value) {
    if (cell_present())
      value_at_row<T>() = std::move(value);
    else
      create<T>(std::move(value));
    stamp() = rule.touch;
  }

  template <class... Args>
  bool change_timed(const ttl_rule& rule, Args&&... args) {
    if (cell_present() && rule.expired(stamp()) && !rule.shows_expired()) drop<T>();
    const bool absent = !cell_present();
    if (absent) create<T>(std::forward<Args>(args)...);
    stamp() = rule.touch;
    return absent;
  }

  mutable std::unique_ptr<T> shown_;
};

}  // namespace weir::state
