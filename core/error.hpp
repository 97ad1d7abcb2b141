// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace weir {

/// What a caller can do about an error. The message says the rest, to a person.
enum class errc {
  invalid_argument,      ///< The call, the option or the job graph is wrong: change it.
  not_found,             ///< The named thing does not exist.
  already_exists,        ///< The named thing exists and must not.
  corrupt,               ///< Stored or received bytes are damaged, or not what they should be.
  io_error,              ///< The disk or the network refused: repair it, then try again.
  user_function_failed,  ///< A user's function threw.
  fenced,                ///< A newer coordinator or attempt owns the job.
  cancelled,             ///< The job was cancelled.
};

/// The name of `code`, as it is written in messages: "invalid argument".
std::string_view to_string(errc code) noexcept;

/// One failure: a coarse class for programs and one line for a person. A value; any thread.
class [[nodiscard]] error {
 public:
  error(errc code, std::string message) : code_{code}, message_{std::move(message)} {}

  errc code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }

  /// The same failure with `context` in front: "checkpoint 7: writing 3.state: disk full".
  error within(std::string_view context) && {
    message_.insert(0, ": ").insert(0, context);
    return std::move(*this);
  }
  error within(std::string_view context) const& { return error{*this}.within(context); }

  friend bool operator==(const error&, const error&) = default;

 private:
  errc code_;
  std::string message_;
};

}  // namespace weir
