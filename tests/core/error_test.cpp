// SPDX-License-Identifier: Apache-2.0
#include "weir/core/error.hpp"

#include "support/catch.hpp"

using weir::errc;
using weir::error;

TEST_CASE("context added on the way up reads from the outside in", "[error]") {
  const error inner{errc::io_error, "disk full"};

  const error outer = error{inner}.within("writing 3.state").within("checkpoint 7");

  CHECK(outer.message() == "checkpoint 7: writing 3.state: disk full");
  CHECK(outer.code() == errc::io_error);
}

TEST_CASE("adding context to a kept error leaves the kept one as it was", "[error]") {
  const error kept{errc::corrupt, "bad magic"};

  const error more = kept.within("manifest");

  CHECK(kept.message() == "bad magic");
  CHECK(more.message() == "manifest: bad magic");
}

TEST_CASE("errors are equal when code and message are", "[error]") {
  CHECK(error{errc::fenced, "a"} == error{errc::fenced, "a"});
  CHECK_FALSE(error{errc::fenced, "a"} == error{errc::cancelled, "a"});
  CHECK_FALSE(error{errc::fenced, "a"} == error{errc::fenced, "b"});
}

TEST_CASE("every error code has a name of its own", "[error]") {
  const errc codes[] = {errc::invalid_argument, errc::not_found, errc::already_exists,
                        errc::corrupt,          errc::io_error,  errc::user_function_failed,
                        errc::fenced,           errc::cancelled};
  for (const errc a : codes) {
    CAPTURE(static_cast<int>(a));
    CHECK(to_string(a) != "unknown error");
    for (const errc b : codes) CHECK((a == b) == (to_string(a) == to_string(b)));
  }
  CHECK(to_string(static_cast<errc>(99)) == "unknown error");
}
