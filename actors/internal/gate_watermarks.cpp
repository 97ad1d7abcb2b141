// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/gate_watermarks.hpp"

#include <algorithm>

#include "weir/core/bytes.hpp"

namespace weir::actors::internal {

void gate_watermarks::lower_to(const gate_watermarks& other) {
  combined = std::min(combined, other.combined);
  if (ports.size() != other.ports.size()) {
    ports.clear();  // its operator had one input then: `combined` is what is known
    return;
  }
  for (std::size_t i = 0; i < ports.size(); ++i) ports[i] = std::min(ports[i], other.ports[i]);
}

std::string gate_watermarks::encoded() const {
  std::string bytes;
  byte_writer out{bytes};
  out.fixed(combined.ms);
  for (const auto port : ports) out.fixed(port.ms);
  return bytes;
}

result<gate_watermarks> gate_watermarks::decoded(std::string_view bytes) {
  gate_watermarks stored;
  byte_reader in{bytes};
  stored.combined = {in.fixed<std::int64_t>()};
  while (!in.failed() && in.remaining() > 0) stored.ports.push_back({in.fixed<std::int64_t>()});
  if (in.failed()) {
    return error{errc::corrupt, "the watermarks of an input are " + std::to_string(bytes.size()) +
                                    " bytes, not 8 for each"};
  }
  return stored;
}

}  // namespace weir::actors::internal
