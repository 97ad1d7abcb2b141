// SPDX-License-Identifier: Apache-2.0
// The query of the NEXMark benchmark whose windows go by the processing clock.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weir/connectors/nexmark_generator.hpp"
#include "weir/core/random.hpp"
#include "weir/testing/check_stream.hpp"

#include "examples/nexmark/q12.hpp"
#include "support/catch.hpp"

namespace nexmark {
namespace {

using weir::testing::harness_mode;
using weir::testing::operator_harness;

/// How many bids came while the clock stood in a window, computed one by one.
class clock_model {
 public:
  void add(const bid& b) { ++open_[now_ / size * size][b.bidder]; }

  void advance(std::int64_t ms) {
    now_ += ms;
    while (!open_.empty() && open_.begin()->first + size <= now_) {
      const auto start = open_.begin()->first;
      for (const auto& [bidder, bids] : open_.begin()->second) {
        std::string row;
        weir::print_value(row, bidder_bids{bidder, bids, {start}, {start + size}});
        rows_.push_back(std::move(row));
      }
      open_.erase(open_.begin());
    }
  }

  std::int64_t left_in_window() const { return size - now_ % size; }

  std::vector<std::string> sorted_rows() const { return sorted(rows_); }
  static std::vector<std::string> sorted(std::vector<std::string> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
  }

 private:
  static constexpr std::int64_t size = 10'000;

  std::int64_t now_ = 0;
  std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> open_;  // by start and bidder
  std::vector<std::string> rows_;
};

/// How far the clock moves: little, to the last moments or the first one of a window, or over some
/// windows.
std::int64_t draw_step(weir::random_generator& random, const clock_model& model) {
  switch (random.below(8)) {
    case 0: return std::max<std::int64_t>(0, model.left_in_window() - 2);
    case 1: return model.left_in_window() - 1;
    case 2: return model.left_in_window();
    case 3: return 25'000;
    default: return static_cast<std::int64_t>(random.below(3'000));
  }
}

TEST_CASE("bids are counted in the window that the processing clock shows when they come",
          "[nexmark_queries]") {
  const auto mode =
      GENERATE(harness_mode::one_by_one, harness_mode::all_at_once, harness_mode::refusing_output,
               harness_mode::restored, harness_mode::replayed);
  CAPTURE(weir::testing::to_string(mode));
  const auto most_bids = static_cast<std::uint64_t>(GENERATE(3, 40));
  operator_harness harness{weir::testing::operator_of<bid>([](auto bids) { return q12(bids); }),
                           mode};
  const auto& output = harness.open_output<bidder_bids>();
  const weir::connectors::nexmark_generator generator{{}};
  weir::random_generator random{most_bids};
  clock_model model;
  std::uint64_t next = 0;
  for (int step = 0; step < 150; ++step) {
    for (auto bids = random.below(most_bids); bids > 0; ++next) {
      if (generator.kind(next) != weir::connectors::nexmark_kind::bid) continue;
      const auto b = generator.make_bid_only(next);
      harness.feed([&] { harness.push(b, b.time); });
      model.add(b);
      --bids;
    }
    const auto ms = draw_step(random, model);
    harness.feed([&] { harness.advance_clock(weir::duration{ms}); }, false);
    model.advance(ms);
    harness.deliver();
    REQUIRE(harness.outcome().error_text() == "");
    CAPTURE(step, ms);
    REQUIRE(clock_model::sorted(output.rows()) == model.sorted_rows());
  }
  CHECK(output.rows().size() > 50);
}

}  // namespace
}  // namespace nexmark
