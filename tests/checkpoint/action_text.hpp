// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "weir/checkpoint/coordinator_action.hpp"

namespace weir::checkpoint {

/// Writes actions as a test's table has them: "record 1, trigger 1 at 0.0 1.0".
class action_text {
 public:
  std::string operator()(const record_id& a) const { return "record " + text(a.id); }
  std::string operator()(const trigger_checkpoint& a) const {
    auto out = "trigger " + text(a.id) + " at";
    for (const auto& target : a.targets) {
      out += " " + std::to_string(target.task) + "." + std::to_string(target.index.value);
    }
    return out;
  }
  std::string operator()(const publish_manifest& a) const {
    return "publish " + text(a.content.id) + (a.content.finished ? " finished" : "");
  }
  std::string operator()(const notify_complete& a) const { return "complete " + text(a.id); }
  std::string operator()(const notify_aborted& a) const { return "aborted " + text(a.id); }
  std::string operator()(const discard_files& a) const { return "discard " + text(a.id); }
  std::string operator()(const retain_checkpoints& a) const {
    return "retain " + std::to_string(a.count);
  }
  std::string operator()(const fail_job& a) const { return "fail: " + a.reason; }
  std::string operator()(const withdraw& a) const { return "withdraw: " + a.reason; }
  std::string operator()(const end_job& a) const { return "end " + text(a.id); }

  static std::string all(const coordinator_actions& actions) {
    std::string out;
    for (const auto& action : actions) {
      out += (out.empty() ? "" : ", ") + std::visit(action_text{}, action);
    }
    return out;
  }

 private:
  static std::string text(checkpoint_id id) { return std::to_string(id.value); }
};

}  // namespace weir::checkpoint
