// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "weir/state/async_access.hpp"
#include "weir/state/callback_call.hpp"
#include "weir/state/state_error.hpp"

namespace weir::state {

template <class... R>
class state_future;

namespace internal {

/// Where a result goes when it is there. `R` is one type, or none for void.
template <class... R>
class result_taker {
 public:
  virtual ~result_taker() = default;
  virtual void take(R... result) = 0;
};

/// A result that is not there yet, shared by who gives and who takes it.
template <class... R>
struct pending_result {
  void settle(R... result) {
    settled = true;
    if (const auto taker = std::exchange(next, nullptr)) taker->take(std::forward<R>(result)...);
  }
  void pass_to(std::unique_ptr<result_taker<R...>> taker) {
    if (settled || next)
      throw state_error{"then() was called twice, or later than in the call that made the access"};
    next = std::move(taker);
  }

  std::unique_ptr<result_taker<R...>> next;
  bool settled = false;
};

template <class T>
struct future_of {
  using type = state_future<std::remove_cvref_t<T>>;
};
template <>
struct future_of<void> {
  using type = state_future<>;
};
template <class... R>
struct future_of<state_future<R...>> {
  using type = state_future<R...>;
};

template <class Future>
struct pending_of;
template <class... R>
struct pending_of<state_future<R...>> {
  using type = pending_result<R...>;
};

/// Calls back, and hands on what the callback returns, or what the access that it returns gives.
template <class F, class Next, class... R>
class callback_taker final : public result_taker<R...> {
 public:
  callback_taker(F call, const async_port* port, std::shared_ptr<Next> next)
      : call_{std::move(call)}, port_{port}, next_{std::move(next)} {}

  void take(R... result) override {
    using returned = typename callback<F, R...>::result;
    if constexpr (std::is_void_v<returned>) {
      callback<F, R...>::call(call_, port_, std::forward<R>(result)...);
      next_->settle();
    } else if constexpr (std::is_same_v<returned, typename future_of<returned>::type>) {
      callback<F, R...>::call(call_, port_, std::forward<R>(result)...).hand_to(std::move(next_));
    } else {
      next_->settle(callback<F, R...>::call(call_, port_, std::forward<R>(result)...));
    }
  }

 private:
  F call_;
  const async_port* port_;
  std::shared_ptr<Next> next_;
};

template <class... R>
class relaying_taker final : public result_taker<R...> {
 public:
  explicit relaying_taker(std::shared_ptr<pending_result<R...>> to) : to_{std::move(to)} {}
  void take(R... result) override { to_->settle(std::forward<R>(result)...); }

 private:
  std::shared_ptr<pending_result<R...>> to_;
};

}  // namespace internal

/// The result of an asynchronous access to state: of one type, or none. Only to be handed to `then`
/// or thrown away, in the call that made the access. Owned and used by the subtask.
template <class... R>
class state_future {
  using pending = internal::pending_result<R...>;

 public:
  /// For the engine: a result that is there.
  state_future(const async_port* port, std::tuple<R...> result)
      : port_{port}, state_{std::in_place_index<0>, std::move(result)} {}
  /// For the engine: one that is not.
  state_future(const async_port* port, std::shared_ptr<pending> result)
      : port_{port}, state_{std::in_place_index<1>, std::move(result)} {}

  /// Calls `f` with the result when it is there: at once where state is in memory, otherwise later.
  /// Its key is the current one then, and later records of that key wait until `f`, and what it has
  /// begun, has ended. `f` takes what the plain access returns, valid as long; and behind it, if it
  /// wants, the `collector<R>&` of the function.
  ///
  /// `f` may make further accesses. What it returns is the result of the future that is returned,
  /// or, if it returns a future, that one's result. At most one `f` for each future; those of a
  /// chain are called in order.
  /// Errors: throws `state_error` if the function has no such collector.
  template <class F>
  auto then(F f) {
    using returned = typename internal::callback<F, R...>::result;
    using next = typename internal::future_of<returned>::type;
    if (auto* result = std::get_if<0>(&state_)) [[likely]] {
      const auto call = [&](R... r) -> returned {
        return internal::callback<F, R...>::call(f, port_, std::forward<R>(r)...);
      };
      if constexpr (std::is_void_v<returned>) {
        std::apply(call, std::move(*result));
        return next{port_, std::tuple<>{}};
      } else if constexpr (std::is_same_v<returned, next>) {
        return std::apply(call, std::move(*result));
      } else {
        return next{
            port_, std::tuple<std::remove_cvref_t<returned>>{std::apply(call, std::move(*result))}};
      }
    } else {
      using next_pending = typename internal::pending_of<next>::type;
      auto given = std::make_shared<next_pending>();
      std::get<1>(state_)->pass_to(
          std::make_unique<internal::callback_taker<F, next_pending, R...>>(std::move(f), port_,
                                                                            given));
      return next{port_, std::move(given)};
    }
  }

  /// For the engine: hands the result on.
  void hand_to(std::shared_ptr<pending> to) {
    if (auto* result = std::get_if<0>(&state_))
      std::apply([&](R... r) { to->settle(std::forward<R>(r)...); }, std::move(*result));
    else
      std::get<1>(state_)->pass_to(std::make_unique<internal::relaying_taker<R...>>(std::move(to)));
  }

 private:
  const async_port* port_;
  std::variant<std::tuple<R...>, std::shared_ptr<pending>> state_;
};

namespace internal {

/// As `future_of`, of what a plain access returns, references too.
template <class T>
struct future_of_access {
  using type = state_future<T>;
};
template <>
struct future_of_access<void> {
  using type = state_future<>;
};

/// An access that is made later.
template <class Access, class Pending>
class access_step final : public async_step {
 public:
  access_step(Access access, std::shared_ptr<Pending> result)
      : access_{std::move(access)}, result_{std::move(result)} {}

  void run() override {
    if constexpr (std::is_void_v<std::invoke_result_t<Access&>>) {
      access_();
      result_->settle();
    } else {
      result_->settle(access_());
    }
  }

 private:
  Access access_;
  std::shared_ptr<Pending> result_;
};

}  // namespace internal

/// Makes an access of cell `cell` of the current key, now or later: `access()` returns its result.
template <class Access>
auto start_access(const async_port* port, std::uint32_t cell, Access access) {
  using result = std::invoke_result_t<Access&>;
  using future = typename internal::future_of_access<result>::type;
  if (port != nullptr && port->queue != nullptr) [[unlikely]] {
    using pending = typename internal::pending_of<future>::type;
    auto given = std::make_shared<pending>();
    port->queue->submit(
        std::make_unique<internal::access_step<Access, pending>>(std::move(access), given), cell);
    return future{port, std::move(given)};
  }
  if constexpr (std::is_void_v<result>) {
    access();
    return future{port, std::tuple<>{}};
  } else {
    return future{port, std::tuple<result>{access()}};
  }
}

}  // namespace weir::state
