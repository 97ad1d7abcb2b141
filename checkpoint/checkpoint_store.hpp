// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/checkpoint/manifest.hpp"
#include "weir/core/file_system.hpp"

namespace weir::checkpoint {

namespace internal {
class record_log;
struct folder_view;
struct start_choice;
}  // namespace internal

/// What a start does with checkpoints that are there.
enum class start_mode {
  resume,  ///< starts from the newest
  fresh,   ///< refuses to start if there is one
};

/// What a start does if the newest checkpoint is damaged.
enum class on_damaged {
  stop,      ///< fails, naming the file
  previous,  ///< takes the newest undamaged one, with a warning
};

/// How a checkpoint folder is opened. A value.
struct store_options {
  /// Unlike that of any other process that uses the folder, now or ever: host, process id and
  /// start time, say. Of letters, digits and ".-_".
  std::string owner{};
  start_mode mode = start_mode::resume;
  on_damaged damaged = on_damaged::stop;

  /// How many coordinators' epochs stay in the log, at least 1: one that wakes up after more
  /// others were started is still fenced, but finds out only after its record is in.
  std::size_t kept_epochs = 100;
};

enum class start_kind {
  fresh,     ///< there is no checkpoint: start from the beginning
  restored,  ///< start from `opened_store::restored`
  finished,  ///< `restored` says that all is done: there is nothing to start
};

class checkpoint_store;

/// What was found in a checkpoint folder.
struct opened_store {
  std::unique_ptr<checkpoint_store> store;  ///< null if finished
  start_kind kind = start_kind::fresh;
  std::optional<manifest> restored;   ///< none if fresh
  std::vector<std::string> warnings;  ///< each a line for a person
};

/// The checkpoint folder of a job, as the one coordinator that owns it sees it. Blocks; owned and
/// used by one lane of an `io_executor`. docs/formats.md describes the folder.
///
/// Opening a folder fences whoever had it before: of that one's operations that come later, none
/// publishes, and none removes a file that somebody else may need. An operation that fails with
/// errc::fenced ends the use of the store: all later ones fail too, and nothing may be told about a
/// checkpoint whose `publish` ended so, for it may be found by the next start.
class checkpoint_store {
 public:
  /// Decides what a job starts from, having read all files of that checkpoint, and makes the caller
  /// the owner of `folder`, which is created if need be. Removes what crashed coordinators left.
  /// A start that fails, or finds the job finished, writes nothing, except if another coordinator
  /// is at work in the folder meanwhile.
  /// Errors: corrupt if a checkpoint is damaged and may not be passed over; already_exists if a
  /// fresh start finds a checkpoint; fenced if another coordinator was started at the same time;
  /// invalid_argument for the options; io_error if the folder cannot be used.
  /// After a crash within: the folder holds the checkpoints it held.
  /// @pre files outlives the store
  static result<opened_store> open(file_system& files, const std::string& folder,
                                   const store_options& options);

  ~checkpoint_store();

  /// The caller's epoch; it is in the names of all its files.
  epoch_id epoch() const noexcept { return epoch_; }

  /// The highest id ever used in the folder.
  checkpoint_id last_id() const noexcept { return last_id_; }

  /// The newest complete checkpoint; 0 if there is none.
  checkpoint_id newest() const noexcept;

  /// Makes durable that `id` is used; to be called before it is.
  /// Errors: fenced; invalid_argument if `id` is not above `last_id`; those of the files.
  status record_last_id(checkpoint_id id);

  /// Makes a checkpoint complete.
  /// Errors: fenced; others, after which the checkpoint is not complete and never will be:
  /// invalid_argument if the manifest is not as it should be, its epoch not ours, its id not
  /// recorded or not above the newest one's; corrupt if it names a file of an earlier checkpoint
  /// that no complete one names; those of the files.
  /// After a crash within: it is complete, or it is not there.
  status publish(const manifest& content);

  /// Removes all complete checkpoints but the newest `count`, and all files up to the newest one
  /// that none of the kept ones names.
  /// Errors: fenced; those of the files: then call it again some time.
  /// After a crash within: what the kept ones name is there.
  /// @pre count > 0
  status retain(std::size_t count);

  /// Removes the files that were written for `id`, except those that a complete checkpoint names.
  /// Errors: fenced; those of the files.
  status discard(checkpoint_id id);

 private:
  struct stored_manifest {
    std::uint64_t number = 0;  ///< in the log
    checkpoint_id id{};
    epoch_id epoch{};
    std::set<std::string> files;
  };

  checkpoint_store(file_system& files, std::string folder, std::size_t kept_epochs,
                   std::unique_ptr<internal::record_log> log);

  static result<opened_store> take_over(std::unique_ptr<checkpoint_store> store,
                                        const internal::folder_view& view,
                                        internal::start_choice choice);
  status adopt(const internal::folder_view& view, const internal::start_choice& choice);
  void note_records(const internal::folder_view& view, const internal::start_choice& choice);
  /// Removes what is of no use any more, as far as that can be done.
  void clean_up(const internal::folder_view& view, std::vector<std::string>& warnings);
  status write_progress(checkpoint_id last_id, std::uint64_t newest_record);
  status check_publishable(const manifest& content) const;
  status remove_old_records(std::size_t count);
  status remove_old_epochs();
  /// Removes the unnamed files of all checkpoints up to `last`.
  status sweep(checkpoint_id last);
  /// Removes those of one checkpoint. A newer epoch's are left alone.
  status sweep_folder(checkpoint_id id);
  bool is_named(const std::string& path) const;
  status check_not_fenced() const;
  /// What to say of an operation that ended in `failure`: errc::fenced, now and from now on, if a
  /// newer coordinator is there.
  error noted(error failure);

  file_system* files_;
  std::string folder_;
  std::size_t kept_epochs_;
  std::unique_ptr<internal::record_log> log_;
  epoch_id epoch_{};
  std::uint64_t epoch_record_ = 0;
  checkpoint_id last_id_{};
  std::vector<stored_manifest> manifests_;  ///< complete and kept, ascending
  std::vector<std::uint64_t> dead_;         ///< records that are damaged, or count no more
  std::set<std::string> spared_;  ///< files of damaged checkpoints, until a newer one is complete
  std::vector<std::pair<std::uint64_t, epoch_id>> epochs_;  ///< their records, ascending
  std::optional<error> fenced_;
};

}  // namespace weir::checkpoint
