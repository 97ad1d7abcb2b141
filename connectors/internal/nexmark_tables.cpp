// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/internal/nexmark_tables.hpp"

namespace weir::connectors::internal {
namespace {

constexpr std::string_view first_names[] = {"Peter", "Paul",  "Luke",  "John",   "Saul",  "Vicky",
                                            "Kate",  "Julie", "Sarah", "Deiter", "Walter"};
constexpr std::string_view last_names[] = {"Shultz", "Abrams", "Spencer", "White", "Bartels",
                                           "Walton", "Smith",  "Jones",   "Noris"};
constexpr std::string_view cities[] = {"Phoenix",  "Los Angeles", "San Francisco", "Boise",
                                       "Portland", "Bend",        "Redmond",       "Seattle",
                                       "Kent",     "Cheyenne"};
constexpr std::string_view states[] = {"AZ", "CA", "ID", "OR", "WA", "WY"};
constexpr std::string_view hot_channel_names[] = {"Google", "Facebook", "Baidu", "Apple"};

constexpr std::uint64_t pool_seed = 1;
constexpr std::uint64_t url_seed = 2;

std::string draw_base_url(nexmark_random& random) {
  std::string url = "https://www.nexmark.com/";
  char room[8];
  for (int part = 0; part < 3; ++part) url.append(draw_word(random, 5, '_', room)).push_back('/');
  return url.append("item.htm?query=1");
}

std::uint32_t reversed_bits(std::uint32_t bits) {
  std::uint32_t out = 0;
  for (int i = 0; i < 32; ++i, bits >>= 1) out = out << 1 | (bits & 1);
  return out;
}

/// The channel id in a url. Java's absolute value of its smallest int is that int itself, and
/// upstream's urls show it.
std::string channel_number(std::int32_t channel) {
  const auto bits = reversed_bits(static_cast<std::uint32_t>(channel));
  if (bits == 0x80000000u) return "-2147483648";
  return std::to_string(bits > 0x80000000u ? -bits : bits);
}

/// Six characters for each drawn number, by truncating division: negative numbers give characters
/// from 'H' on, as upstream.
std::string draw_pool() {
  nexmark_random random{pool_seed};
  std::string pool;
  pool.reserve(nexmark_tables::pool_size);
  std::int32_t number = 0;
  for (std::int32_t i = 0; i < nexmark_tables::pool_size; ++i) {
    if (i % 6 == 0) number = random.number();
    pool.push_back(static_cast<char>('a' + number % 26));
    number /= 26;
  }
  return pool;
}

}  // namespace

const nexmark_tables& nexmark_tables::get() {
  static const nexmark_tables tables;
  return tables;
}

nexmark_tables::nexmark_tables() : pool_{draw_pool()} {
  nexmark_random random{url_seed};
  for (auto& url : hot_urls_) url = draw_base_url(random);
  urls_.reserve(cold_channels);
  channels_.reserve(cold_channels);
  for (std::int32_t i = 0; i < cold_channels; ++i) {
    urls_.push_back(draw_base_url(random));
    if (random.below(10) > 0) urls_.back().append("&channel_id=").append(channel_number(i));
    channels_.push_back("channel-" + std::to_string(i));
  }
}

std::string_view nexmark_tables::first_name(std::int32_t i) const { return first_names[i]; }
std::string_view nexmark_tables::last_name(std::int32_t i) const { return last_names[i]; }
std::string_view nexmark_tables::city(std::int32_t i) const { return cities[i]; }
std::string_view nexmark_tables::state(std::int32_t i) const { return states[i]; }
std::string_view nexmark_tables::hot_channel(std::int32_t i) const { return hot_channel_names[i]; }

std::string_view draw_word(nexmark_random& random, std::int32_t max, char gap, char* room) {
  const std::int32_t length = 3 + random.below(max - 3);
  for (std::int32_t i = 0; i < length; ++i) {
    room[i] = random.below(13) == 0 ? gap : static_cast<char>('a' + random.below(26));
  }
  std::string_view word{room, static_cast<std::size_t>(length)};
  while (!word.empty() && word.front() <= ' ') word.remove_prefix(1);
  while (!word.empty() && word.back() <= ' ') word.remove_suffix(1);
  return word;
}

}  // namespace weir::connectors::internal
