// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/file_sink_writer.hpp"

#include "weir/core/memory_file_system.hpp"

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

constexpr dataflow::incarnation first_attempt{epoch_id{1}, attempt_id{1}};

struct sink_folder {
  memory_file_system files;
  file_sink_options options;

  sink_folder() {
    options.folder = "/out";
    options.job = "j";
    REQUIRE(prepare_file_sink_folder(files, options, first_attempt, {}).ok());
  }

  file_sink_writer writer(std::uint32_t subtask = 0) {
    return {files, options, first_attempt, subtask_index{subtask}};
  }

  std::string text(const std::string& path) {
    auto bytes = read_file(files, path);
    return bytes ? *bytes : "error: " + bytes.error_text();
  }

  /// The entries that a reader of the folder sees.
  std::vector<std::string> visible() {
    auto names = files.list("/out").value();
    std::erase_if(names, [](const std::string& name) { return name.starts_with('.'); });
    return names;
  }
};

TEST_CASE("rows become visible with the commit and not before", "[file_sink_writer]") {
  sink_folder sink;
  auto writer = sink.writer();
  REQUIRE(writer.write("one").ok());
  REQUIRE(writer.write("").ok());
  REQUIRE(writer.write("three").ok());
  CHECK(sink.visible().empty());
  const auto pending = writer.prepare_commit();
  REQUIRE(pending.ok());
  REQUIRE(pending->size() == 1);
  CHECK(sink.visible().empty());
  REQUIRE(commit_pending_files(sink.files, *pending).ok());
  CHECK(sink.visible() == std::vector<std::string>{"part.j.1-1-0-0.txt"});
  CHECK(sink.text("/out/part.j.1-1-0-0.txt") == "one\n\nthree\n");
}

TEST_CASE("a writer without rows leaves no file", "[file_sink_writer]") {
  sink_folder sink;
  auto writer = sink.writer();
  CHECK(writer.prepare_commit().value().empty());
  CHECK(sink.files.list("/out").value().empty());
  REQUIRE(writer.write("x").ok());
  CHECK(writer.prepare_commit().value().size() == 1);
  CHECK(writer.prepare_commit().value().empty());
  CHECK(sink.files.list("/out").value().size() == 1);
}

TEST_CASE("rows after a cut go to the next file", "[file_sink_writer]") {
  sink_folder sink;
  auto writer = sink.writer(5);
  REQUIRE(writer.write("before").ok());
  auto first = writer.cut();
  REQUIRE(first.ok());
  REQUIRE(writer.write("after").ok());
  auto second = writer.cut();
  REQUIRE(second.ok());
  REQUIRE(second->sync(sink.files).ok());
  REQUIRE(first->sync(sink.files).ok());
  REQUIRE(commit_pending_files(sink.files, first->pending()).ok());
  CHECK(sink.visible() == std::vector<std::string>{"part.j.1-1-5-0.txt"});
  CHECK(sink.text("/out/part.j.1-1-5-0.txt") == "before\n");
  REQUIRE(commit_pending_files(sink.files, second->pending()).ok());
  CHECK(sink.text("/out/part.j.1-1-5-1.txt") == "after\n");
}

TEST_CASE("a file that has grown to the limit is followed by another", "[file_sink_writer]") {
  sink_folder sink;
  sink.options.roll_bytes = 6;
  auto writer = sink.writer();
  for (const char* row : {"aa", "bb", "cc", "dddddddd", "e"}) REQUIRE(writer.write(row).ok());
  const auto pending = writer.prepare_commit();
  REQUIRE(pending.ok());
  REQUIRE(commit_pending_files(sink.files, *pending).ok());
  CHECK(sink.text("/out/part.j.1-1-0-0.txt") == "aa\nbb\n");
  CHECK(sink.text("/out/part.j.1-1-0-1.txt") == "cc\ndddddddd\n");
  CHECK(sink.text("/out/part.j.1-1-0-2.txt") == "e\n");
  CHECK(sink.visible().size() == 3);
}

TEST_CASE("rows larger than the buffer arrive whole and in order", "[file_sink_writer]") {
  sink_folder sink;
  auto writer = sink.writer();
  std::string expected;
  for (char letter = 'a'; letter < 'k'; ++letter) {
    const std::string row(30'000, letter);
    REQUIRE(writer.write(row).ok());
    expected.append(row).push_back('\n');
  }
  const auto pending = writer.prepare_commit();
  REQUIRE(pending.ok());
  CHECK(sink.text(pending->front().pending_path) == expected);
}

TEST_CASE("what a synced cut names survives a crash", "[file_sink_writer]") {
  sink_folder sink;
  auto writer = sink.writer();
  REQUIRE(writer.write("row").ok());
  auto cut = writer.cut();
  REQUIRE(cut.ok());
  REQUIRE(cut->sync(sink.files).ok());
  random_generator random{GENERATE(1u, 2u, 3u, 4u)};
  sink.files.crash(random);
  CHECK(sink.text(cut->pending().front().pending_path) == "row\n");
}

TEST_CASE("a writer that could not write repeats its error and names no file",
          "[file_sink_writer]") {
  sink_folder sink;
  auto writer = sink.writer();
  const auto kind = GENERATE(file_operation_kind::create, file_operation_kind::append,
                             file_operation_kind::exists);
  sink.files.set_faults([kind](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind != kind) return std::nullopt;
    return error{errc::io_error, "disk full"};
  });
  const std::string row(100'000, 'x');
  const auto failed = writer.write(row);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error_text() == "disk full");
  sink.files.set_faults({});
  CHECK(writer.write("more").error_text() == "disk full");
  CHECK(writer.cut().error_text() == "disk full");
  CHECK(writer.prepare_commit().error_text() == "disk full");
}

TEST_CASE("a cut that cannot be synced is an error", "[file_sink_writer]") {
  sink_folder sink;
  auto writer = sink.writer();
  REQUIRE(writer.write("row").ok());
  const auto kind = GENERATE(file_operation_kind::append, file_operation_kind::sync,
                             file_operation_kind::sync_folder);
  sink.files.set_faults([kind](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind != kind) return std::nullopt;
    return error{errc::io_error, "disk full"};
  });
  CHECK(writer.prepare_commit().error_text() == "disk full");
  CHECK(writer.write("more").error_text() == "disk full");
}

TEST_CASE("a file of another run of the job is found before a row is written",
          "[file_sink_writer]") {
  sink_folder sink;
  REQUIRE(write_file(sink.files, "/out/part.j.1-1-0-0.txt", "old\n").ok());
  auto writer = sink.writer();
  const auto refused = writer.write("row");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().code() == errc::already_exists);
  CHECK(refused.error_text().find("/out/part.j.1-1-0-0.txt") != std::string::npos);
  CHECK(sink.text("/out/part.j.1-1-0-0.txt") == "old\n");
}

}  // namespace
}  // namespace weir::connectors
