// SPDX-License-Identifier: Apache-2.0
#include "examples/support/job_arguments.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <type_traits>

#include "examples/support/kill_point.hpp"

namespace example {
namespace {

weir::error refused(std::string text) { return {weir::errc::invalid_argument, std::move(text)}; }

/// Reads words one after the other into arguments.
class parser {
 public:
  parser(const std::vector<std::string>& words, input_kind kind) : words_{words}, kind_{kind} {}

  weir::result<job_arguments> parse() {
    while (at_ < words_.size()) {
      if (auto taken = take_option(); !taken) return std::move(taken).failure();
    }
    if (parsed_.help) return std::move(parsed_);
    if (kind_ == input_kind::files && parsed_.input.empty()) return refused("--input needs files");
    return std::move(parsed_);
  }

 private:
  weir::status take_option() {
    const auto& word = words_[at_++];
    const auto equals = word.find('=');
    name_ = word.substr(0, equals);
    value_.reset();
    if (equals != std::string::npos) value_ = word.substr(equals + 1);
    if (name_ == "--events" && kind_ == input_kind::events) {
      parsed_.events_given = true;
      return take_number(parsed_.events, 1);
    }
    if (name_ == "--input" && kind_ == input_kind::files) return take_files();
    if (name_ == "--folder") return take_text(parsed_.folder);
    if (name_ == "--kill-at") return take_kill_point();
    if (name_ == "--checkpoint-interval") return take_number(parsed_.checkpoint_interval_ms, 1);
    if (name_ == "--parallelism") return take_number(parsed_.parallelism, 0);
    if (name_ == "--runs") return take_number(parsed_.runs, 1);
    if (name_ == "--seed") return take_number(parsed_.seed, 0);
    if (name_ == "--on-damaged-checkpoint") return take_policy();
    for (const auto& [flag, target] : {std::pair{"--fresh", &parsed_.fresh},
                                       {"--explain", &parsed_.explain},
                                       {"--help", &parsed_.help},
                                       {"--job", &parsed_.as_job}}) {
      if (name_ != flag) continue;
      if (value_) return refused(name_ + " takes no value");
      *target = true;
      return {};
    }
    return refused("unknown option " + name_ + " (see --help)");
  }

  std::optional<std::string> take_value() {
    if (value_) return value_;
    if (at_ == words_.size() || words_[at_].starts_with("--")) return std::nullopt;
    return words_[at_++];
  }

  weir::status take_text(std::string& target) {
    const auto value = take_value();
    if (!value || value->empty()) return refused(name_ + " needs a value");
    target = *value;
    return {};
  }

  weir::status take_kill_point() {
    if (auto taken = take_text(parsed_.kill_at); !taken) return taken;
    auto point = parse_kill_point(parsed_.kill_at);
    return point ? weir::status{} : std::move(point).failure().within(name_);
  }

  template <class Number>
  weir::status take_number(Number& target, std::type_identity_t<Number> least) {
    const auto value = take_value();
    if (!value) return refused(name_ + " needs a number");
    const auto* const end = value->data() + value->size();
    const auto [at, outcome] = std::from_chars(value->data(), end, target);
    if (outcome != std::errc{} || at != end || target < least) {
      return refused(name_ + " needs a number from " + std::to_string(least) + " on, not \"" +
                     *value + "\"");
    }
    return {};
  }

  weir::status take_files() {
    while (const auto file = take_value()) {
      parsed_.input.push_back(*file);
      value_.reset();
    }
    return parsed_.input.empty() ? refused("--input needs files") : weir::status{};
  }

  weir::status take_policy() {
    const auto value = take_value().value_or("");
    if (value != "previous" && value != "stop") {
      return refused(name_ + " needs \"stop\" or \"previous\"");
    }
    parsed_.previous_if_damaged = value == "previous";
    return {};
  }

  const std::vector<std::string>& words_;
  input_kind kind_;
  std::size_t at_ = 0;
  std::string name_;
  std::optional<std::string> value_;
  job_arguments parsed_;
};

}  // namespace

void job_arguments::apply_to(weir::environment& described) const {
  described.parallelism(parallelism)
      .checkpoint_every(weir::duration{checkpoint_interval_ms}, checkpoint_folder());
  auto& options = described.options();
  if (fresh) options.start = weir::dataflow::start_mode::fresh;
  // With two of them, a damaged one is no catastrophe.
  options.retained_checkpoints = 2;
  if (previous_if_damaged) options.on_damaged = weir::dataflow::damaged_checkpoint::previous;
}

std::vector<std::string> job_arguments::command_line(const std::string& program) const {
  std::vector<std::string> words{program,
                                 "--job",
                                 "--folder",
                                 folder,
                                 "--checkpoint-interval",
                                 std::to_string(checkpoint_interval_ms),
                                 "--parallelism",
                                 std::to_string(parallelism)};
  if (fresh) words.emplace_back("--fresh");
  if (previous_if_damaged) words.emplace_back("--on-damaged-checkpoint=previous");
  if (input.empty()) {
    words.insert(words.end(), {"--events", std::to_string(events)});
  } else {
    words.emplace_back("--input");
    words.insert(words.end(), input.begin(), input.end());
  }
  return words;
}

weir::result<job_arguments> parse_arguments(const std::vector<std::string>& words,
                                            input_kind kind) {
  return parser{words, kind}.parse();
}

std::string usage(const std::string& program, input_kind kind) {
  return "usage: " + program + " [option...]\n" +
         (kind == input_kind::events
              ? "  --events N                 how many events to make (3000000)\n"
              : "  --input FILE...            the files to read\n") +
         "  --folder DIR               where checkpoints and output go (a new folder)\n"
         "  --checkpoint-interval MS   time between checkpoints (100)\n"
         "  --parallelism N            subtasks of each operator (2)\n"
         "  --fresh                    refuse a folder that holds a checkpoint\n"
         "  --on-damaged-checkpoint P  stop, or take the previous one (stop)\n"
         "  --explain                  print the plan and stop\n"
         "  --runs N                   run, kill and check so often (1)\n"
         "  --seed N                   chooses where several runs are killed (1)\n";
}

}  // namespace example
