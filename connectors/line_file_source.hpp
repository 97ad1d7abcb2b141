// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/connectors/line_reader.hpp"
#include "weir/connectors/line_splits.hpp"
#include "weir/dataflow/source.hpp"

namespace weir::connectors {

/// A line of a text file.
struct text_line {
  std::string text;          ///< without its end
  std::uint64_t number = 0;  ///< from 0, through all files

  friend bool operator==(const text_line&, const text_line&) = default;
};

/// The lines of text files, in pieces that subtasks read side by side. Lines have no event times;
/// within one subtask, their numbers ascend. The files must not change while the job, or any
/// restart of it, runs: what has become shorter is noticed. A `dataflow::source`; a value.
class line_file_source {
 public:
  using value_type = text_line;
  using split_type = line_split;
  using position_type = line_position;

  /// Reads one split after the other. Owned by one subtask.
  class reader {
   public:
    /// `files` outlives this.
    explicit reader(file_system& files) : files_{&files} {}

    status open(const split_type& split, const position_type& position) {
      lines_.emplace(*files_, split, position);
      return {};
    }

    /// Takes lines out of memory, or reads up to 1 MiB. Errors: those of `line_reader::fill`.
    result<dataflow::poll_outcome> poll(dataflow::collector<text_line>& out, std::size_t most);

    position_type position() const { return lines_->position(); }

   private:
    file_system* files_;
    std::optional<line_reader> lines_;
  };

  explicit line_file_source(std::vector<std::string> paths, line_split_options options = {})
      : paths_{std::move(paths)}, options_{options} {}

  /// Reads all files, to number the lines. Errors: those of the options and `plan_line_splits`.
  result<std::vector<split_type>> splits(file_system& files) const;
  reader make_reader(file_system& files) const { return reader{files}; }

 private:
  std::vector<std::string> paths_;
  line_split_options options_;
};

}  // namespace weir::connectors
