// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/assigner_checks.hpp"

#include <string>

namespace weir::windowing {
namespace {

std::string text_of(duration d) { return std::to_string(d.count()) + " ms"; }

error refused(const std::string& what, const std::string& why) {
  return {errc::invalid_argument, what + ": " + why};
}

}  // namespace

status check_tumbling(duration size, duration offset) {
  const auto what = "tumbling windows of " + text_of(size);
  if (size <= duration::zero()) return refused(what, "the size must be more than 0");
  if (offset >= size || offset <= -size)
    return refused(what + " with offset " + text_of(offset),
                   "the offset must be less than the size, forwards or backwards");
  return {};
}

status check_sliding(duration size, duration slide, duration offset) {
  const auto what = "sliding windows of " + text_of(size) + " every " + text_of(slide);
  if (size <= duration::zero()) return refused(what, "the size must be more than 0");
  if (slide <= duration::zero()) return refused(what, "the slide must be more than 0");
  if (offset >= slide || offset <= -slide)
    return refused(what + " with offset " + text_of(offset),
                   "the offset must be less than the slide, forwards or backwards");
  const std::int64_t windows = (size.count() - 1) / slide.count() + 1;
  if (windows > max_windows_per_record)
    return refused(what, "a record would be in " + std::to_string(windows) +
                             " windows, and may be in " + std::to_string(max_windows_per_record) +
                             "; take a longer slide");
  return {};
}

std::string sliding_warning(duration size, duration slide) {
  if (slide <= size) return {};
  return "sliding windows of " + text_of(size) + " every " + text_of(slide) +
         " leave out the records between one window's end and the next one's start; "
         "if all are to count, take a size that is not less than the slide";
}

status check_session_gap(duration gap) {
  if (gap > duration::zero()) return {};
  return refused("session windows with a gap of " + text_of(gap), "the gap must be more than 0");
}

status check_gap_of_record(duration gap) {
  if (gap > duration::zero()) return {};
  return refused("the session gap of this record is " + text_of(gap),
                 "the function that gives the gap must give more than 0 for each record");
}

}  // namespace weir::windowing
