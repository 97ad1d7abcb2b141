// SPDX-License-Identifier: Apache-2.0
// Counts the words of each minute.
#include <iostream>
#include <sstream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/windowing/tumbling_windows.hpp"

using namespace std::chrono_literals;

struct line {
  weir::event_time time;
  std::string text;
};

struct word {
  std::string text;
  std::int64_t count = 1;
};

void split(const line& in, weir::collector<word>& out) {
  std::istringstream words{in.text};
  for (std::string text; words >> text;) out.collect({text});
}

int main() {
  weir::environment env{"word count"};
  env.from_collection<line>({{{1'000}, "to be or not to be"},
                             {{59'000}, "that is the question"},
                             {{61'000}, "to suffer or to oppose"}})
      .assign_timestamps_and_watermarks(weir::monotonous_timestamps().timestamps(&line::time))
      .flat_map<word>(split)
      .key_by(&word::text)
      .window(weir::tumbling_event_time(1min))
      .reduce([](const word& a, const word& b) { return word{a.text, a.count + b.count}; })
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
