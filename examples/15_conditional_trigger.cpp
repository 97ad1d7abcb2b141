// SPDX-License-Identifier: Apache-2.0
// A condition on the element: what a shopper has put into the basket is emitted at the checkout.
#include <iostream>
#include <span>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/windowing/windows.hpp"

struct action {
  std::string shopper;
  std::string item;
  bool checkout;
};

struct basket {
  void process_record(const std::string& shopper, const weir::global_window&,
                      std::span<const action> all, weir::collector<std::string>& out) const {
    std::string items;
    for (const auto& a : all)
      if (!a.checkout) items += " " + a.item;
    out.collect(shopper + ":" + items);
  }
};

int main() {
  weir::environment env{"conditional trigger"};
  env.from_collection<action>({{"ann", "tea", false},
                               {"bob", "milk", false},
                               {"ann", "cup", false},
                               {"ann", "", true},
                               {"ann", "pot", false},
                               {"bob", "", true},
                               {"ann", "", true}})
      .key_by(&action::shopper)
      .window(weir::global_windows())
      .trigger(weir::purging(weir::when(&action::checkout)))
      .process(basket{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
