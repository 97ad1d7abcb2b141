// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "weir/dataflow/watermark_declaration.hpp"

namespace weir::dataflow {

/// The custom watermarks of a job, numbered in the order of their identifiers: the same for every
/// operator and in every process. Made when the graph is built; constant.
class watermark_table {
 public:
  watermark_table() = default;
  /// Equal declarations count once. @pre no two that differ have the same identifier
  explicit watermark_table(std::vector<watermark_declaration> declared);

  std::size_t size() const { return declared_.size(); }
  /// @pre number < size()
  const watermark_declaration& at(std::uint32_t number) const { return declared_[number]; }
  std::optional<std::uint32_t> find(std::string_view identifier) const;

 private:
  std::vector<watermark_declaration> declared_;
};

}  // namespace weir::dataflow
