// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "weir/connectors/file_sink_files.hpp"
#include "weir/connectors/file_sink_writer.hpp"
#include "weir/core/print.hpp"
#include "weir/dataflow/sink.hpp"

namespace weir::connectors {

/// Writes a record as `print_value` does.
struct printed_row {
  template <class T>
  void operator()(std::string& out, const T& record) const {
    print_value(out, record);
  }
};

/// What a checkpoint holds of a file sink, and back. Errors: corrupt.
dataflow::committables encode_pending_files(const std::vector<pending_file>& files);
result<std::vector<pending_file>> decode_pending_files(const dataflow::committables& stored);

/// Writes records as lines into files that become visible with the checkpoint that holds them, all
/// of a file at once: each record is seen exactly once, whatever fails, while one checkpoint folder
/// goes with the folder. `format(out, record)` appends a record to `out`, without '\n'. The job's
/// name, where the options have none, is that of the environment. A `dataflow::sink`; a value.
///
/// After a crash: files of complete checkpoints are visible, or will be when the job starts again;
/// of others only hidden ones are left, which the next start removes.
template <class T, class Format = printed_row>
class file_sink {
  static_assert(std::is_invocable_v<const Format&, std::string&, const T&>,
                "file_sink<T>: format must be callable as `void(std::string& out, const T&)`");

 public:
  using value_type = T;

  /// Writes the rows of one subtask in one attempt.
  class writer {
   public:
    writer(file_system& files, file_sink_writer rows, Format format)
        : files_{&files}, rows_{std::move(rows)}, format_{std::move(format)} {}

    result<dataflow::sink_readiness> write(const dataflow::batch<T>& data) {
      for (std::size_t i = 0; i < data.rows(); ++i) {
        row_.clear();
        format_(row_, data.values()[i]);
        if (auto written = rows_.write(row_); !written) return std::move(written).failure();
      }
      return dataflow::sink_readiness::ready;
    }
    dataflow::sink_readiness ready() const { return dataflow::sink_readiness::ready; }

    std::function<result<dataflow::committables>()> prepare_commit(checkpoint_id) {
      auto cut = rows_.cut();
      if (!cut)
        return [why = std::move(cut).failure()] { return result<dataflow::committables>{why}; };
      // A file cannot be copied, but a function must be.
      auto ended = std::make_shared<file_sink_cut>(*std::move(cut));
      return [files = files_, ended]() -> result<dataflow::committables> {
        if (auto synced = ended->sync(*files); !synced) return std::move(synced).failure();
        return encode_pending_files(ended->pending());
      };
    }

    std::function<status()> commit(dataflow::committables prepared) {
      return [files = files_, prepared = std::move(prepared)]() -> status {
        auto pending = decode_pending_files(prepared);
        if (!pending) return std::move(pending).failure();
        return commit_pending_files(*files, *pending);
      };
    }

   private:
    file_system* files_;
    file_sink_writer rows_;
    Format format_;
    std::string row_;
  };

  explicit file_sink(file_sink_options options, Format format = {})
      : options_{std::move(options)}, format_{std::move(format)} {}

  /// Errors: invalid_argument for the options; those of the file system.
  status prepare(const dataflow::sink_start& start) const {
    const auto options = options_of(start.job);
    if (auto fits = options.validate(); !fits) return fits;
    auto pending = decode_pending_files(start.prepared);
    if (!pending) return std::move(pending).failure();
    return prepare_file_sink_folder(*start.files, options, start.current, *pending);
  }

  result<writer> make_writer(const dataflow::operator_environment& environment) const {
    return writer{*environment.files,
                  file_sink_writer{*environment.files, options_of(environment.job),
                                   environment.current, environment.subtask},
                  format_};
  }

 private:
  file_sink_options options_of(const std::string& job) const {
    auto options = options_;
    if (options.job.empty()) options.job = job;
    return options;
  }

  file_sink_options options_;
  Format format_;
};

}  // namespace weir::connectors
