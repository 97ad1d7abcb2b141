// SPDX-License-Identifier: Apache-2.0
#include "weir/core/log.hpp"

#include <mutex>
#include <ostream>

namespace weir {
namespace {

class dropping_log_sink final : public log_sink {
 public:
  void write(const log_record&) override {}
};

class stream_log_sink final : public log_sink {
 public:
  explicit stream_log_sink(std::ostream& out) : out_{&out} {}

  void write(const log_record& record) override {
    const std::lock_guard hold{mutex_};
    *out_ << to_string(record.level) << ' ' << record.component << ": " << record.message << '\n'
          << std::flush;
  }

 private:
  std::mutex mutex_;
  std::ostream* out_;
};

}  // namespace

std::string_view to_string(log_level level) noexcept {
  switch (level) {
    case log_level::debug: return "debug";
    case log_level::info: return "info";
    case log_level::warning: return "warning";
    case log_level::error: return "error";
  }
  return "unknown level";
}

log_sink& null_log_sink() {
  static dropping_log_sink sink;
  return sink;
}

std::unique_ptr<log_sink> make_stream_log_sink(std::ostream& out) {
  return std::make_unique<stream_log_sink>(out);
}

}  // namespace weir
