// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace weir {

/// How much a log record matters.
enum class log_level {
  debug,    ///< For those who look for a fault.
  info,     ///< The normal course: started, checkpoint completed.
  warning,  ///< The job goes on, but somebody should look.
  error,    ///< The job, or a part of it, failed.
};

/// The name of `level`, as it is written in logs: "warning".
std::string_view to_string(log_level level) noexcept;

/// One thing to tell a person.
struct log_record {
  log_level level = log_level::info;
  /// Which part of the engine tells it: "checkpoint coordinator". Lives as long as the call.
  std::string_view component;
  /// One line, without its end.
  std::string message;
};

/// Where the engine tells what happens; it never prints. Any thread may write.
class log_sink {
 public:
  virtual ~log_sink() = default;

  /// Takes one record. Must not block for long: actors call it.
  virtual void write(const log_record& record) = 0;
};

/// Drops all records. Lives until the process ends.
log_sink& null_log_sink();

/// Writes a line per record to `out`, "warning checkpoint store: 3.state is damaged", and flushes
/// it. For programs, with `std::cerr`. `out` must outlive the sink, and be written by it alone.
std::unique_ptr<log_sink> make_stream_log_sink(std::ostream& out);

}  // namespace weir
