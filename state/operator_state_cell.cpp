// SPDX-License-Identifier: Apache-2.0
#include "weir/state/operator_state_cell.hpp"

#include "weir/core/codec.hpp"

namespace weir::state {
namespace {

class frozen_unvisited final : public frozen_operator_state {
 public:
  explicit frozen_unvisited(restored_operator_state content)
      : content_{std::move(content)}, blocks_{content_.kind() == broadcast_kind ? 2u : 1u} {
    if (content_.ours_to_store) elements_ = content_.elements();
  }

  std::size_t write(operator_state_writer& out, std::size_t most) override {
    std::size_t done = 0;
    while (done < most && part_ < elements_.size()) {
      const auto& part = elements_[part_];
      out.set_type(part.type);
      byte_reader in{part.bytes.substr(at_)};
      for (; done < most && in.remaining() > 0; ++done) {
        for (std::size_t block = 0; block < blocks_; ++block) in.block();
        const auto end = part.bytes.size() - in.remaining();
        out.add_stored(part.bytes.substr(at_, end - at_));
        at_ = end;
      }
      if (in.remaining() > 0) break;
      ++part_;
      at_ = 0;
    }
    return done;
  }

 private:
  restored_operator_state content_;
  std::vector<stored_elements> elements_;
  std::size_t blocks_;  // of an element
  std::size_t part_ = 0;
  std::size_t at_ = 0;  // in the part
};

}  // namespace

std::unique_ptr<frozen_operator_state> freeze(const restored_operator_state& unvisited) {
  return std::make_unique<frozen_unvisited>(unvisited);
}

status operator_state_cell::check_type(std::string_view stored) const {
  if (fields_compatible(stored, type_)) return {};
  return error{errc::invalid_argument,
               "state \"" + name_ + "\": the snapshot holds " + std::string{kind_} + " of " +
                   std::string{stored} + ", and the function declares " + std::string{kind_} +
                   " of " + type_ + ": only plain structs may change, by fields at their end"};
}

}  // namespace weir::state
