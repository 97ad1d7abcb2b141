// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <variant>

#include "weir/actors/internal/actor_messages.hpp"

namespace weir::actors::internal {
namespace {

std::string text_of(const dataflow::control& c) {
  switch (c.kind()) {
    case dataflow::control_kind::watermark: return "watermark " + std::to_string(c.time().ms);
    case dataflow::control_kind::idle: return "idle";
    case dataflow::control_kind::active: return "active";
    case dataflow::control_kind::barrier: return "barrier " + std::to_string(c.checkpoint().value);
    case dataflow::control_kind::end_of_input: return "end";
    case dataflow::control_kind::input_ended: return "end of input " + std::to_string(c.port());
    case dataflow::control_kind::custom:
      return "custom " + std::to_string(c.number()) + " = " + std::to_string(c.value());
  }
  return "?";
}

std::string text_of(const channel_message& m) {
  return "channel " + std::to_string(m.channel) + " #" + std::to_string(m.sequence) + " " +
         (m.data ? std::to_string(m.data->rows()) + " rows" : text_of(m.signal));
}

std::string text_of(const subtask_command& command) {
  if (const auto* c = std::get_if<trigger_command>(&command)) {
    return "trigger " + std::to_string(c->id.value);
  }
  if (const auto* c = std::get_if<completed_command>(&command)) {
    return "completed " + std::to_string(c->id.value);
  }
  if (const auto* c = std::get_if<aborted_command>(&command)) {
    return "aborted " + std::to_string(c->id.value);
  }
  if (const auto* c = std::get_if<split_command>(&command)) {
    return c->split ? "split " + std::to_string(c->split->number) : "no more splits";
  }
  if (const auto* c = std::get_if<alignment_command>(&command)) {
    return "may read to " + std::to_string(c->allowed.ms);
  }
  return "start";
}

std::string text_of(const subtask_report& report) {
  if (std::holds_alternative<subtask_ready>(report)) return "ready";
  if (const auto* r = std::get_if<subtask_failed>(&report)) return "failed: " + r->cause.message();
  if (std::holds_alternative<subtask_ended>(report)) return "ended";
  if (std::holds_alternative<split_request>(report)) return "asks for a split";
  if (const auto* r = std::get_if<alignment_report>(&report)) {
    return "is at " + std::to_string(r->watermark.ms);
  }
  if (const auto* r = std::get_if<snapshot_written>(&report)) {
    return "snapshot " + std::to_string(r->id.value);
  }
  if (const auto* r = std::get_if<snapshot_failed>(&report)) {
    return "no snapshot " + std::to_string(r->id.value) + ": " + r->reason;
  }
  if (const auto* r = std::get_if<commits_done>(&report)) {
    return "committed " + std::to_string(r->id.value);
  }
  return "?";
}

std::string text_of(const dataflow::timer_actions& actions) {
  std::string text;
  for (const auto& answer : actions.answers) {
    if (answer.chunk) answer.chunk->append_text(text);
  }
  if (actions.snapshot) text += " snapshot " + std::to_string(actions.snapshot->id.value);
  return text.empty() ? "no signal" : text;
}

}  // namespace

std::string describe(const caf::type_erased_tuple& content) {
  if (content.size() != 1) return {};
  if (content.match_element<channel_message>(0)) {
    return text_of(content.get_as<channel_message>(0));
  }
  if (content.match_element<subtask_command>(0)) {
    return text_of(content.get_as<subtask_command>(0));
  }
  if (content.match_element<report_message>(0)) {
    const auto& m = content.get_as<report_message>(0);
    return std::to_string(m.from.task) + "/" + std::to_string(m.from.index.value) + " " +
           text_of(m.what);
  }
  if (content.match_element<credit_message>(0)) {
    return "credit " + std::to_string(content.get_as<credit_message>(0).batches);
  }
  if (content.match_element<boxed<dataflow::timer_actions>>(0)) {
    return text_of(*content.get_as<boxed<dataflow::timer_actions>>(0).content);
  }
  return {};
}

}  // namespace weir::actors::internal
