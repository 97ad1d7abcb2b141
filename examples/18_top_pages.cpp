// SPDX-License-Identifier: Apache-2.0
// The two pages with most views of each hour: views are counted by page and hour, then the counts
// of an hour are compared.
#include <algorithm>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/windowing/windows.hpp"

using namespace std::chrono_literals;

struct view {
  std::string page;
  int minute;
};

struct page_count {
  std::string page;
  int views;
};

struct count_views {
  struct accumulator {
    int views = 0;
  };
  void add(const view&, accumulator& into) const { ++into.views; }
  void merge(const accumulator& from, accumulator& into) const { into.views += from.views; }
  int get_result(const accumulator& a) const { return a.views; }
};

struct name_page {
  void process_record(const std::string& page, const weir::time_window&, const int& views,
                      weir::collector<page_count>& out) const {
    out.collect({page, views});
  }
};

/// Counts have the last time of their hour, so they come into the same hour again.
struct top_pages {
  std::size_t n;

  void process_record(const weir::time_window& hour, std::span<const page_count> counts,
                      weir::collector<std::string>& out) const {
    std::vector<page_count> sorted{counts.begin(), counts.end()};
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
      return a.views != b.views ? a.views > b.views : a.page < b.page;
    });
    std::string text = "hour " + std::to_string(hour.start.ms / 3'600'000) + ":";
    for (std::size_t i = 0; i < std::min(n, sorted.size()); ++i)
      text += " " + sorted[i].page + " " + std::to_string(sorted[i].views);
    out.collect(text);
  }
};

int main() {
  weir::environment env{"top pages"};
  env.from_collection<view>({{"home", 1},
                             {"shop", 5},
                             {"home", 9},
                             {"help", 30},
                             {"home", 40},
                             {"shop", 59},
                             {"help", 61},
                             {"help", 70},
                             {"shop", 71},
                             {"about", 80},
                             {"help", 90},
                             {"shop", 119}})
      .assign_timestamps_and_watermarks(
          weir::monotonous_timestamps()
              .timestamps([](const view& v) { return weir::event_time{v.minute * 60'000}; })
              .per_record())
      .key_by(&view::page)
      .window(weir::tumbling_event_time(1h))
      .aggregate(count_views{}, name_page{})
      .window_all(weir::tumbling_event_time(1h))
      .process(top_pages{2})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
