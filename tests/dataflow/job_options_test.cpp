// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/job_options.hpp"

#include <functional>
#include <string>

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

TEST_CASE("the options of a job are valid as they are made", "[job_options]") {
  CHECK(job_options{}.validate().error_text() == "");
}

TEST_CASE("an option that makes no sense is named", "[job_options]") {
  struct row {
    std::string named;
    std::function<void(job_options&)> set;
  };
  const auto [named, set] = GENERATE(
      row{"parallelism", [](job_options& o) { o.parallelism = 0; }},
      row{"checkpoint interval", [](job_options& o) { o.checkpoint_interval = duration{9}; }},
      row{"checkpoint interval", [](job_options& o) { o.checkpoint_interval = duration{-1}; }},
      row{"folder", [](job_options& o) { o.checkpoint_interval = duration{10}; }},
      row{"timeout", [](job_options& o) { o.checkpoint_timeout = duration{9}; }},
      row{"retained", [](job_options& o) { o.retained_checkpoints = 0; }},
      row{"restart delay", [](job_options& o) { o.restart_delay = duration{-1}; }},
      row{"batch", [](job_options& o) { o.limits.rows = 0; }},
      row{"batch", [](job_options& o) { o.limits.bytes = 0; }},
      row{"credit of a channel", [](job_options& o) { o.channel_credit = 0; }},
      row{"credit of a subtask", [](job_options& o) { o.subtask_credit = 0; }},
      row{"linger", [](job_options& o) { o.max_linger = duration{0}; }});
  CAPTURE(named);
  job_options options;
  set(options);
  const auto done = options.validate();
  REQUIRE_FALSE(done.ok());
  CHECK(done.failure().code() == errc::invalid_argument);
  CHECK(done.error_text().find(named) != std::string::npos);
}

TEST_CASE("the least values that make sense are valid", "[job_options]") {
  job_options options;
  options.checkpoint_interval = duration{10};
  options.checkpoint_folder = "checkpoints";
  options.checkpoint_timeout = duration{10};
  options.restart_delay = duration{0};
  options.limits = {1, 1};
  options.channel_credit = options.subtask_credit = 1;
  options.max_linger = duration{1};
  CHECK(options.validate().error_text() == "");
}

}  // namespace
}  // namespace weir::dataflow
