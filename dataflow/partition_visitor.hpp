// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <tuple>
#include <utility>

#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/functions.hpp"
#include "weir/dataflow/type_tag.hpp"

namespace weir::dataflow {

/// What is to be done in each partition of an operator, whatever types it is written for. Made for
/// one visit.
class partition_visitor {
 public:
  partition_visitor(const partition_visitor&) = delete;
  partition_visitor& operator=(const partition_visitor&) = delete;

  /// As the `typed_partition_visitor` that it must be.
  /// Errors: throws `state_error` if it is another one.
  template <class Typed>
  const Typed& as() const {
    if (signature_ != tag_of<Typed>()) fail_as_other_types();
    return static_cast<const Typed&>(*this);
  }

 protected:
  explicit partition_visitor(type_tag signature) : signature_{signature} {}
  ~partition_visitor() = default;

 private:
  [[noreturn]] static void fail_as_other_types();

  type_tag signature_;
};

/// The same for partitions with that context, of an operator with outputs of R.
template <class Context, class... R>
class typed_partition_visitor final : public partition_visitor {
 public:
  explicit typed_partition_visitor(std::function<void(collector<R>&..., Context&)> visit)
      : partition_visitor{tag_of<typed_partition_visitor>()}, visit_{std::move(visit)} {}

  void operator()(collector<R>&... out, Context& context) const { visit_(out..., context); }

 private:
  std::function<void(collector<R>&..., Context&)> visit_;
};

namespace internal {

template <class Arguments, class... R>
struct visitor_for {
  using type = void;
};
template <class Next, class... Rest, class... R>
struct visitor_for<std::tuple<collector<Next>&, Rest...>, R...>
    : visitor_for<std::tuple<Rest...>, R..., Next> {};
template <class Context, class... R>
  requires std::is_void_v<typename collected<Context&>::type>
struct visitor_for<std::tuple<Context&>, R...> {
  using type = typed_partition_visitor<Context, R...>;
};

template <class Visit>
struct visitor_of {
  using type = void;
};
template <class Visit>
  requires requires { &Visit::operator(); }
struct visitor_of<Visit>
    : visitor_for<typename signature<decltype(&Visit::operator())>::arguments> {};

}  // namespace internal

/// The visitor that a function object can be made one of; void: none.
template <class Visit>
using visitor_of = typename internal::visitor_of<Visit>::type;

}  // namespace weir::dataflow
