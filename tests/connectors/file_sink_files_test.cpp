// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/file_sink_files.hpp"

#include "weir/core/memory_file_system.hpp"

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

file_sink_options options_of(std::string job = "orders") {
  file_sink_options options;
  options.folder = "/out";
  options.job = std::move(job);
  return options;
}

constexpr dataflow::incarnation attempt_of(std::uint64_t epoch, std::uint32_t attempt) {
  return {epoch_id{epoch}, attempt_id{attempt}};
}

file_sink_name name_of(std::uint64_t epoch, std::uint32_t attempt, std::uint32_t subtask,
                       std::uint64_t sequence) {
  return {attempt_of(epoch, attempt), subtask_index{subtask}, sequence};
}

void put(file_system& files, const std::string& path, std::string_view bytes) {
  REQUIRE(write_file(files, path, bytes).ok());
}

std::string text(file_system& files, const std::string& path) {
  auto bytes = read_file(files, path);
  return bytes ? *bytes : "error: " + bytes.error_text();
}

TEST_CASE("the paths of a file carry job, attempt, subtask and sequence", "[file_sink_files]") {
  const auto paths = paths_of(options_of(), name_of(1, 3, 0, 7));
  CHECK(paths.final_path == "/out/part.orders.1-3-0-7.txt");
  CHECK(paths.pending_path == "/out/.part.orders.1-3-0-7.txt.inprogress");
  CHECK(paths_of(options_of("a/b c%"), name_of(1, 1, 1, 1)).final_path ==
        "/out/part.a%2fb%20c%25.1-1-1-1.txt");
}

TEST_CASE("a pending file's name gives back what it was made of", "[file_sink_files]") {
  const auto name = name_of(12, 4'000'000'000u, 7, ~0ull);
  for (const char* job : {"orders", "word count", "1-2"}) {
    auto options = options_of(job);
    options.suffix = GENERATE("", ".txt", "-1");
    const auto path = paths_of(options, name).pending_path;
    CAPTURE(path);
    CHECK(parse_pending_name(options, path.substr(std::string{"/out/"}.size())) == name);
  }
}

TEST_CASE("a name that is not of this sink's pending files says nothing", "[file_sink_files]") {
  const auto foreign = GENERATE(
      "part.orders.1-3-0-7.txt", ".part.orders.1-3-0-7.txt", ".part.orders.1-3-0.txt.inprogress",
      ".part.orders.1-3-0-7-1.txt.inprogress", ".part.order.1-3-0-7.txt.inprogress",
      ".part.orders2.1-3-0-7.txt.inprogress", ".other.orders.1-3-0-7.txt.inprogress",
      ".part.orders.1-3-0-7.csv.inprogress", ".part.orders.1-3-x-7.txt.inprogress",
      ".part.orders.1-99999999999-0-7.txt.inprogress", ".part.orders.1-3-0-7.txt.inprogress2", "",
      ".part.orders.");
  CAPTURE(foreign);
  CHECK_FALSE(parse_pending_name(options_of(), foreign).has_value());
}

TEST_CASE("options that give no usable file name are refused", "[file_sink_files]") {
  struct row {
    const char* option;
    void (*spoil)(file_sink_options&);
  };
  const auto wrong =
      GENERATE(row{"folder", [](file_sink_options& o) { o.folder.clear(); }},
               row{"prefix", [](file_sink_options& o) { o.prefix.clear(); }},
               row{"prefix", [](file_sink_options& o) { o.prefix = "a.b"; }},
               row{"prefix", [](file_sink_options& o) { o.prefix = "a/b"; }},
               row{"suffix", [](file_sink_options& o) { o.suffix = "/x"; }},
               row{"job", [](file_sink_options& o) { o.job.clear(); }},
               row{"too long", [](file_sink_options& o) { o.job = std::string(60, ' '); }},
               row{"roll_bytes", [](file_sink_options& o) { o.roll_bytes = 0; }});
  auto options = options_of("word count");
  REQUIRE(options.validate().ok());
  wrong.spoil(options);
  const auto refused = options.validate();
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().code() == errc::invalid_argument);
  CHECK(refused.error_text().find(wrong.option) != std::string::npos);
}

TEST_CASE("a commit moves the files for good, and may be repeated", "[file_sink_files]") {
  memory_file_system files;
  REQUIRE(prepare_file_sink_folder(files, options_of(), attempt_of(1, 1), {}).ok());
  const std::vector<pending_file> pending{paths_of(options_of(), name_of(1, 1, 0, 0)),
                                          paths_of(options_of(), name_of(1, 1, 1, 0))};
  put(files, pending[0].pending_path, "a");
  put(files, pending[1].pending_path, "b");
  REQUIRE(files.sync_folder("/out").ok());
  REQUIRE(commit_pending_files(files, pending).ok());
  random_generator random{7};
  files.crash(random);
  CHECK(files.list("/out").value() ==
        std::vector<std::string>{"part.orders.1-1-0-0.txt", "part.orders.1-1-1-0.txt"});
  CHECK(commit_pending_files(files, pending).ok());
  CHECK(text(files, pending[0].final_path) == "a");
  CHECK(text(files, pending[1].final_path) == "b");
}

TEST_CASE("a commit never replaces a file, and still commits the others", "[file_sink_files]") {
  memory_file_system files;
  REQUIRE(files.create_folders("/out").ok());
  put(files, "/out/.a", "new");
  put(files, "/out/a", "old");
  put(files, "/out/.b", "b");
  const auto refused = commit_pending_files(files, {{"/out/.a", "/out/a"}, {"/out/.b", "/out/b"}});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().code() == errc::already_exists);
  CHECK(refused.error_text().find("/out/a") != std::string::npos);
  CHECK(text(files, "/out/a") == "old");
  CHECK(text(files, "/out/.a") == "new");
  CHECK(text(files, "/out/b") == "b");
}

TEST_CASE("both names of one file are a move cut in two, and the commit ends it",
          "[file_sink_files]") {
  memory_file_system files;
  REQUIRE(files.create_folders("/out").ok());
  put(files, "/out/.a", std::string(3 << 20, 'x'));
  REQUIRE(files.link("/out/.a", "/out/a").ok());
  CHECK(commit_pending_files(files, {{"/out/.a", "/out/a"}}).ok());
  CHECK(files.list("/out").value() == std::vector<std::string>{"a"});
}

TEST_CASE("a file that is under neither of its names is an error that names it",
          "[file_sink_files]") {
  memory_file_system files;
  REQUIRE(files.create_folders("/out").ok());
  const auto lost = commit_pending_files(files, {{"/out/.a", "/out/a"}});
  REQUIRE_FALSE(lost.ok());
  CHECK(lost.failure().code() == errc::not_found);
  CHECK(lost.error_text().find("/out/.a") != std::string::npos);
}

TEST_CASE("C108: what no restored state names is removed, what it names is committed",
          "[file_sink_files]") {
  memory_file_system files;
  const auto options = options_of();
  REQUIRE(prepare_file_sink_folder(files, options, attempt_of(1, 1), {}).ok());
  const auto named = paths_of(options, name_of(1, 1, 0, 0));
  const auto open = paths_of(options, name_of(1, 1, 0, 1));
  const auto same_attempt = paths_of(options, name_of(1, 2, 0, 0));
  const auto later_epoch = paths_of(options, name_of(2, 1, 0, 0));
  const auto other_job = paths_of(options_of("other"), name_of(1, 1, 0, 0));
  for (const auto& file : {named, open, same_attempt, later_epoch, other_job}) {
    put(files, file.pending_path, "row\n");
  }
  put(files, "/out/.part.orders.notes", "of the user");
  REQUIRE(prepare_file_sink_folder(files, options, attempt_of(1, 2), {named}).ok());
  CHECK(files.exists(named.pending_path).value());
  CHECK_FALSE(files.exists(open.pending_path).value());
  CHECK(files.exists(same_attempt.pending_path).value());
  CHECK(files.exists(later_epoch.pending_path).value());
  CHECK(files.exists(other_job.pending_path).value());
  CHECK(files.exists("/out/.part.orders.notes").value());
  REQUIRE(commit_pending_files(files, {named}).ok());
  CHECK(text(files, named.final_path) == "row\n");
}

TEST_CASE("a later epoch removes what any attempt of an earlier one left", "[file_sink_files]") {
  memory_file_system files;
  const auto options = options_of();
  REQUIRE(prepare_file_sink_folder(files, options, attempt_of(1, 9), {}).ok());
  const auto left = paths_of(options, name_of(1, 9, 0, 0));
  put(files, left.pending_path, "row\n");
  REQUIRE(prepare_file_sink_folder(files, options, attempt_of(2, 1), {}).ok());
  CHECK_FALSE(files.exists(left.pending_path).value());
}

TEST_CASE("a prepared folder survives a crash, whenever an earlier start was cut off",
          "[file_sink_files]") {
  auto options = options_of();
  options.folder = GENERATE("/a/b/c", "a/b/c/", "a//b/c");
  CAPTURE(options.folder);
  const auto prepare = [&](memory_file_system& files) {
    return prepare_file_sink_folder(files, options, attempt_of(1, 1), {});
  };
  memory_file_system whole;
  REQUIRE(prepare(whole).ok());
  for (std::uint64_t stop = 1; stop <= whole.operations(); ++stop) {
    CAPTURE(stop);
    memory_file_system files;
    files.set_faults([stop](const file_operation& operation) -> std::optional<file_fault> {
      if (operation.ordinal < stop) return std::nullopt;
      return error{errc::io_error, "stopped"};
    });
    REQUIRE_FALSE(prepare(files).ok());
    files.set_faults({});
    REQUIRE(prepare(files).ok());
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      random_generator random{seed};
      files.crash(random);
      REQUIRE(files.is_folder("/a/b/c").value());
    }
  }
}

}  // namespace
}  // namespace weir::connectors
