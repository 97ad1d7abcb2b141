// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

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

/// Seconds that `work()` takes.
template <class Work>
double seconds_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline void print_head() {
  std::printf("%-16s %14s %14s %7s\n", "row", "weir M rec/s", "by hand M/s", "ratio");
}

inline void print(const comparison& c) {
  std::printf("%-16s %14.1f %14.1f %7.2f\n", c.row.c_str(), median(c.job) / 1e6,
              median(c.reference) / 1e6, c.ratio());
  std::fflush(stdout);
}

/// False if the file cannot be written.
inline bool write_csv(const std::string& path, const std::vector<comparison>& all) {
  std::ofstream out{path};
  out << "row,weir_records_per_s,reference_records_per_s,ratio\n";
  for (const auto& c : all) {
    out << c.row << ',' << static_cast<long long>(median(c.job)) << ','
        << static_cast<long long>(median(c.reference)) << ',' << c.ratio() << '\n';
  }
  return static_cast<bool>(out.flush());
}

}  // namespace weir::bench
