// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/pending_commits.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

using names = std::vector<std::string>;

constexpr checkpoint_id ck(std::uint64_t number) { return {number}; }

TEST_CASE("C107: a notice commits what earlier ones left, and an overtaken one commits nothing",
          "[pending_commits]") {
  pending_commits<std::string> pending;
  pending.add(ck(1), {"a"});
  pending.add(ck(2), {"b"});
  CHECK(pending.on_complete(ck(2)) == names{"a", "b"});
  CHECK(pending.on_complete(ck(1)).empty());
  pending.on_committed(ck(2));
  CHECK(pending.on_complete(ck(1)).empty());
  CHECK(pending.on_complete(ck(2)).empty());
  CHECK(pending.snapshot().empty());
}

TEST_CASE("a notice commits nothing of later checkpoints", "[pending_commits]") {
  pending_commits<std::string> pending;
  pending.add(ck(3), {"a", "b"});
  pending.add(ck(5), {"c"});
  CHECK(pending.on_complete(ck(2)).empty());
  CHECK(pending.on_complete(ck(4)) == names{"a", "b"});
  CHECK(pending.on_complete(ck(9)) == names{"c"});
}

TEST_CASE("a transaction stays in snapshots until it is known to be committed",
          "[pending_commits]") {
  pending_commits<std::string> pending;
  pending.add(ck(1), {"a"});
  pending.add(ck(2), {"b"});
  CHECK(pending.on_complete(ck(1)) == names{"a"});
  CHECK(pending.snapshot().size() == 2);
  pending.on_committed(ck(1));
  REQUIRE(pending.snapshot().size() == 1);
  CHECK(pending.snapshot()[0] == pending_commit<std::string>{ck(2), "b"});
  CHECK(pending.on_complete(ck(2)) == names{"b"});
}

TEST_CASE("a commit that ends late does not forget what was not given out", "[pending_commits]") {
  pending_commits<std::string> pending;
  pending.add(ck(1), {"a"});
  CHECK(pending.on_complete(ck(1)) == names{"a"});
  pending.add(ck(2), {"b"});
  pending.on_committed(ck(2));
  REQUIRE(pending.snapshot().size() == 1);
  CHECK(pending.on_complete(ck(2)) == names{"b"});
}

TEST_CASE("C108: all that a restored checkpoint names is committed at once", "[pending_commits]") {
  pending_commits<std::string> before;
  before.add(ck(1), {"a"});
  before.add(ck(2), {"b"});
  pending_commits<std::string> after;
  CHECK(after.restore(before.snapshot()) == names{"a", "b"});
  CHECK(after.snapshot().size() == 2);
  after.on_committed(ck(2));
  CHECK(after.snapshot().empty());
  after.add(ck(7), {"c"});
  CHECK(after.on_complete(ck(7)) == names{"c"});
}

TEST_CASE("elements restored from several subtasks are committed in order of their checkpoints",
          "[pending_commits]") {
  pending_commits<std::string> pending;
  CHECK(pending.restore({{ck(2), "x"}, {ck(3), "y"}, {ck(1), "z"}, {ck(2), "w"}}) ==
        names{"z", "x", "w", "y"});
  CHECK(pending_commits<std::string>{}.restore({}).empty());
}

}  // namespace
}  // namespace weir::connectors
