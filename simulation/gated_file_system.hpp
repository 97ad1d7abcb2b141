// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/file_system.hpp"

namespace weir::simulation {

/// A file system that asks before every operation, of its files too, whether it may take place;
/// what is refused has no effect. With `kernel::disk_gate` every operation is a point at which a
/// crash may strike, and a process that is dead, or about to be, changes nothing on the disk, not
/// even through files it had open. Used in the kernel's thread.
class gated_file_system final : public file_system {
 public:
  /// Called with the name of the operation ("append", "rename", ...) before it; an error is the
  /// operation's error.
  using gate = std::function<status(std::string_view operation)>;

  /// @pre `files` outlives this
  gated_file_system(file_system& files, gate may_pass);

  result<std::unique_ptr<writable_file>> create(const std::string& path) override;
  result<std::unique_ptr<readable_file>> open(const std::string& path) override;
  status link(const std::string& from, const std::string& to) override;
  status rename(const std::string& from, const std::string& to) override;
  status rename_new(const std::string& from, const std::string& to) override;
  status remove(const std::string& path) override;
  status remove_folder(const std::string& path) override;
  status create_folders(const std::string& path) override;
  result<std::vector<std::string>> list(const std::string& path) override;
  result<bool> exists(const std::string& path) override;
  result<bool> is_folder(const std::string& path) override;
  status sync_folder(const std::string& path) override;

 private:
  file_system& files_;
  std::shared_ptr<const gate> may_pass_;
};

}  // namespace weir::simulation
