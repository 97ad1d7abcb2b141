// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/one_input_operator.hpp"
#include "weir/testing/output_log.hpp"

namespace weir::testing {

/// The end of a chain that writes down what comes, "3", "watermark 9", "barrier 1", while it is
/// open.
template <class T>
class recorder final : public dataflow::one_input_operator<T> {
 public:
  recorder(std::vector<std::string>& to, const bool& open) : to_{&to}, open_{&open} {}

  bool has_work() const override { return *open_ && !this->in().empty(); }

 private:
  status on_batch() override {
    const auto data = this->in().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) {
      std::string text;
      print_value(text, data->values()[i]);
      to_->push_back(std::move(text));
    }
    return {};
  }

  using handled = typename dataflow::one_input_operator<T>::handled;

  result<handled> on_control(dataflow::control c) override {
    to_->push_back(describe(c));
    return handled::pass_on;
  }

  std::vector<std::string>* to_;
  const bool* open_;
};

/// An operator that does what it is told with each record.
template <class T, class R>
class scripted final : public dataflow::one_input_operator<T> {
 public:
  using function = std::function<void(const T&, scripted&)>;

  explicit scripted(function f) : function_{std::move(f)} { this->add_output(out); }

  event_time record_time() const override { return time_; }

  dataflow::collector<R> out;

 private:
  status on_batch() override {
    const auto data = this->in().pop_data();
    for (std::size_t i = 0; i < data->rows(); ++i) {
      time_ = data->times()[i];
      function_(data->values()[i], *this);
    }
    return {};
  }

  function function_;
  event_time time_ = event_time::min();
};

/// A batch of these records, with their values as times.
inline dataflow::erased_batch batch_of(const std::vector<int>& values) {
  auto data = dataflow::batch<int>::make(values.size());
  for (const int value : values) data->append(value, at(value));
  data->account();
  return dataflow::erased_batch{data.release()};
}

}  // namespace weir::testing
