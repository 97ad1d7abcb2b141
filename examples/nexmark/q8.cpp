// SPDX-License-Identifier: Apache-2.0
#include "examples/nexmark/q8.hpp"

#include <algorithm>
#include <span>

#include "weir/windowing/tumbling_windows.hpp"

namespace nexmark {
namespace {

using namespace std::chrono_literals;

/// What a person did. Records of both kinds are in one stream, so that they meet in one window.
struct deed {
  enum class kind : std::uint8_t { registered, opened_auction };

  std::int64_t person = 0;
  kind what{};
  std::string name;  ///< of a person who registered

  bool registered() const { return what == kind::registered; }
};

void take_person(const event& e, weir::collector<deed>& out) {
  if (const auto* p = e.person()) out.collect({p->id, deed::kind::registered, p->name});
}

void take_seller(const event& e, weir::collector<deed>& out) {
  if (const auto* a = e.auction()) out.collect({a->seller, deed::kind::opened_auction, {}});
}

struct to_new_seller {
  void process_record(std::int64_t person, const weir::time_window& window,
                      std::span<const deed> deeds, weir::collector<new_seller>& out) const {
    const auto registered =
        std::find_if(deeds.begin(), deeds.end(), [](const deed& d) { return d.registered(); });
    const bool sells =
        std::any_of(deeds.begin(), deeds.end(), [](const deed& d) { return !d.registered(); });
    if (registered != deeds.end() && sells) out.collect({person, registered->name, window.start});
  }
};

}  // namespace

weir::data_stream<new_seller> q8(const weir::data_stream<event>& events) {
  const auto persons = events.flat_map<deed>(take_person).name("persons");
  const auto sellers = events.flat_map<deed>(take_seller).name("sellers");
  return persons.union_with(sellers)
      .key_by(&deed::person)
      .window(weir::tumbling_event_time(10s))
      .process(to_new_seller{})
      .name("new sellers");
}

}  // namespace nexmark
