// SPDX-License-Identifier: Apache-2.0
#include "weir/core/result.hpp"

#include <memory>
#include <string>

#include "support/catch.hpp"

using weir::errc;
using weir::error;
using weir::result;
using weir::status;

TEST_CASE("a result of a value is ok and gives the value", "[result]") {
  result<std::string> r = std::string{"seven"};

  REQUIRE(r.ok());
  CHECK(static_cast<bool>(r));
  CHECK(*r == "seven");
  CHECK(r->size() == 5);
  CHECK(r.error_text().empty());
}

TEST_CASE("a result of an error is not ok and gives the error", "[result]") {
  const result<std::string> r = error{errc::not_found, "no file 'x'"};

  REQUIRE_FALSE(r.ok());
  CHECK_FALSE(static_cast<bool>(r));
  CHECK(r.failure().code() == errc::not_found);
  CHECK(r.error_text() == "no file 'x'");
}

TEST_CASE("a value that cannot be copied moves out of its result", "[result]") {
  result<std::unique_ptr<int>> r = std::make_unique<int>(7);
  int* const raw = r->get();

  const std::unique_ptr<int> taken = *std::move(r);

  CHECK(taken.get() == raw);
}

TEST_CASE("a value is changed in place through its result", "[result]") {
  result<int> r = 7;
  *r += 1;
  CHECK(r.value() == 8);
}

TEST_CASE("a status is success until it is given an error", "[result]") {
  CHECK(status{}.ok());
  CHECK(status{}.error_text().empty());

  const status s = error{errc::io_error, "disk full"};
  REQUIRE_FALSE(s);
  CHECK(s.failure().code() == errc::io_error);
  CHECK(s.error_text() == "disk full");
}

TEST_CASE("the error of a status moves into the status of the caller", "[result]") {
  status inner = error{errc::io_error, "disk full"};

  const status outer = std::move(inner).failure().within("checkpoint 7");

  CHECK(outer.error_text() == "checkpoint 7: disk full");
}
