// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>

namespace weir::testing {

/// A time zone as the C library knows it, which reads the same database and shares no code with the
/// one of `time_zone`. One at a time.
class system_zone {
 public:
  explicit system_zone(const std::string& name) { set(":" + name); }
  system_zone(const system_zone&) = delete;
  system_zone& operator=(const system_zone&) = delete;
  ~system_zone() { set(":UTC"); }

  /// What its clocks show. Seconds are those since 1970 in UTC.
  std::tm local(std::int64_t seconds) const {
    const auto time = static_cast<std::time_t>(seconds);
    std::tm shown{};
    localtime_r(&time, &shown);
    return shown;
  }

 private:
  static void set(const std::string& name) {
    setenv("TZ", name.c_str(), 1);
    tzset();
  }
};

/// Zones with all that clocks have been made to do: no switches and many, switches by an hour, by
/// half an hour, by two hours, by none but of the name, backwards in summer, at midnight, one
/// minute after it, and over whole days.
inline constexpr const char* peculiar_zones[] = {
    "Etc/UTC",           "Etc/GMT+12",         "Europe/Berlin",      "Europe/London",
    "Europe/Dublin",     "Europe/Lisbon",      "Europe/Moscow",      "Europe/Istanbul",
    "Atlantic/Azores",   "America/New_York",   "America/St_Johns",   "America/Sao_Paulo",
    "America/Santiago",  "America/Asuncion",   "America/Havana",     "America/Caracas",
    "America/Nuuk",      "America/Metlakatla", "Africa/Cairo",       "Africa/Casablanca",
    "Africa/Monrovia",   "Asia/Kolkata",       "Asia/Kathmandu",     "Asia/Beirut",
    "Asia/Amman",        "Asia/Gaza",          "Asia/Jerusalem",     "Asia/Tehran",
    "Asia/Pyongyang",    "Asia/Manila",        "Australia/Adelaide", "Australia/Lord_Howe",
    "Antarctica/Troll",  "Antarctica/Casey",   "Pacific/Apia",       "Pacific/Chatham",
    "Pacific/Kwajalein", "Pacific/Kiritimati", "Pacific/Norfolk",
};

}  // namespace weir::testing
