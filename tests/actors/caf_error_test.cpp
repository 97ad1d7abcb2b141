// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/caf_error.hpp"

#include <stdexcept>

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using actors::internal::from_caf;
using actors::internal::from_exception;
using actors::internal::to_caf;

TEST_CASE("an error comes back from CAF as it went in", "[caf_error]") {
  const errc code =
      GENERATE(errc::invalid_argument, errc::not_found, errc::already_exists, errc::corrupt,
               errc::io_error, errc::user_function_failed, errc::fenced, errc::cancelled);
  const error failure{code, "checkpoint 7: disk full"};
  const caf::error packed = to_caf(failure);
  CHECK(static_cast<bool>(packed));
  REQUIRE_FALSE(from_caf(packed).ok());
  CHECK(from_caf(packed).failure() == failure);
}

TEST_CASE("a normal end is no error", "[caf_error]") {
  CHECK(from_caf(caf::error{}).ok());
  CHECK(from_caf(caf::make_error(caf::exit_reason::normal)).ok());
}

TEST_CASE("CAF's own reasons become the error a caller can act on", "[caf_error]") {
  struct row {
    caf::error reason;
    errc code;
  };
  const row r = GENERATE(row{caf::exit_reason::kill, errc::cancelled},
                         row{caf::exit_reason::user_shutdown, errc::cancelled},
                         row{caf::exit_reason::remote_link_unreachable, errc::io_error},
                         row{caf::exit_reason::unreachable, errc::io_error},
                         row{caf::exit_reason::unhandled_exception, errc::user_function_failed},
                         row{caf::exit_reason::unknown, errc::invalid_argument},
                         row{caf::sec::runtime_error, errc::user_function_failed},
                         row{caf::sec::request_receiver_down, errc::cancelled},
                         row{caf::sec::unexpected_message, errc::invalid_argument});
  CAPTURE(caf::to_string(r.reason));
  const status outcome = from_caf(r.reason);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.failure().code() == r.code);
  CHECK_FALSE(outcome.failure().message().empty());
}

TEST_CASE("an exception keeps its text", "[caf_error]") {
  const error known = from_exception(std::make_exception_ptr(std::runtime_error{"division"}));
  CHECK(known.code() == errc::user_function_failed);
  CHECK(known.message() == "exception: division");
  CHECK(from_exception(std::make_exception_ptr(7)).code() == errc::user_function_failed);
}

}  // namespace
}  // namespace weir::testing
