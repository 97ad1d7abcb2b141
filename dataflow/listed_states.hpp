// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "weir/dataflow/type_tag.hpp"

namespace weir::dataflow {

/// The states that a function lists in `uses_states()`, to be found by the declaration that is
/// listed or by another one of the same class and name. Owned by the function's operator.
class listed_states {
 public:
  /// Lists the states of `f`, which must outlive this object. Without `uses_states()` there are
  /// none.
  template <class F>
  void list(F& f) {
    if constexpr (requires { f.uses_states(); }) {
      std::apply([&](auto&... state) { (add(state), ...); }, f.uses_states());
    }
  }

  /// The listed state that `declaration` stands for; null: there is none of that name. Finding the
  /// listed object itself takes a comparison for each state.
  /// Errors: throws `state_error` if the listed state of that name is of another class.
  template <class S>
  S* find(const S& declaration) const {
    for (const auto& e : entries_) {
      if (e->tag != tag_of<S>()) continue;
      S* const state = static_cast<const typed_entry<S>&>(*e).state;
      if (state == &declaration) return state;
    }
    const entry* named = find_named(declaration.name());
    if (named == nullptr) return nullptr;
    if (named->tag != tag_of<S>()) fail_as_other_class(*named, described<S>());
    return static_cast<const typed_entry<S>*>(named)->state;
  }

  /// The same, but a state that is not listed is an error, too.
  template <class S>
  S& get(const S& declaration) const {
    if (S* const state = find(declaration); state != nullptr) [[likely]]
      return *state;
    fail_as_not_listed(declaration.name());
  }

 private:
  struct entry {
    type_tag tag;
    std::string name;
    std::string described;  ///< kind and type, for people
    virtual ~entry() = default;
  };
  template <class S>
  struct typed_entry final : entry {
    S* state = nullptr;
  };

  template <class S>
  static std::string described() {
    return std::string{S::kind} + " of " + S::type();
  }

  template <class S>
  void add(S& state) {
    auto e = std::make_unique<typed_entry<S>>();
    e->tag = tag_of<S>();
    e->name = state.name();
    e->described = described<S>();
    e->state = &state;
    entries_.push_back(std::move(e));
  }

  const entry* find_named(std::string_view name) const;
  [[noreturn]] static void fail_as_other_class(const entry& listed, const std::string& wanted);
  [[noreturn]] static void fail_as_not_listed(const std::string& name);

  std::vector<std::unique_ptr<entry>> entries_;
};

}  // namespace weir::dataflow
