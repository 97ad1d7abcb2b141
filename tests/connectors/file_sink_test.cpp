// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/file_sink.hpp"

#include "weir/core/memory_file_system.hpp"

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

struct reading {
  std::string sensor;
  std::int64_t value = 0;
};

static_assert(dataflow::sink<file_sink<reading>>);
static_assert(dataflow::attempt_preparing<file_sink<reading>>);
static_assert(dataflow::two_phase_writer<file_sink<reading>::writer>);

file_sink_options in_folder(std::string folder) {
  file_sink_options options;
  options.folder = std::move(folder);
  return options;
}

dataflow::operator_environment environment_in(file_system& files) {
  dataflow::operator_environment environment;
  environment.job = "my job";
  environment.subtask = {3};
  environment.current = {epoch_id{2}, attempt_id{5}};
  environment.files = &files;
  return environment;
}

template <class Writer, class... Row>
void write(Writer& writer, Row... rows) {
  auto data = dataflow::batch<reading>::make(sizeof...(rows));
  (data->append(rows, event_time::min()), ...);
  REQUIRE(writer.write(*data).ok());
}

template <class Sink>
auto started(const Sink& sink, file_system& files) {
  REQUIRE(sink.prepare({"my job", {epoch_id{2}, attempt_id{5}}, &files, {}}).ok());
  return sink.make_writer(environment_in(files)).value();
}

TEST_CASE("rows of a file sink are seen once they are committed, under the job's name",
          "[file_sink]") {
  memory_file_system files;
  const file_sink<reading> sink{in_folder("/out")};
  auto writer = started(sink, files);
  write(writer, reading{"a", 1}, reading{"b", 2});
  const auto prepared = writer.prepare_commit(checkpoint_id{7})();
  REQUIRE(prepared.ok());
  CHECK(files.list("/out").value() ==
        std::vector<std::string>{".part.my%20job.2-5-3-0.txt.inprogress"});
  REQUIRE(writer.commit(*prepared)().ok());
  CHECK(files.list("/out").value() == std::vector<std::string>{"part.my%20job.2-5-3-0.txt"});
  CHECK(read_file(files, "/out/part.my%20job.2-5-3-0.txt").value() == "{a, 1}\n{b, 2}\n");
  CHECK(writer.commit(*prepared)().ok());  // as after a crash
}

TEST_CASE("a file sink writes rows as its format says", "[file_sink]") {
  memory_file_system files;
  const auto format = [](std::string& out, const reading& r) {
    out += r.sensor + "|" + std::to_string(r.value);
  };
  const file_sink<reading, decltype(format)> sink{in_folder("/out"), format};
  auto writer = started(sink, files);
  write(writer, reading{"a", 1});
  write(writer, reading{"b", 2});
  REQUIRE(writer.commit(writer.prepare_commit(checkpoint_id{1})().value())().ok());
  const auto name = files.list("/out").value().at(0);
  CHECK(read_file(files, "/out/" + name).value() == "a|1\nb|2\n");
}

TEST_CASE("a file sink keeps the files that the restored checkpoint names, and no others",
          "[file_sink]") {
  memory_file_system files;
  const file_sink<reading> sink{in_folder("/out")};
  auto writer = started(sink, files);
  write(writer, reading{"named", 1});
  const auto named = writer.prepare_commit(checkpoint_id{1})().value();
  write(writer, reading{"not named", 2});
  REQUIRE(writer.prepare_commit(checkpoint_id{2})().ok());
  REQUIRE(files.list("/out").value().size() == 2);

  REQUIRE(sink.prepare({"my job", {epoch_id{3}, attempt_id{1}}, &files, named}).ok());
  CHECK(files.list("/out").value().size() == 1);
  REQUIRE(writer.commit(named)().ok());
}

TEST_CASE("a file that cannot be synced is an error of the prepared checkpoint", "[file_sink]") {
  memory_file_system files;
  const file_sink<reading> sink{in_folder("/out")};
  auto writer = started(sink, files);
  write(writer, reading{"a", 1});
  files.set_faults([](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind != file_operation_kind::sync) return std::nullopt;
    return error{errc::io_error, "disk full"};
  });
  const auto prepared = writer.prepare_commit(checkpoint_id{1})();
  REQUIRE_FALSE(prepared.ok());
  CHECK(prepared.failure().code() == errc::io_error);
}

TEST_CASE("a file sink refuses options that no file can have", "[file_sink]") {
  memory_file_system files;
  const auto refused =
      file_sink<reading>{in_folder("")}.prepare({"job", {epoch_id{1}, attempt_id{1}}, &files, {}});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().code() == errc::invalid_argument);
}

}  // namespace
}  // namespace weir::connectors
