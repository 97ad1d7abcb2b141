// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/internal/message_text.hpp"

#include <memory>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace weir::testing {

/// Holds a pointer, which must not show.
struct payload {
  std::shared_ptr<int> content;
};

}  // namespace weir::testing

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::testing::payload)

namespace weir::testing {
namespace {

std::string text_of(const caf::message& message) {
  simulation::internal::message_text texts;
  std::string text;
  texts.append(text, message);
  return text;
}

TEST_CASE("atoms, numbers and strings are shown by value", "[message_text]") {
  CHECK(text_of(caf::make_message(caf::atom("tick"), -3, std::uint64_t{7}, true)) ==
        "(tick, -3, 7, 1)");
  CHECK(text_of(caf::make_message(std::string{"a\nb"})) == "(\"a.b\")");
  CHECK(text_of(caf::make_message(std::string(100, 'x'))) ==
        "(\"" + std::string(64, 'x') + "\"...)");
  CHECK(text_of(caf::message{}) == "()");
}

TEST_CASE("of what may hold pointers only the type is shown", "[message_text]") {
  CHECK(text_of(caf::make_message(payload{std::make_shared<int>(1)}, 2)) ==
        "(weir::testing::payload, 2)");
  CHECK(text_of(caf::make_message(1.5)) == "(double)");
}

TEST_CASE("the end of an actor is shown with its reason", "[message_text]") {
  const caf::error reason = caf::make_error(caf::exit_reason::kill);
  CHECK(text_of(caf::make_message(caf::down_msg{{}, reason})) ==
        "(down 0 " + caf::to_string(reason) + ")");
  CHECK(text_of(caf::make_message(caf::exit_msg{{}, reason})) ==
        "(exit 0 " + caf::to_string(reason) + ")");
}

}  // namespace
}  // namespace weir::testing
