// SPDX-License-Identifier: Apache-2.0
// Functions with one kind of state each, and what they come to by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "weir/state/aggregating_state.hpp"
#include "weir/state/list_state.hpp"
#include "weir/state/map_state.hpp"
#include "weir/state/reducing_state.hpp"
#include "weir/state/states.hpp"
#include "weir/state/value_state.hpp"
#include "weir/state/value_state_with_default.hpp"

namespace weir::bench {

struct value_function {
  state::value_state<std::int64_t> sum{"sum"};
  auto uses_states() { return state::states(sum); }

  std::uint64_t process(std::int64_t in) {
    const std::int64_t* before = sum.value();
    const std::int64_t after = (before == nullptr ? 0 : *before) + in;
    sum.update(after);
    return static_cast<std::uint64_t>(after);
  }

  struct by_hand {
    using value_type = std::int64_t;
    static std::uint64_t process(std::int64_t& sum, std::int64_t in) {
      return static_cast<std::uint64_t>(sum += in);
    }
  };
};

struct reducing_function {
  state::reducing_state<std::int64_t, std::plus<>> sum{"sum"};
  auto uses_states() { return state::states(sum); }

  std::uint64_t process(std::int64_t in) {
    sum.add(in);
    return static_cast<std::uint64_t>(*sum.get());
  }

  using by_hand = value_function::by_hand;
};

struct average {
  struct accumulator {
    std::int64_t sum = 0;
    std::int64_t count = 0;
  };
  void add(std::int64_t in, accumulator& a) const { a.sum += in, ++a.count; }
  void merge(const accumulator& from, accumulator& into) const {
    into.sum += from.sum, into.count += from.count;
  }
  std::int64_t get_result(const accumulator& a) const { return a.sum / a.count; }
};

struct aggregating_function {
  state::aggregating_state<average> mean{"mean"};
  auto uses_states() { return state::states(mean); }

  std::uint64_t process(std::int64_t in) {
    mean.add(in);
    return static_cast<std::uint64_t>(*mean.get());
  }

  struct by_hand {
    using value_type = average::accumulator;
    static std::uint64_t process(value_type& a, std::int64_t in) {
      average{}.add(in, a);
      return static_cast<std::uint64_t>(average{}.get_result(a));
    }
  };
};

/// Keeps up to eight values for each key, then starts again.
struct list_function {
  state::list_state<std::int64_t> last{"last"};
  auto uses_states() { return state::states(last); }

  std::uint64_t process(std::int64_t in) {
    last.add(in);
    const auto size = last.size();
    if (size == 8) last.clear();
    return size;
  }

  struct by_hand {
    using value_type = std::vector<std::int64_t>;
    static std::uint64_t process(value_type& last, std::int64_t in) {
      last.push_back(in);
      const auto size = last.size();
      if (size == 8) last = value_type{};  // no memory for keys without state, here too
      return size;
    }
  };
};

/// Counts eight kinds of values for each key.
struct map_function {
  state::map_state<std::int64_t, std::uint64_t> counts{"counts"};
  auto uses_states() { return state::states(counts); }

  std::uint64_t process(std::int64_t in) {
    return counts.edit(in % 8, [](std::uint64_t& count) { return ++count; });
  }

  struct by_hand {
    using value_type = std::unordered_map<std::int64_t, std::uint64_t>;
    static std::uint64_t process(value_type& counts, std::int64_t in) { return ++counts[in % 8]; }
  };
};

/// A value, a value with a default and a reducing state beside each other.
struct three_states_function {
  state::value_state<std::int64_t> last{"last"};
  state::value_state_with_default<std::int64_t> count{"count", 0};
  state::reducing_state<std::int64_t, std::plus<>> sum{"sum"};
  auto uses_states() { return state::states(last, count, sum); }

  std::uint64_t process(std::int64_t in) {
    last.update(in);
    count.update(count.value() + 1);
    sum.add(in);
    return static_cast<std::uint64_t>(*sum.get());
  }
};

}  // namespace weir::bench
