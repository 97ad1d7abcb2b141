// SPDX-License-Identifier: Apache-2.0
#include "weir/state/operator_state_store.hpp"

#include <utility>
#include <vector>

#include "weir/state/state_error.hpp"

namespace weir::state {
namespace {

constexpr std::uint64_t long_union_list = 10'000;

/// The chunks of an operator that has them for itself.
class unshared_chunks final : public shared_chunks {
 public:
  using shared_chunks::shared_chunks;

  std::any derived(const std::string&, const std::function<std::any()>& make) const override {
    return make();
  }
};

std::shared_ptr<const shared_chunks> source_of(const restored_chunks& chunks) {
  if (chunks.shared()) return chunks.shared();
  std::vector<snapshot_chunk> unkeyed;
  for (const auto& chunk : chunks)
    if (!chunk.group) unkeyed.push_back(chunk);
  return std::make_shared<unshared_chunks>(std::move(unkeyed));
}

using stored_states_result = result<std::shared_ptr<const stored_operator_states>>;

std::any read_all(const shared_chunks& source) {
  auto read = stored_operator_states::read(source.all());
  if (!read) return stored_states_result{std::move(read).failure()};
  return stored_states_result{std::make_shared<const stored_operator_states>(*std::move(read))};
}

void warn(log_sink& log, std::string message) {
  log.write({log_level::warning, "state", std::move(message)});
}

void warn_of_length(log_sink& log, const std::string& operator_name, const std::string& state,
                    std::uint64_t elements) {
  if (elements <= long_union_list) return;
  warn(log, "operator \"" + operator_name + "\": union list \"" + state + "\" has " +
                std::to_string(elements) +
                " elements, and every subtask looks through all of them: use an even-split list, "
                "or keyed state");
}

void warn_of_differences(log_sink& log, const std::string& operator_name, const std::string& state,
                         const std::vector<stored_copy>& copies) {
  std::map<subtask_index, std::uint64_t> digests;
  for (const auto& copy : copies) digests[copy.from] = copy.digest;
  if (auto text = difference_of_copies(operator_name, state, digests)) warn(log, *std::move(text));
}

/// The elements of the former subtask `self`, in the count of all.
element_run own_run(const stored_operator_state& state, subtask_index self) {
  std::uint64_t before = 0;
  for (const auto& copy : state.copies) {
    if (copy.from == self) return {before, before + copy.count};
    before += copy.count;
  }
  return {};
}

element_run copy_run(const stored_operator_state& state, subtask_index self) {
  return own_run(state, state.copies[self.value % state.copies.size()].from);
}

}  // namespace

status operator_state_store::restore(const restored_chunks& chunks, subtask_index self,
                                     std::uint32_t parallelism, log_sink& log,
                                     const std::string& operator_name) {
  const auto source = source_of(chunks);
  const auto read = std::any_cast<stored_states_result>(
      source->derived("operator states", [&source] { return read_all(*source); }));
  if (!read) return read.failure();
  const bool same_parallelism = chunks.former_parallelism() == parallelism;
  even_split split{parallelism};
  for (const auto& [name, stored] : (*read)->by_name) {
    const auto total = stored.total();
    restored_operator_state part{{*read, &stored}, source};
    if (stored.kind == broadcast_kind) {
      part.run = copy_run(stored, self);
      if (self.value == 0) warn_of_differences(log, operator_name, name, stored.copies);
    } else if (stored.kind == union_list_kind) {
      part.run = {0, total};
      part.ours_to_store = self.value == 0;
      if (self.value == 0) warn_of_length(log, operator_name, name, total);
    } else {
      part.run = same_parallelism ? own_run(stored, self) : split.run_of(self, total);
      split.next(total);
    }
    unvisited_.emplace(name, std::move(part));
  }
  for (auto& [name, state] : states_) {
    if (auto done = restore_into(*state.cell); !done) return done;
  }
  return {};
}

status operator_state_store::restore_into(operator_state_cell& cell) {
  const auto stored = unvisited_.find(cell.name());
  if (stored == unvisited_.end()) return {};
  if (stored->second.kind() != cell.kind())
    return error{errc::invalid_argument,
                 "state \"" + cell.name() + "\": the snapshot holds it as " +
                     stored->second.kind() + ", and the function uses it as " +
                     std::string{cell.kind()} +
                     ": the kind of a state cannot change, give the new one another name"};
  if (auto done = cell.restore(stored->second); !done) return done;
  unvisited_.erase(stored);
  return {};
}

operator_state_store::known_state& operator_state_store::add(
    std::unique_ptr<operator_state_cell> cell) {
  if (auto done = restore_into(*cell); !done) throw state_error{done.error_text()};
  auto& state = states_[cell->name()];
  state.cell = std::move(cell);
  return state;
}

void operator_state_store::check_kind(const operator_state_cell& there, std::string_view kind,
                                      const std::string& type) {
  if (there.kind() == kind) return;
  throw state_error{"state \"" + there.name() + "\" is in use as " + std::string{there.kind()} +
                    " of " + there.type() + ", and is asked for as " + std::string{kind} + " of " +
                    type + ": give each state a name of its own"};
}

void operator_state_store::fail_of_other_type(const operator_state_cell& there,
                                              const std::string& type) {
  throw state_error{"state \"" + there.name() + "\" is in use as " + std::string{there.kind()} +
                    " of " + there.type() + ", and is asked for as one of another type, " + type +
                    ": give each state a name of its own"};
}

void operator_state_store::begin_snapshot(snapshot_stream& out) {
  running_.clear();
  const auto begin = [&](std::string_view kind, const std::string& name,
                         std::unique_ptr<frozen_operator_state> content) {
    running_.push_back(
        {std::make_unique<operator_state_writer>(out, kind, name), std::move(content)});
  };
  for (const auto& [name, state] : states_) begin(state.cell->kind(), name, state.cell->freeze());
  for (const auto& [name, stored] : unvisited_) begin(stored.kind(), name, freeze(stored));
}

std::size_t operator_state_store::sweep(std::size_t elements) {
  std::size_t done = 0;
  while (done < elements && !running_.empty()) {
    auto& [writer, content] = running_.front();
    const auto most = elements - done;
    const auto written = content->write(*writer, most);
    done += written;
    if (written == most) break;
    writer->finish();
    running_.pop_front();
  }
  return done;
}

}  // namespace weir::state
