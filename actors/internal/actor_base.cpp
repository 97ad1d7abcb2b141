// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/actor_base.hpp"

#include <exception>
#include <utility>

#include "weir/actors/internal/actor_messages.hpp"
#include "weir/actors/internal/caf_error.hpp"

namespace weir::actors::internal {
namespace {

std::string types_of(const caf::actor_system& system, const caf::type_erased_tuple& content) {
  std::string text = "(";
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (i > 0) text += ", ";
    text += system.types().portable_name(content.type(i));
  }
  return text + ")";
}

}  // namespace

actor_base::actor_base(caf::actor_config& config, std::string actor_name)
    : caf::event_based_actor{config}, name_{std::move(actor_name)} {
  set_exception_handler([this](std::exception_ptr& thrown) -> caf::error {
    return to_caf(from_exception(thrown).within(name_));
  });
  set_default_handler(
      [this](caf::scheduled_actor*, caf::message_view& view) -> caf::result<caf::message> {
        on_unexpected_message(types_of(system(), view.content()));
        // "Delegated" means: no answer. An error as the answer would end the sender as well.
        return caf::delegated<caf::message>{};
      });
  set_down_handler([this](caf::down_msg& down) { on_down(down); });
}

void actor_base::run_on(io_executor& io, std::uint64_t lane,
                        std::function<std::function<void()>()> work) {
  io.submit(lane, [self = caf::actor_cast<caf::actor>(this), work = std::move(work)] {
    caf::anon_send(self, io_done{work()});
  });
}

void actor_base::fail(const error& failure) { quit(to_caf(failure)); }

void actor_base::on_unexpected_message(const std::string& types) {
  fail(error{errc::invalid_argument, name_ + ": no handler for a message of type " + types});
}

void actor_base::on_down(const caf::down_msg&) {}

void kill(caf::event_based_actor* self, const caf::actor& target) {
  self->send<caf::message_priority::high>(target,
                                          caf::exit_msg{self->address(), caf::exit_reason::kill});
}

}  // namespace weir::actors::internal
