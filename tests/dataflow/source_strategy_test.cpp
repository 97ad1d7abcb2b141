// SPDX-License-Identifier: Apache-2.0
// Which strategies a source and a stream take.
#include <optional>
#include <string>
#include <vector>

#include "weir/dataflow/environment.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

/// Could emit a watermark of the job's own in each poll.
struct marking_source {
  using value_type = int;
  using split_type = int;
  using position_type = int;

  struct reader {
    status open(const int&, const int&) { return {}; }
    result<poll_outcome> poll(collector<int>&, std::size_t, watermark_manager&) {
      return poll_outcome::split_done;
    }
    int position() const { return 0; }
  };

  result<std::vector<int>> splits(file_system&) const { return std::vector<int>{}; }
  reader make_reader(file_system&) const { return {}; }
};

std::string errors_of(environment& env) { return env.explain().error_text(); }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a stream cannot wait for others, a source can", "[watermark_strategy]") {
  const auto aligned = monotonous_timestamps().with_alignment("g", duration{10});
  environment stream{"job"};
  stream.from_collection(std::vector<int>{1}).assign_timestamps_and_watermarks(aligned);
  CHECK(has(errors_of(stream), "from_source(source, strategy)"));
  environment source{"job"};
  source.from_source(collection_source<int>{std::vector<int>{1}}, aligned);
  CHECK(errors_of(source) == "");
  environment wrong{"job"};
  wrong.from_source(collection_source<int>{std::vector<int>{1}},
                    monotonous_timestamps().idle_after(duration{0}));
  CHECK(has(errors_of(wrong), "idle_after needs a time above 0"));
}

TEST_CASE("a source with watermarks of the job's own makes no others behind single records",
          "[watermark_strategy]") {
  environment periodic{"job"};
  periodic.from_source(marking_source{}, monotonous_timestamps());
  CHECK(errors_of(periodic) == "");
  environment punctuated{"job"};
  punctuated.from_source(marking_source{}, punctuated_watermarks([](const int&, event_time time) {
                           return std::optional{time};
                         }));
  CHECK(has(errors_of(punctuated), "assign_timestamps_and_watermarks"));
}

}  // namespace
}  // namespace weir::dataflow
