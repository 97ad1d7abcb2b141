// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/support/options.hpp"

namespace weir::bench {

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// One comparison: a job and its reference, run in turn in the same process.
struct comparison {
  std::string row;
  std::vector<double> job;        ///< records per second, a run each
  std::vector<double> reference;  ///< of the run beside it

  double ratio() const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < job.size(); ++i) ratios.push_back(job[i] / reference[i]);
    return median(std::move(ratios));
  }
};

/// One figure with its limit.
struct figure {
  std::string row;
  std::string unit;
  double value = 0;
  double limit = 0;  ///< not more than this
};

/// Seconds that `work()` takes.
template <class Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds that this thread computes for `work()`; what others do on the machine counts less so.
/// For work that never waits.
template <class Work>
double computing_seconds_of(Work work) {
  const auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double start = now();
  work();
  return now() - start;
}

/// Prints the rows of one program as they come, and adds them to its CSV file at the end.
class report {
 public:
  explicit report(options asked) : asked_{std::move(asked)} {}

  bool wants(std::string_view row) const { return asked_.selects(row); }

  void add(const comparison& c) {
    if (lines_.empty())
      std::printf("%-24s %14s %14s %7s\n", "row", "weir M/s", "reference M/s", "ratio");
    std::printf("%-24s %14.1f %14.1f %7.2f\n", c.row.c_str(), median(c.job) / 1e6,
                median(c.reference) / 1e6, c.ratio());
    std::fflush(stdout);
    lines_.push_back(c.row + ',' + std::to_string(static_cast<long long>(median(c.job))) + ',' +
                     std::to_string(static_cast<long long>(median(c.reference))) + ',' +
                     std::to_string(c.ratio()));
  }

  void add(const figure& f) {
    std::printf("%-24s %10.1f %s (limit %.1f)\n", f.row.c_str(), f.value, f.unit.c_str(), f.limit);
    std::fflush(stdout);
    lines_.push_back(f.row + ',' + std::to_string(f.value) + ',' + std::to_string(f.limit) + ',' +
                     std::to_string(f.value / f.limit));
  }

  /// The exit code of the program.
  int finish() const {
    if (asked_.csv.empty() || lines_.empty()) return 0;
    const bool first = !std::ifstream{asked_.csv};
    std::ofstream out{asked_.csv, std::ios::app};
    if (first) out << "row,weir,reference_or_limit,ratio\n";
    for (const auto& line : lines_) out << line << '\n';
    if (out.flush()) return 0;
    std::fprintf(stderr, "%s cannot be written\n", asked_.csv.c_str());
    return 1;
  }

 private:
  options asked_;
  std::vector<std::string> lines_;
};

}  // namespace weir::bench
