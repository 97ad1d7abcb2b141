// SPDX-License-Identifier: Apache-2.0
#include "weir/state/operator_state_format.hpp"

#include <algorithm>
#include <utility>

#include "weir/core/hash.hpp"

namespace weir::state {
namespace {

constexpr std::uint64_t format_version = 1;
constexpr std::uint64_t part_tag = 1;
constexpr std::uint64_t end_tag = 2;
constexpr std::size_t part_bytes = std::size_t{64} << 10;

constexpr std::string_view section_prefix = "operator state/";

error corrupt(const std::string& what) { return {errc::corrupt, what}; }

/// How many blocks an element of a state of this kind is.
std::size_t blocks_of(std::string_view kind) { return kind == broadcast_kind ? 2 : 1; }

bool is_kind(std::string_view kind) {
  return kind == operator_list_kind || kind == union_list_kind || kind == broadcast_kind;
}

/// Skips `count` elements. @pre enough are there
std::string_view without_first(std::string_view elements, std::uint64_t count, std::size_t blocks) {
  byte_reader in{elements};
  for (std::uint64_t i = 0; i < count * blocks; ++i) in.block();
  return elements.substr(elements.size() - in.remaining());
}

/// A copy of a state while its chunks are found one by one.
struct copy_in_pieces {
  std::map<std::uint64_t, stored_elements> parts;              // by their first element
  std::optional<std::pair<std::uint64_t, std::uint64_t>> end;  // count and digest
};

struct state_in_pieces {
  std::string kind;
  std::map<subtask_index, copy_in_pieces> copies;
};

status read_part(byte_reader& in, std::string_view bytes, std::size_t blocks,
                 copy_in_pieces& copy) {
  stored_elements part;
  const auto first = in.varint();
  part.type = in.block();
  part.count = in.varint();
  part.bytes = bytes.substr(bytes.size() - in.remaining());
  for (std::uint64_t i = 0; i < part.count && !in.failed(); ++i) {
    for (std::size_t block = 0; block < blocks; ++block) in.block();
  }
  if (in.failed() || in.remaining() > 0 || part.count == 0) return corrupt("a part is damaged");
  if (!copy.parts.emplace(first, part).second) return corrupt("a part is there twice");
  return {};
}

status read_chunk(std::string_view bytes, std::size_t blocks, copy_in_pieces& copy) {
  byte_reader in{bytes};
  const auto version = in.varint();
  if (!in.failed() && version != format_version)
    return corrupt("format version " + std::to_string(version) +
                   ", and this build reads only version " + std::to_string(format_version));
  const auto tag = in.varint();
  if (tag == part_tag) return read_part(in, bytes, blocks, copy);
  const auto count = in.varint();
  const auto digest = in.fixed<std::uint64_t>();
  if (tag != end_tag || in.failed() || in.remaining() > 0) return corrupt("a chunk is damaged");
  if (copy.end) return corrupt("it ends twice");
  copy.end.emplace(count, digest);
  return {};
}

result<stored_copy> joined(subtask_index from, const copy_in_pieces& pieces) {
  if (!pieces.end) return corrupt("its end is missing");
  stored_copy copy{from, 0, pieces.end->second, {}};
  for (const auto& [first, part] : pieces.parts) {
    if (first != copy.count) return corrupt("a part is missing");
    copy.count += part.count;
    copy.parts.push_back(part);
  }
  if (copy.count != pieces.end->first)
    return corrupt(std::to_string(pieces.end->first) + " elements expected, " +
                   std::to_string(copy.count) + " found");
  return copy;
}

/// "subtasks 1, 3": the first few.
std::string listed(const std::vector<std::uint32_t>& subtasks) {
  constexpr std::size_t most = 8;
  std::string text = subtasks.size() == 1 ? "subtask" : "subtasks";
  for (std::size_t i = 0; i < std::min(most, subtasks.size()); ++i)
    text += (i == 0 ? " " : ", ") + std::to_string(subtasks[i] + 1);
  if (subtasks.size() > most) text += " and " + std::to_string(subtasks.size() - most) + " more";
  return text;
}

}  // namespace

operator_state_writer::operator_state_writer(snapshot_stream& out, std::string_view kind,
                                             std::string name)
    : out_{&out},
      kind_{kind},
      name_{std::move(name)},
      section_{std::string{section_prefix} + kind_ + '/' + name_} {}

void operator_state_writer::set_type(std::string_view type) {
  if (type == type_) return;
  put_part();
  type_ = type;
}

byte_writer& operator_state_writer::begin_element() {
  element_start_ = elements_.size();
  return element_writer_;
}

void operator_state_writer::end_element() {
  ++count_;
  digest_ += hash_bytes(std::string_view{elements_}.substr(element_start_));
  if (elements_.size() >= part_bytes) put_part();
}

void operator_state_writer::add_stored(std::string_view element) {
  begin_element().raw(element);
  end_element();
}

void operator_state_writer::put_part() {
  if (count_ == 0) return;
  std::string bytes;
  byte_writer part{bytes};
  part.varint(format_version);
  part.varint(part_tag);
  part.varint(first_);
  part.block(type_);
  part.varint(count_);
  part.raw(elements_);
  out_->put({section_, std::nullopt, std::move(bytes), {}});
  first_ += std::exchange(count_, 0);
  elements_.clear();
}

void operator_state_writer::finish() {
  put_part();
  std::string bytes;
  byte_writer end{bytes};
  end.varint(format_version);
  end.varint(end_tag);
  end.varint(first_);
  end.fixed(digest_);
  out_->put({section_, std::nullopt, std::move(bytes), {}});
  if (kind_ == broadcast_kind) out_->put_digest(name_, digest_);
}

std::uint64_t stored_operator_state::total() const {
  std::uint64_t sum = 0;
  for (const auto& copy : copies) sum += copy.count;
  return sum;
}

std::vector<stored_elements> stored_operator_state::elements(element_run run) const {
  std::vector<stored_elements> chosen;
  const auto blocks = blocks_of(kind);
  std::uint64_t before = 0;
  for (const auto& copy : copies) {
    if (before + copy.count <= run.begin || before >= run.end) {
      before += copy.count;
      continue;
    }
    for (const auto& part : copy.parts) {
      const auto begin = std::max(run.begin, before);
      const auto end = std::min(run.end, before + part.count);
      if (begin < end) {
        const auto tail = without_first(part.bytes, begin - before, blocks);
        const auto rest = without_first(tail, end - begin, blocks);
        chosen.push_back({part.type, end - begin, tail.substr(0, tail.size() - rest.size())});
      }
      before += part.count;
    }
  }
  return chosen;
}

result<stored_operator_states> stored_operator_states::read(
    const std::vector<snapshot_chunk>& chunks) {
  std::map<std::string, state_in_pieces, std::less<>> found;
  for (const auto& chunk : chunks) {
    if (chunk.group || !chunk.section.starts_with(section_prefix)) continue;
    const auto rest = std::string_view{chunk.section}.substr(section_prefix.size());
    const auto kind = rest.substr(0, rest.find('/'));
    const std::string name{rest.substr(std::min(kind.size() + 1, rest.size()))};
    if (!is_kind(kind)) return corrupt("no kind of state is called \"" + std::string{kind} + "\"");
    auto& state = found[name];
    if (state.kind.empty()) state.kind = kind;
    const auto named = "state \"" + name + "\"";
    if (state.kind != kind)
      return corrupt(named + ": one subtask stored it as " + state.kind + ", another as " +
                     std::string{kind});
    if (auto done = read_chunk(chunk.bytes, blocks_of(kind), state.copies[chunk.from]); !done)
      return std::move(done).failure().within(named);
  }
  stored_operator_states all;
  for (const auto& [name, pieces] : found) {
    auto& state = all.by_name[name];
    state.kind = pieces.kind;
    for (const auto& [from, copy] : pieces.copies) {
      auto whole = joined(from, copy);
      if (!whole) return std::move(whole).failure().within("state \"" + name + "\"");
      state.copies.push_back(*std::move(whole));
    }
  }
  return all;
}

std::optional<std::string> difference_of_copies(
    const std::string& operator_name, const std::string& state,
    const std::map<subtask_index, std::uint64_t>& digests) {
  std::vector<std::pair<std::uint64_t, std::vector<std::uint32_t>>> groups;
  for (const auto& copy : digests) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& known) { return known.first == copy.second; });
    if (group == groups.end()) group = groups.insert(groups.end(), {copy.second, {}});
    group->second.push_back(copy.first.value);
  }
  if (groups.size() < 2) return std::nullopt;
  return "operator \"" + operator_name + "\": broadcast state \"" + state + "\" differs between " +
         listed(groups[0].second) + " and " + listed(groups[1].second) +
         (groups.size() > 2 ? ", and others" : "") +
         ": its updates must not depend on the order in which they come";
}

}  // namespace weir::state
