// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/two_input_operator.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/chain.hpp"

#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using testing::batch_of;
using testing::recorder;
using texts = std::vector<std::string>;

constexpr std::size_t plenty = 1'000'000;

/// Emits what it gets: numbers of the first input as they are, texts of the second one with a
/// star. Stops between records when its output is full.
class tagging final : public two_input_operator<int, std::string> {
 public:
  tagging() { add_output(out); }

  std::size_t not_yet = 0;  ///< how often the next control element is refused
  collector<std::string> out;

 private:
  status on_first_batch() override {
    return each(first(), [](int x) { return std::to_string(x); });
  }
  status on_second_batch() override {
    return each(second(), [](const std::string& x) { return '*' + x; });
  }
  result<handled> on_control(control c) override {
    if (not_yet > 0) return --not_yet, handled::not_yet;
    return c.kind() == control_kind::idle ? handled::ends_here : handled::pass_on;
  }
  result<handled> on_input_ended(std::size_t port) override {
    out.collect("end " + std::to_string(port));
    return handled::ends_here;
  }

  template <class Queue, class Text>
  status each(Queue& queue, const Text& text) {
    auto& data = queue.front().data;
    while (cursor_ < data->rows()) {
      out.collect(text(data->values()[cursor_++]));
      if (!outputs_have_room()) break;
    }
    if (cursor_ < data->rows()) return {};
    cursor_ = 0;
    queue.pop_data();
    return {};
  }

  std::size_t cursor_ = 0;
};

/// The operator with a recorder behind it.
struct fixture {
  explicit fixture(std::size_t rows = 1024) {
    auto made = std::make_unique<tagging>();
    op = made.get();
    it.add(std::move(made));
    it.add(std::make_unique<recorder<std::string>>(seen, open));
    REQUIRE(it.connect(0, 0, 1).ok());
    it.seal([this](operator_base&, checkpoint_id) { ++frozen; });
    operator_environment environment;
    environment.limits.rows = rows;
    for (std::size_t i = 0; i < it.size(); ++i) REQUIRE(it.at(i).open(environment).ok());
  }

  void first(const std::vector<int>& values) { op->input(0).push_erased(batch_of(values)); }
  void second(const std::vector<std::string>& values) {
    auto data = batch<std::string>::make(values.size());
    for (const auto& value : values) data->append(value, event_time::min());
    data->account();
    op->input(1).push_erased(erased_batch{data.release()});
  }
  const texts& run(std::size_t steps = plenty) {
    REQUIRE(it.run(steps).ok());
    return seen;
  }
  const texts& flush() {
    REQUIRE(it.flush(plenty).ok());
    return seen;
  }

  chain it;
  tagging* op;
  bool open = true;
  int frozen = 0;
  texts seen;
};

TEST_CASE("batches of two inputs are taken in turn", "[two_input_operator]") {
  fixture f;
  f.first({1, 2});
  f.first({3});
  f.second({"a"});
  f.second({"b", "c"});
  f.run();
  CHECK(f.flush() == texts{"1", "2", "*a", "3", "*b", "*c"});
  f.second({"d"});
  f.second({"e"});
  f.first({4});
  f.run();
  CHECK(f.flush() == texts{"1", "2", "*a", "3", "*b", "*c", "4", "*d", "*e"});
}

TEST_CASE("a batch that was begun is finished before the other input gets its turn",
          "[two_input_operator]") {
  fixture f{1};
  f.open = false;
  f.first({1, 2, 3, 4});
  f.run();
  CHECK(f.op->input(0).finished() == 0);
  f.second({"a"});
  f.open = true;
  f.run();
  CHECK(f.flush() == texts{"1", "2", "3", "4", "*a"});
}

TEST_CASE("a control element comes behind the data of both inputs, and before what follows",
          "[two_input_operator]") {
  fixture f;
  f.first({1});
  f.first({2});
  f.second({"a"});
  f.it.admit(control::watermark(at(5)));
  f.first({3});
  f.second({"b"});
  f.run();
  CHECK(f.flush() == texts{"1", "*a", "2", "watermark 5", "*b", "3"});
  CHECK(f.it.quiet());
}

TEST_CASE("a control element passes although one input never had data", "[two_input_operator]") {
  fixture f;
  f.second({"a"});
  f.it.admit(control::barrier({7}));
  CHECK(f.run() == texts{"*a", "barrier 7"});
  CHECK(f.frozen == 2);
  CHECK(f.it.quiet());
}

TEST_CASE("data of the second input keeps a chain from being quiet", "[two_input_operator]") {
  fixture f;
  CHECK(f.it.quiet());
  f.second({"a"});
  CHECK_FALSE(f.it.quiet());
  f.run();
  CHECK(f.it.quiet());
}

TEST_CASE("a control element that is not handled at once is handled again",
          "[two_input_operator]") {
  fixture f;
  f.op->not_yet = 3;
  f.it.admit(control::watermark(at(5)));
  f.run(3);
  CHECK(f.seen.empty());
  CHECK_FALSE(f.it.no_control_inside());
  CHECK(f.run() == texts{"watermark 5"});
  CHECK(f.it.no_control_inside());
}

TEST_CASE("the end of one input is told behind its data and goes no further",
          "[two_input_operator]") {
  fixture f;
  f.first({1});
  f.second({"a"});
  f.it.admit(control::input_ended(1));
  f.run();
  CHECK(f.it.no_control_inside());
  f.first({2});
  f.run();
  f.it.admit(control::input_ended(0));
  f.run();
  f.it.admit(control::end_of_input());
  CHECK(f.run() == texts{"1", "*a", "end 1", "2", "end 0", "end of input"});
}

TEST_CASE("a control element that ends at a two-input operator leaves the chain",
          "[two_input_operator]") {
  fixture f;
  f.it.admit(control::idle());
  CHECK(f.run().empty());
  CHECK(f.it.quiet());
}

TEST_CASE("a custom watermark goes on without the port at which it came", "[two_input_operator]") {
  fixture f;
  f.it.admit(control::custom(3, -9, 1));
  CHECK(f.run() == texts{"custom 3 = -9"});
  CHECK(control::custom(3, -9, 1) != control::custom(3, -9, 0));
}

}  // namespace
}  // namespace weir::dataflow
