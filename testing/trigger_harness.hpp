// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/state/states.hpp"
#include "weir/testing/trigger_windows.hpp"
#include "weir/windowing/trigger_root.hpp"

namespace weir::testing {

/// What a `trigger_harness` puts around its trigger.
struct trigger_surroundings {
  /// The clock by which the windows end; none: they do not.
  std::optional<timer_domain> windows = timer_domain::event;
  duration allowed_lateness = duration::zero();
};

/// One trigger with windows of one key, a virtual clock and a virtual watermark: puts in elements,
/// moves the clocks, and shows what the trigger wants and keeps. Elements are told apart by their
/// numbers, 1 for the first that was put in. Timers of the processing clock that are due at once
/// are called when the clock is moved, if only to where it stands.
///
///     trigger_harness<reading, count_trigger> h{after_count(2)};
///     h.push({"a", 1}, at(1), {at(0), at(10)});                  // continue_
///     h.push({"a", 2}, at(2), {at(0), at(10)});                  // fire, contents {1, 2}
///
/// Owned and used by one thread.
template <class T, class Trigger, class W = windowing::time_window>
class trigger_harness final : public trigger_windows<W> {
 public:
  using answer = trigger_answer<W>;

  explicit trigger_harness(Trigger trigger, trigger_surroundings around = {})
      : trigger_windows<W>{windowing::trigger_scope{around.windows, around.allowed_lateness}},
        trigger_{std::move(trigger)} {
    renew_trigger();
  }
  trigger_harness(const trigger_harness&) = delete;
  trigger_harness& operator=(const trigger_harness&) = delete;
  ~trigger_harness() override { this->delete_rows(); }

  /// Puts an element in `window`. One that is too late is not put in: `continue_`, no contents.
  answer push(const T& element, event_time time, const W& window) {
    auto* const in = this->add_element(window);
    if (in == nullptr) return {window, trigger_result::continue_, {}};
    attach(in->row);
    const auto result =
        root_->on_element(this->scope_, windowing::added_element<T>{element, time}, window);
    return this->settle(window, *in, result);
  }

  /// Puts an element in a session: `window` is merged with those that it touches.
  answer push_to_session(const T& element, event_time time, const W& window) {
    return push(element, time, this->merged_with(window));
  }

 private:
  using root = windowing::trigger_root<Trigger>;
  using layout = state::layout_of<root>;

  std::byte* make_row() override {
    auto* const row =
        static_cast<std::byte*>(::operator new(layout::size, std::align_val_t{layout::alignment}));
    std::memset(row, 0, layout::size);
    return row;
  }
  void delete_row(std::byte* row) override {
    layout::destroy(row);
    ::operator delete(row, std::align_val_t{layout::alignment});
  }

  std::string save_row(const std::byte* row) const override {
    std::string bytes;
    byte_writer out{bytes};
    if (!state::nothing_present(row)) layout::write(row, out, {});
    return bytes;
  }
  std::byte* load_row(const std::string& bytes) override {
    std::byte* const row = make_row();
    byte_reader in{bytes};
    if (!bytes.empty()) layout::read(in, row, {});
    if (in.failed() || in.remaining() > 0)
      throw state::state_error{"what a trigger had stored cannot be read"};
    return row;
  }

  std::size_t states_in(const std::byte* row) const override {
    auto bits = static_cast<std::uint32_t>(state::head_of(row).present);
    if constexpr (root::uses_timers) bits &= ~(1u << (layout::count - 1));
    return static_cast<std::size_t>(std::popcount(bits));
  }
  const windowing::trigger_timer_list* timers_in(const std::byte* row) const override {
    if constexpr (root::uses_timers) {
      if (state::is_present(row, layout::count - 1))
        return &layout::template value<layout::count - 1>(row);
    }
    return nullptr;
  }

  void renew_trigger() override {
    root_.emplace(trigger_);
    state::bind_states(*root_);
  }

  trigger_result call_timers(std::byte* row, const W& window, timer_domain domain,
                             std::int64_t time) override {
    attach(row);
    return root_->on_timers(this->scope_, domain, time, window);
  }
  void call_merge(std::byte* row, const W& merged, std::vector<std::byte*>& absorbed) override {
    attach(row);
    root_->on_merge(this->scope_, merged, absorbed);
  }
  void call_clear(std::byte* row, const W& window) override {
    attach(row);
    root_->clear(this->scope_, window);
  }

  void attach(std::byte* row) { state::attach_states<layout>(*root_, row); }

  Trigger trigger_;
  std::optional<root> root_;
};

}  // namespace weir::testing
