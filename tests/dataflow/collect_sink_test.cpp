// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/collect_sink.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using writer = collect_sink<int>::writer;

writer writer_of(const collect_sink<int>& sink, std::string uid, std::uint32_t subtask = 0,
                 std::uint32_t attempt = 1) {
  operator_environment environment;
  environment.uid = std::move(uid);
  environment.subtask = {subtask};
  environment.current = {epoch_id{1}, attempt_id{attempt}};
  return sink.make_writer(environment).value();
}

void write(writer& to, int row) {
  const auto data = batch<int>::make(1);
  data->append(row, event_time::min());
  REQUIRE(to.write(*data).value() == sink_readiness::ready);
}

committables prepare(writer& of, std::uint64_t id) { return of.prepare_commit({id})().value(); }

TEST_CASE("collected rows are seen when they are committed, not before", "[collect_sink]") {
  const collect_sink<int> sink{"rows"};
  auto w = writer_of(sink, "a");
  write(w, 1);
  const auto prepared = prepare(w, 1);
  write(w, 2);
  CHECK(sink.rows().empty());
  REQUIRE(w.commit(prepared)().ok());
  CHECK(sink.rows() == std::vector<int>{1});
}

TEST_CASE("rows that are committed again are seen once", "[collect_sink]") {
  const collect_sink<int> sink{"rows"};
  auto w = writer_of(sink, "a");
  write(w, 1);
  const auto prepared = prepare(w, 1);
  REQUIRE(w.commit(prepared)().ok());
  auto next_attempt = writer_of(sink, "a", 0, 2);
  REQUIRE(next_attempt.commit(prepared)().ok());
  CHECK(sink.rows() == std::vector<int>{1});
}

TEST_CASE("a checkpoint without rows has nothing to commit", "[collect_sink]") {
  const collect_sink<int> sink{"rows"};
  auto w = writer_of(sink, "a");
  CHECK(prepare(w, 1).empty());
}

TEST_CASE("copies of a sink share their rows, whoever writes", "[collect_sink]") {
  const collect_sink<int> sink{"rows"};
  const auto copy = sink;
  auto a = writer_of(sink, "a");
  auto b = writer_of(copy, "b");  // another operator of the same job
  auto second = writer_of(copy, "b", 1);
  write(a, 1);
  write(b, 2);
  write(second, 3);
  const auto of_a = prepare(a, 1);
  const auto of_b = prepare(b, 1);
  const auto of_second = prepare(second, 1);
  REQUIRE(a.commit(of_a)().ok());
  REQUIRE(b.commit(of_b)().ok());
  REQUIRE(second.commit(of_second)().ok());
  CHECK(sink.rows() == std::vector<int>{1, 2, 3});
}

TEST_CASE("rows of another process cannot be committed", "[collect_sink]") {
  const collect_sink<int> sink{"rows"};
  auto w = writer_of(sink, "a");
  const auto done = w.commit({"1-1-0-7"})();
  REQUIRE_FALSE(done.ok());
  CHECK(done.failure().code() == errc::not_found);
}

}  // namespace
}  // namespace weir::dataflow
