// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/broadcast_operator.hpp"
#include "weir/dataflow/keyed_broadcast_operator.hpp"
#include "weir/dataflow/keyed_pair_operator.hpp"
#include "weir/dataflow/keyed_process_operator.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/dataflow/pair_operator.hpp"
#include "weir/dataflow/process_operator.hpp"

namespace weir::testing {

struct item {
  int key = 0;
  int value = 0;

  friend bool operator==(const item&, const item&) = default;
};

constexpr event_time at(std::int64_t ms) { return {ms}; }

/// What a function was called for, across its instances.
using journal = std::shared_ptr<std::vector<std::string>>;
inline journal make_journal() { return std::make_shared<std::vector<std::string>>(); }

inline const auto key_of_item = &item::key;
using item_stream = dataflow::keyed_stream<int, item, decltype(&item::key)>;

// Factories of operators, for a harness.

template <class... R, class F>
auto keyed(F f) {
  return [f] {
    return std::make_unique<dataflow::keyed_process_operator<item_stream, F, state::untimed,
                                                             dataflow::any_output_keys, R...>>(
        &item::key, f);
  };
}

/// What it emits is an item with the current key.
template <class F>
auto keyed_in_place(F f) {
  using keys = dataflow::same_output_keys<decltype(&item::key)>;
  return [f] {
    return std::make_unique<
        dataflow::keyed_process_operator<item_stream, F, state::untimed, keys, item>>(
        &item::key, f, keys{&item::key});
  };
}

template <class... R, class F>
auto unkeyed(F f) {
  return [f] {
    return std::make_unique<dataflow::process_operator<item, F, state::untimed, R...>>(f);
  };
}

template <class... R, class F>
auto keyed_pair(F f) {
  return [f] {
    return std::make_unique<dataflow::keyed_pair_operator<
        item_stream, item_stream, F, state::untimed, dataflow::any_output_keys, R...>>(
        &item::key, &item::key, f);
  };
}

template <class... R, class F>
auto unkeyed_pair(F f) {
  return [f] {
    return std::make_unique<dataflow::pair_operator<item, item, F, state::untimed, R...>>(f);
  };
}

/// The broadcast stream is one of strings.
template <class... R, class F>
auto keyed_with_broadcast(F f) {
  return [f] {
    return std::make_unique<dataflow::keyed_broadcast_operator<
        item_stream, std::string, F, state::untimed, dataflow::any_output_keys, R...>>(&item::key,
                                                                                       f);
  };
}

template <class... R, class F>
auto unkeyed_with_broadcast(F f) {
  return [f] {
    return std::make_unique<
        dataflow::broadcast_operator<item, std::string, F, state::untimed, R...>>(f);
  };
}

}  // namespace weir::testing
