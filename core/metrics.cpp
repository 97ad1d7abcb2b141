// SPDX-License-Identifier: Apache-2.0
#include "weir/core/metrics.hpp"

#include <algorithm>
#include <functional>

namespace weir {
namespace {

template <class Metric>
Metric& find_or_add(std::map<std::string, Metric, std::less<>>& metrics, std::string_view name) {
  const auto found = metrics.find(name);
  if (found != metrics.end()) return found->second;
  return metrics.try_emplace(std::string{name}).first->second;
}

}  // namespace

counter& metric_group::add_counter(std::string_view name) {
  const std::lock_guard hold{mutex_};
  return find_or_add(counters_, name);
}

gauge& metric_group::add_gauge(std::string_view name) {
  const std::lock_guard hold{mutex_};
  return find_or_add(gauges_, name);
}

std::vector<metric_value> metric_group::snapshot() const {
  std::vector<metric_value> all;
  {
    const std::lock_guard hold{mutex_};
    all.reserve(counters_.size() + gauges_.size());
    for (const auto& [name, metric] : counters_) {
      all.push_back({name, static_cast<std::int64_t>(metric.value()), metric_kind::counter});
    }
    for (const auto& [name, metric] : gauges_) {
      all.push_back({name, metric.value(), metric_kind::gauge});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace weir
