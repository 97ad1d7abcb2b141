// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/state/list_elements.hpp"
#include "weir/state/operator_state_cell.hpp"

namespace weir::state {

/// The elements of a list state of one subtask, while they are written to a snapshot.
template <class T>
class frozen_operator_list final : public frozen_operator_state {
 public:
  frozen_operator_list(std::string type, list_elements<T> elements)
      : type_{std::move(type)}, elements_{std::move(elements)} {}

  std::size_t write(operator_state_writer& out, std::size_t most) override {
    out.set_type(type_);
    std::size_t done = 0;
    for (; done < most && at_ < elements_.size(); ++done, ++at_) {
      scratch_.clear();
      byte_writer element{scratch_};
      codec<T>::write(element, elements_[at_]);
      out.begin_element().block(scratch_);
      out.end_element();
    }
    return done;
  }

 private:
  std::string type_;
  list_elements<T> elements_;
  std::size_t at_ = 0;
  std::string scratch_;
};

/// What the handles of an even-split or union list share. Elements are only ever added, and all
/// other changes begin a new list: so views and snapshots need no copy. Those that a union list was
/// restored with are shared with the other subtasks. Owned by the store, used by its subtask.
template <class T>
class operator_list final : public operator_state_cell {
 public:
  operator_list(std::string name, std::string_view kind)
      : operator_state_cell{std::move(name), kind, codec_identity<T>()} {}

  list_elements<T> elements() const { return {restored_, own_, own_->size()}; }

  void add(T value) { own_->push_back(std::move(value)); }
  void add_all(std::deque<T> values) {
    for (auto& value : values) own_->push_back(std::move(value));
  }
  void replace(std::deque<T> values) {
    own_ = std::make_shared<std::deque<T>>(std::move(values));
    restored_.reset();
    restored_is_ours_ = true;
  }

  status restore(const restored_operator_state& from) override {
    auto decoded = kind() == union_list_kind ? decoded_once(from) : decode(from);
    if (!decoded) return std::move(decoded).failure();
    restored_ = *std::move(decoded);
    restored_is_ours_ = from.ours_to_store;
    return {};
  }

  std::unique_ptr<frozen_operator_state> freeze() const override {
    return std::make_unique<frozen_operator_list<T>>(
        type(), list_elements<T>{restored_is_ours_ ? restored_ : nullptr, own_, own_->size()});
  }

 private:
  using decoded_list = std::shared_ptr<const std::deque<T>>;

  result<decoded_list> decode(const restored_operator_state& from) const {
    auto list = std::make_shared<std::deque<T>>();
    for (const auto& part : from.elements()) {
      if (auto fits = this->check_type(part.type); !fits) return std::move(fits).failure();
      byte_reader in{part.bytes};
      while (in.remaining() > 0) {
        auto element = weir::decode<T>(in.block());
        if (!element) return std::move(element).failure().within("state \"" + this->name() + "\"");
        list->push_back(*std::move(element));
      }
    }
    return decoded_list{std::move(list)};
  }

  /// The elements that all subtasks have, decoded by the first of them.
  result<decoded_list> decoded_once(const restored_operator_state& from) const {
    const auto shared = from.source->derived("elements of union list " + this->name(),
                                             [&] { return std::any{decode(from)}; });
    const auto* list = std::any_cast<result<decoded_list>>(&shared);
    return list ? *list : decode(from);
  }

  decoded_list restored_;  // of a union list: with the other subtasks; null: nothing restored
  std::shared_ptr<std::deque<T>> own_ = std::make_shared<std::deque<T>>();  // with views, snapshots
  bool restored_is_ours_ = true;  // to store; false: another subtask does
};

}  // namespace weir::state
