// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/channel_operator.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/dataflow/chain.hpp"

#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using testing::describe;
using texts = std::vector<std::string>;

/// What each receiver got.
template <class T>
class receivers final : public channel_sender {
 public:
  explicit receivers(std::size_t count) : rows(count), batches(count), seen(count) {}

  void send_data(std::uint32_t channel, erased_batch data) override {
    const batch_reference<batch<T>> b{static_cast<batch<T>*>(data.release())};
    for (std::size_t i = 0; i < b->rows(); ++i) {
      rows[channel].push_back(b->values()[i]);
      std::string text;
      print_value(text, b->values()[i]);
      seen[channel].push_back(std::move(text));
    }
    batches[channel].push_back(b);
  }
  void send_control(std::uint32_t channel, control c) override {
    seen[channel].push_back(describe(c));
  }

  std::vector<std::vector<T>> rows;
  std::vector<std::vector<batch_reference<batch<T>>>> batches;
  std::vector<texts> seen;  ///< records and control elements in order
};

/// A chain of a channel operator alone.
template <class T>
struct channel_end {
  channel_end(partitioning how, std::uint32_t channels, std::uint32_t credit = 1'000,
              batch_limits limits = {})
      : to{channels} {
    auto op = std::make_unique<channel_operator<T>>(how, hasher(), max_parallelism);
    port = op.get();
    it.add(std::move(op));
    it.seal([](operator_base&, checkpoint_id) {});
    operator_environment environment;
    environment.limits = limits;
    REQUIRE(it.head().open(environment).ok());
    port->bind(to, channels);
    for (std::uint32_t i = 0; i < channels; ++i) port->add_credit(i, credit);
  }

  static batch_hasher<T> hasher() {
    return [](batch<T>& data) {
      for (std::size_t i = 0; i < data.rows(); ++i) {
        data.hash_column()[i] = stable_hash(data.values()[i]);
      }
      data.mark_hashed();
    };
  }

  void push(const std::vector<T>& values) {
    auto data = batch<T>::make(values.size());
    for (const auto& value : values) data->append(value, at(static_cast<std::int64_t>(pushed++)));
    data->account();
    push(erased_batch{data.release()});
  }
  void push(erased_batch data) {
    it.head().input(0).push_erased(std::move(data));
    REQUIRE(it.run(1'000).ok());
  }
  void admit(control c) {
    it.admit(c);
    REQUIRE(it.run(1'000).ok());
  }

  static constexpr std::uint32_t max_parallelism = 128;

  receivers<T> to;
  chain it;
  channel_operator<T>* port = nullptr;
  std::size_t pushed = 0;
};

std::vector<int> numbers(int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

TEST_CASE("a record goes to the owner of its key's group, with its hash and time",
          "[channel_operator]") {
  channel_end<int> end{partitioning::hash, 3};
  end.push(numbers(500));
  end.port->flush();
  std::size_t rows = 0;
  for (std::uint32_t channel = 0; channel < 3; ++channel) {
    CHECK(end.to.rows[channel].size() > 50);
    for (const auto& data : end.to.batches[channel]) {
      REQUIRE(data->hashes() != nullptr);
      for (std::size_t i = 0; i < data->rows(); ++i) {
        const int value = data->values()[i];
        const auto group = key_group_of(stable_hash(value), 128);
        REQUIRE(data->hashes()[i] == stable_hash(value));
        REQUIRE(owner_of(group, 3, 128).value == channel);
        REQUIRE(data->times()[i] == at(value));
        ++rows;
      }
    }
  }
  CHECK(rows == 500);
}

TEST_CASE("records of one key stay in order", "[channel_operator]") {
  channel_end<std::pair<int, int>> end{partitioning::hash, 4};
  auto by_first = [](batch<std::pair<int, int>>& data) {
    for (std::size_t i = 0; i < data.rows(); ++i) {
      data.hash_column()[i] = stable_hash(data.values()[i].first);
    }
    data.mark_hashed();
  };
  int next = 0;
  for (int round = 0; round < 50; ++round) {
    auto data = batch<std::pair<int, int>>::make(100);
    for (int i = 0; i < 100; ++i, ++next) data->append({next % 7, next}, at(0));
    by_first(*data);
    end.push(erased_batch{data.release()});
  }
  end.port->flush();
  std::vector<int> last(7, -1);
  std::size_t rows = 0;
  for (const auto& channel : end.to.rows) {
    for (const auto& [key, number] : channel) {
      REQUIRE(number > last[static_cast<std::size_t>(key)]);
      last[static_cast<std::size_t>(key)] = number;
      ++rows;
    }
  }
  CHECK(rows == 5'000);
}

TEST_CASE("hashes that are there are used, not computed again", "[channel_operator]") {
  channel_end<int> end{partitioning::hash, 2};
  auto data = batch<int>::make(4);
  data->append(1, at(0));
  data->append(2, at(0));
  data->hash_column()[0] = 0;
  data->hash_column()[1] = ~std::uint64_t{0};
  data->mark_hashed();
  end.push(erased_batch{data.release()});
  end.port->flush();
  CHECK(end.to.rows[0] == std::vector<int>{1});
  CHECK(end.to.rows[1] == std::vector<int>{2});
}

TEST_CASE("partitioning leaves a batch that others hold as it is", "[channel_operator]") {
  const auto channels = static_cast<std::uint32_t>(GENERATE(1, 2));
  channel_end<std::string> end{partitioning::hash, channels};
  auto data = batch<std::string>::make(4);
  data->append("one", at(0));
  data->append("a string that is too long to be kept in place", at(0));
  const auto kept = data;
  end.push(erased_batch{data.release()});
  end.port->flush();
  CHECK(kept->values()[0] == "one");
  CHECK(kept->values()[1] == "a string that is too long to be kept in place");
  CHECK(kept->hashes() == nullptr);
}

TEST_CASE("a single receiver by hash gets whole batches, hashed", "[channel_operator]") {
  channel_end<int> end{partitioning::hash, 1};
  end.push(numbers(10));
  REQUIRE(end.to.batches[0].size() == 1);
  CHECK(end.to.batches[0][0]->rows() == 10);
  CHECK(end.to.batches[0][0]->hashes()[3] == stable_hash(3));
}

TEST_CASE("batches are rebalanced in turn", "[channel_operator]") {
  channel_end<int> end{partitioning::rebalance, 3};
  for (int i = 0; i < 7; ++i) end.push({i});
  CHECK(end.to.rows[0] == std::vector<int>{0, 3, 6});
  CHECK(end.to.rows[1] == std::vector<int>{1, 4});
  CHECK(end.to.rows[2] == std::vector<int>{2, 5});
}

TEST_CASE("a broadcast batch goes to all, without a copy", "[channel_operator]") {
  channel_end<int> end{partitioning::broadcast, 3};
  end.push({1, 2});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(end.to.rows[i] == std::vector<int>{1, 2});
    CHECK(end.to.batches[i][0].get() == end.to.batches[0][0].get());
  }
}

TEST_CASE("global partitioning sends all records to the first, control elements to all",
          "[channel_operator]") {
  channel_end<int> end{partitioning::global, 2};
  end.push({1, 2});
  end.push({3});
  end.admit(control::watermark(at(5)));
  CHECK(end.to.seen[0] == texts{"1", "2", "3", "watermark 5"});
  CHECK(end.to.seen[1] == texts{"watermark 5"});
}

TEST_CASE("control elements come behind the records before them, on every channel",
          "[channel_operator]") {
  channel_end<int> end{partitioning::hash, 2};
  end.push(numbers(20));
  CHECK(end.it.head().has_partial());
  end.admit(control::watermark(at(7)));
  CHECK_FALSE(end.it.head().has_partial());
  end.push(numbers(5));
  end.admit(control::barrier({1}));
  end.admit(control::end_of_input());
  CHECK(end.it.no_control_inside());
  std::size_t before = 0;
  for (const auto& seen : end.to.seen) {
    REQUIRE(seen.size() >= 3);
    CHECK(seen.back() == "end of input");
    CHECK(seen[seen.size() - 2] == "barrier 1");
    for (const auto& text : seen) {
      if (text == "watermark 7") break;
      ++before;
    }
  }
  CHECK(before == 20);
}

TEST_CASE("flushing ships what is partial, and says whether there was anything",
          "[channel_operator]") {
  channel_end<int> end{partitioning::hash, 2};
  CHECK_FALSE(end.port->flush());
  end.push(numbers(10));
  CHECK(end.to.rows[0].empty());
  CHECK(end.port->flush());
  CHECK(end.to.rows[0].size() + end.to.rows[1].size() == 10);
  CHECK_FALSE(end.port->flush());
}

TEST_CASE("full batches are shipped by themselves", "[channel_operator]") {
  channel_end<int> end{partitioning::hash, 2, 1'000, {4, 1024}};
  for (int i = 0; i < 10; ++i) end.push(numbers(4));
  for (const auto& batches : end.to.batches) {
    REQUIRE_FALSE(batches.empty());
    for (const auto& data : batches) CHECK(data->rows() == 4);
  }
}

TEST_CASE("long strings bound the batches of a channel", "[channel_operator]") {
  channel_end<std::string> end{partitioning::hash, 2};
  for (int i = 0; i < 40; ++i) {
    std::vector<std::string> values;
    for (int k = 0; k < 10; ++k)
      values.push_back(std::to_string(10 * i + k) + std::string(1'000, 'x'));
    end.push(values);
  }
  end.port->flush();
  std::size_t rows = 0;
  for (const auto& batches : end.to.batches) {
    CHECK(batches.size() >= 2);
    CHECK(batches.size() <= 5);
    for (const auto& data : batches) {
      CHECK(data->bytes() <= 64 * 1024 + 4'096);
      rows += data->rows();
    }
  }
  CHECK(rows == 400);
}

TEST_CASE("without credit batches wait, and then the chain does", "[channel_operator]") {
  channel_end<int> end{partitioning::rebalance, 2, 0};
  for (int i = 0; i < 6; ++i) end.push({i});
  CHECK(end.to.rows[0].empty());
  CHECK_FALSE(end.port->drained());
  CHECK_FALSE(end.it.head().runnable());
  CHECK(end.it.bytes().now > 0);
  end.port->add_credit(0, 10);
  REQUIRE(end.it.run(100).ok());
  CHECK(end.to.rows[0] == std::vector<int>{0, 2});
  CHECK_FALSE(end.it.head().runnable());  // the second receiver's queue is full
  end.port->add_credit(1, 10);
  REQUIRE(end.it.run(100).ok());
  CHECK(end.to.rows[0] == std::vector<int>{0, 2, 4});
  CHECK(end.to.rows[1] == std::vector<int>{1, 3, 5});
  CHECK(end.port->drained());
  CHECK(end.it.bytes().now == 0);
}

TEST_CASE("one receiver's control elements do not wait for another's credit",
          "[channel_operator]") {
  channel_end<int> end{partitioning::rebalance, 2, 0};
  end.port->add_credit(1, 5);
  end.push({1});
  end.admit(control::watermark(at(5)));
  CHECK(end.it.no_control_inside());
  CHECK(end.to.seen[0].empty());
  CHECK(end.to.seen[1] == texts{"watermark 5"});
  end.admit(control::barrier({1}));
  CHECK(end.to.seen[1] == texts{"watermark 5", "barrier 1"});
  CHECK(end.to.seen[0].empty());  // behind the batch
}

}  // namespace
}  // namespace weir::dataflow
