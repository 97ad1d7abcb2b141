// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/checkpoint/manifest.hpp"
#include "weir/core/file_system.hpp"

namespace weir::checkpoint::internal {

/// One numbered record as it was found.
struct log_entry {
  std::uint64_t number = 0;
  std::variant<epoch_id, manifest, error> content;  ///< an error: it is damaged, and names the file
};

/// What became of a record that was to get the next number.
enum class link_outcome {
  published,  ///< it is durable, and was the newest record after it had got its number
  taken,      ///< that number was taken, or a higher one: nothing was published
  overtaken,  ///< it has the number, but there are higher ones: the coordinator must not go on
};

/// The folder of numbered records with which coordinators fence each other. A number is taken by
/// `link`, so by one coordinator only. Owned by one thread at a time. Blocks.
///
/// A coordinator knows the highest number h when it takes h + 1 for its epoch, and all records from
/// there on are its own until another coordinator's epoch comes after them. So the number after a
/// stale coordinator's last one is a newer epoch's, and while that record is kept, whatever the
/// stale one wants to publish finds its number taken.
class record_log {
 public:
  /// `owner` is in the names of temporary files: no other process has the same.
  /// @pre files outlives the log
  record_log(file_system& files, std::string folder, std::string owner)
      : files_{&files}, folder_{std::move(folder)}, owner_{std::move(owner)} {}

  /// All records, ascending. The next one that is published gets a number above them and above
  /// `floor`.
  /// Errors: io_error. A damaged record is none.
  result<std::vector<log_entry>> read(std::uint64_t floor);

  /// The numbers there are now, ascending.
  result<std::vector<std::uint64_t>> numbers() const;

  /// Publishes `record` under the next number. `epoch_record` is the number of the coordinator's
  /// own epoch record; 0 while it has none.
  /// Errors: fenced if it cannot be said whether the record is in; others: it is not in.
  /// After a crash the record is in, or not: whole in any case.
  result<link_outcome> publish(std::string_view record, std::uint64_t epoch_record);

  /// Removes a record; success if there is none. Durable after `sync`.
  status remove(std::uint64_t number);

  status sync() { return files_->sync_folder(folder_); }

  /// Removes the temporary files that crashed coordinators left, of numbers up to `highest`.
  status remove_temporary_files();

  /// The highest number known; 0 if there is none.
  std::uint64_t highest() const noexcept { return highest_; }

  std::string path_of(std::uint64_t number) const;

 private:
  result<link_outcome> after_link(std::uint64_t number, std::uint64_t epoch_record);

  file_system* files_;
  std::string folder_;
  std::string owner_;
  std::uint64_t highest_ = 0;
};

}  // namespace weir::checkpoint::internal
