// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/nexmark_event.hpp"

#include <charconv>
#include <string_view>

namespace weir::connectors {
namespace {

void append_field(std::string& out, std::string_view text) {
  out.push_back('|');
  out.append(text);
}

void append_field(std::string& out, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  append_field(out, std::string_view{digits, static_cast<std::size_t>(end - digits)});
}

void append_field(std::string& out, event_time time) { append_field(out, time.ms); }

template <class... Fields>
void append_fields(std::string& out, char letter, const Fields&... fields) {
  out.push_back(letter);
  (append_field(out, fields), ...);
  out.push_back('\n');
}

}  // namespace

void append_line(const nexmark_event& event, std::string& out) {
  if (const auto* b = event.bid()) {
    append_fields(out, 'B', b->auction, b->bidder, b->price, b->channel, b->url, b->time, b->extra);
  } else if (const auto* a = event.auction()) {
    append_fields(out, 'A', a->id, a->item_name, a->description, a->initial_bid, a->reserve,
                  a->time, a->expires, a->seller, a->category, a->extra);
  } else if (const auto* p = event.person()) {
    append_fields(out, 'P', p->id, p->name, p->email, p->credit_card, p->city, p->state, p->time,
                  p->extra);
  }
}

}  // namespace weir::connectors
