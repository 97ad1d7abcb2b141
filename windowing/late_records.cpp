// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/late_records.hpp"

namespace weir::windowing {

error no_timestamp() {
  return {errc::invalid_argument,
          "a record without a timestamp came to windows that go by event time; call "
          "assign_timestamps_and_watermarks(...) before the windows"};
}

}  // namespace weir::windowing
