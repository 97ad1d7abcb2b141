// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <string>
#include <utility>

#include "weir/state/operator_list.hpp"
#include "weir/state/operator_state_handle.hpp"

namespace weir::state {

/// What `operator_list_state` and `union_list_state` have in common: all that is done with them.
/// Errors: every access throws `state_error` when the state is not listed in `uses_states()`.
template <class T>
class operator_list_handle : public operator_state_handle {
 public:
  using value_type = T;
  using cell_type = operator_list<T>;

  static std::string type() { return codec_identity<T>(); }

  /// The elements as they are now: they stay, whatever is done to the list meanwhile.
  list_elements<T> get() const { return cell().elements(); }

  std::size_t size() const { return get().size(); }
  bool empty() const { return size() == 0; }

  void add(T value) { cell().add(std::move(value)); }

  /// Adds all of `values`, or none if one cannot be copied.
  template <class Range>
  void add_all(const Range& values) {
    cell().add_all({values.begin(), values.end()});
  }
  void add_all(std::initializer_list<T> values) { cell().add_all(values); }

  /// From now on `values` are the elements, which may come from `get()`. If one cannot be copied,
  /// nothing is changed.
  template <class Range>
  void update(const Range& values) {
    cell().replace({values.begin(), values.end()});
  }
  void update(std::initializer_list<T> values) { cell().replace(values); }

  /// Removes all elements.
  void clear() { cell().replace({}); }

  /// For the engine. The state of a running function is `cell`, which must outlive it.
  void bind(cell_type& cell) noexcept { cell_ = &cell; }

 protected:
  ~operator_list_handle() = default;
  operator_list_handle(std::string name, state_options options)
      : operator_state_handle{std::move(name), std::move(options)} {}
  operator_list_handle(const operator_list_handle& other) : operator_state_handle{other} {}
  operator_list_handle& operator=(const operator_list_handle& other) {
    operator_state_handle::operator=(other);
    cell_ = nullptr;
    return *this;
  }

 private:
  cell_type& cell() const {
    if (cell_ == nullptr) [[unlikely]]
      this->fail_unbound();
    return *cell_;
  }

  cell_type* cell_ = nullptr;
};

}  // namespace weir::state
