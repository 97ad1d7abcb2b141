// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/file_sink.hpp"

#include "weir/core/codec.hpp"

namespace weir::connectors {

dataflow::committables encode_pending_files(const std::vector<pending_file>& files) {
  dataflow::committables stored;
  for (const auto& file : files) stored.push_back(encode(file));
  return stored;
}

result<std::vector<pending_file>> decode_pending_files(const dataflow::committables& stored) {
  std::vector<pending_file> files;
  for (const auto& bytes : stored) {
    auto file = decode<pending_file>(bytes);
    if (!file) return std::move(file).failure().within("a file that waits to be committed");
    files.push_back(*std::move(file));
  }
  return files;
}

}  // namespace weir::connectors
