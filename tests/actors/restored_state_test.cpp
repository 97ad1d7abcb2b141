// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/restored_state.hpp"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/checkpoint/state_file_writer.hpp"
#include "weir/checkpoint/state_folder.hpp"
#include "weir/core/io_executor.hpp"
#include "weir/core/memory_file_system.hpp"
#include "weir/state/operator_state_store.hpp"

#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using texts = std::vector<std::string>;

const std::string folder = "/checkpoints";

/// A disk that counts what is read from state files.
class counting_disk {
 public:
  counting_disk() {
    disk.set_faults([this](const file_operation& operation) -> std::optional<file_fault> {
      if (operation.kind == file_operation_kind::open) ++opened[std::string{operation.path}];
      return std::nullopt;
    });
  }

  /// Writes the file of subtask `index`; its operators are "a" and "b".
  checkpoint::state_file write(std::uint32_t index,
                               const std::function<void(checkpoint::state_file_writer&)>& fill) {
    checkpoint::state_file_writer writer;
    fill(writer);
    writer.finish();
    const checkpoint::state_folder states{disk, folder, {1}, {1}};
    auto file = states.create({1}, checkpoint::state_file_name({0, {index}})).value();
    REQUIRE(file->append(writer.take()).ok());
    auto written = file->close().value();
    written.keyed = written.unkeyed = true;
    written_bytes += written.length;
    return written;
  }

  memory_file_system disk;
  std::map<std::string, int> opened;
  std::uint64_t written_bytes = 0;
};

/// Two chained operators of two subtasks, with a row in each of 8 key groups and a list each.
checkpoint::restore_plan two_operators(counting_disk& disk, std::uint32_t parallelism) {
  checkpoint::restore_plan plan{.restored = {1}, .operators = {}, .ignored = {}};
  std::vector<checkpoint::restore_file> files;
  for (std::uint32_t index = 0; index < 2; ++index) {
    auto written = disk.write(index, [index](checkpoint::state_file_writer& writer) {
      for (const std::string uid : {"a", "b"}) {
        for (std::uint32_t group = index * 4; group < index * 4 + 4; ++group)
          writer.put(uid, {"rows", key_group{group}, uid + std::to_string(group), {}});
        writer.put(uid, {"list", std::nullopt, uid + " of " + std::to_string(index), {}});
        writer.put("gone", {"list", std::nullopt, "nobody's", {}});
      }
    });
    files.push_back({std::move(written), {index}});
  }
  for (const std::string uid : {"a", "b"})
    plan.operators.push_back({uid, parallelism, 8, 2, 8, files});
  return plan;
}

texts all_bytes(const state::restored_chunks& chunks) {
  texts all;
  for (const auto& chunk : chunks)
    all.push_back(chunk.bytes + " from " + std::to_string(chunk.from.value));
  return all;
}

TEST_CASE("each subtask gets its key groups and all unkeyed chunks, and each file is read once",
          "[restored_state]") {
  counting_disk disk;
  restored_state restored{disk.disk, folder, two_operators(disk, 3)};
  CHECK(all_bytes(restored.unkeyed("b").value()) == texts{"b of 0 from 0", "b of 1 from 1"});
  const auto first = restored.take("a", {0}).value();
  CHECK(all_bytes(first) ==
        texts{"a0 from 0", "a1 from 0", "a2 from 0", "a of 0 from 0", "a of 1 from 1"});
  CHECK(all_bytes(restored.take("a", {1}).value()) ==
        texts{"a3 from 0", "a4 from 1", "a5 from 1", "a of 0 from 0", "a of 1 from 1"});
  const auto last = restored.take("b", {2}).value();
  CHECK(all_bytes(last) == texts{"b6 from 1", "b7 from 1", "b of 0 from 0", "b of 1 from 1"});
  CHECK(last.former_parallelism() == 2);
  CHECK(restored.take("new", {0}).value().empty());
  CHECK(disk.opened == std::map<std::string, int>{{folder + "/chk-1/1-1-0-0.state", 1},
                                                  {folder + "/chk-1/1-1-0-1.state", 1}});
}

TEST_CASE("subtasks that restore at the same time share what is read", "[restored_state]") {
  counting_disk disk;
  restored_state restored{disk.disk, folder, two_operators(disk, 8)};
  constexpr std::size_t subtasks = 8;
  std::array<texts, subtasks> got;
  std::array<const void*, subtasks> shared{};
  {
    const auto threads = make_thread_io_executor(4);
    for (std::uint32_t i = 0; i < subtasks; ++i) {
      threads->submit(0, [&, i] {
        const auto chunks = restored.take("a", {i}).value();
        got[i] = all_bytes(chunks);
        shared[i] = chunks.shared().get();
      });
    }
  }
  for (std::uint32_t i = 0; i < subtasks; ++i) {
    const auto row = "a" + std::to_string(i) + " from " + std::to_string(i / 4);
    CHECK(got[i] == texts{row, "a of 0 from 0", "a of 1 from 1"});
    CHECK(shared[i] == shared[0]);
  }
  for (const auto& [path, times] : disk.opened) CHECK(times == 1);
}

TEST_CASE("a file that cannot be read is an error of everybody who needs it", "[restored_state]") {
  counting_disk disk;
  auto plan = two_operators(disk, 2);
  plan.operators[0].files[1].file.checksum ^= 1;
  restored_state restored{disk.disk, folder, plan};
  CHECK(restored.take("a", {1}).failure().code() == errc::corrupt);
  CHECK(restored.take("a", {0}).failure().code() == errc::corrupt);
  CHECK(restored.unkeyed("b").failure().code() == errc::corrupt);
}

std::atomic<std::int64_t> held_bytes{0};

/// An element that counts the bytes that are held.
struct counted {
  std::string bytes;

  explicit counted(std::string b) : bytes{std::move(b)} { held_bytes += size(); }
  counted(const counted& other) : counted{other.bytes} {}
  counted(counted&& other) noexcept : bytes{std::move(other.bytes)} {}
  counted& operator=(const counted&) = delete;
  ~counted() { held_bytes -= size(); }
  std::int64_t size() const { return static_cast<std::int64_t>(bytes.size()); }
};

}  // namespace
}  // namespace weir::actors::internal

template <>
struct weir::codec<weir::actors::internal::counted> {
  using counted = actors::internal::counted;
  static void write(byte_writer& out, const counted& value) { out.block(value.bytes); }
  static counted read(byte_reader& in) { return counted{std::string{in.block()}}; }
  static std::string identity() { return "counted"; }
};

namespace weir::actors::internal {
namespace {

TEST_CASE("C113: 2000 subtasks read and hold 10 MB of union state once", "[restored_state]") {
  constexpr std::uint32_t subtasks = 2000;
  constexpr std::size_t element_size = 1000;
  counting_disk disk;
  checkpoint::restore_plan plan{.restored = {1}, .operators = {}, .ignored = {}};
  plan.operators.push_back({"a", subtasks, 2048, subtasks, 2048, {}});
  for (std::uint32_t index = 0; index < subtasks; ++index) {
    auto written = disk.write(index, [](checkpoint::state_file_writer& writer) {
      state::operator_state_store store;
      auto& list = store.union_list_state<counted>("offsets");
      for (int i = 0; i < 5; ++i) list.add(counted{std::string(element_size, 'x')});
      checkpoint::state_file_stream out{writer, "a"};
      store.begin_snapshot(out);
      store.sweep(1000);
    });
    plan.operators[0].files.push_back({std::move(written), {index}});
  }
  REQUIRE(held_bytes == 0);

  auto source = std::make_shared<restored_state>(disk.disk, folder, std::move(plan));
  std::vector<std::unique_ptr<state::operator_state_store>> stores;
  for (std::uint32_t index = 0; index < subtasks; ++index) {
    auto& store = *stores.emplace_back(std::make_unique<state::operator_state_store>());
    const auto chunks = source->take("a", {index}).value();
    REQUIRE(store.restore(chunks, {index}, subtasks, null_log_sink(), "a").ok());
    REQUIRE(store.union_list_state<counted>("offsets").size() == 5 * subtasks);
  }
  const auto state_bytes = std::int64_t{subtasks} * 5 * element_size;
  CHECK(disk.written_bytes < static_cast<std::uint64_t>(state_bytes) * 11 / 10);
  CHECK(disk.opened.size() == subtasks);
  for (const auto& [path, times] : disk.opened) REQUIRE(times == 1);
  CHECK(held_bytes == state_bytes);
  stores.clear();
  source.reset();
  CHECK(held_bytes == 0);
}

}  // namespace
}  // namespace weir::actors::internal
