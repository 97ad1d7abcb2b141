// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "weir/core/file_system.hpp"

namespace weir::checkpoint {

/// Lets two processes on one disk take turns at their file operations, as a schedule says. Only
/// one of them runs at any time, so equal schedules give equal runs.
class two_processes {
 public:
  /// Asked before each operation of process `who`, its `step`th from 1: who goes on.
  using schedule = std::function<std::size_t(std::size_t who, std::uint64_t step)>;

  explicit two_processes(schedule next) : next_{std::move(next)} {}

  /// Runs both to their end, process 0 first.
  void run(const std::function<void()>& first, const std::function<void()>& second) {
    std::thread other{[this, &second] {
      wait_for_turn(1);
      second();
      end(1);
    }};
    wait_for_turn(0);
    first();
    end(0);
    other.join();
  }

  /// From now on all operations of `who` fail, as if it had died: it does nothing more.
  void kill(std::size_t who) { dead_.at(who) = true; }

  /// Called by process `who` before each of its operations.
  status before_operation(std::size_t who) {
    ++steps_.at(who);
    if (!dead_[who]) {
      const auto next = next_(who, steps_[who]);
      if (next != who && !ended_.at(next)) {
        give_turn(next);
        wait_for_turn(who);
      }
    }
    if (dead_[who]) return error{errc::io_error, "the process is dead"};
    return {};
  }

  std::uint64_t steps(std::size_t who) const { return steps_.at(who); }

 private:
  void give_turn(std::size_t who) {
    const std::lock_guard hold{mutex_};
    turn_ = who;
    changed_.notify_all();
  }

  void wait_for_turn(std::size_t who) {
    std::unique_lock hold{mutex_};
    changed_.wait(hold, [this, who] { return turn_ == who; });
  }

  void end(std::size_t who) {
    ended_.at(who) = true;
    give_turn(1 - who);
  }

  schedule next_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t turn_ = 0;
  // Used only by the process whose turn it is.
  std::array<std::uint64_t, 2> steps_{};
  std::array<bool, 2> ended_{};
  std::array<bool, 2> dead_{};
};

/// The disk as process `who` sees it.
class process_files final : public file_system {
 public:
  process_files(file_system& disk, two_processes& processes, std::size_t who)
      : disk_{&disk}, processes_{&processes}, who_{who} {}

  result<std::unique_ptr<writable_file>> create(const std::string& path) override {
    if (auto alive = begin(); !alive) return std::move(alive).failure();
    auto file = disk_->create(path);
    if (!file) return std::move(file).failure();
    return std::unique_ptr<writable_file>{new appending{*this, *std::move(file)}};
  }
  result<std::unique_ptr<readable_file>> open(const std::string& path) override {
    if (auto alive = begin(); !alive) return std::move(alive).failure();
    auto file = disk_->open(path);
    if (!file) return std::move(file).failure();
    return std::unique_ptr<readable_file>{new reading{*this, *std::move(file)}};
  }
  status link(const std::string& from, const std::string& to) override {
    const auto alive = begin();
    return alive ? disk_->link(from, to) : alive;
  }
  status rename(const std::string& from, const std::string& to) override {
    const auto alive = begin();
    return alive ? disk_->rename(from, to) : alive;
  }
  status rename_new(const std::string& from, const std::string& to) override {
    const auto alive = begin();
    return alive ? disk_->rename_new(from, to) : alive;
  }
  status remove(const std::string& path) override {
    const auto alive = begin();
    return alive ? disk_->remove(path) : alive;
  }
  status remove_folder(const std::string& path) override {
    const auto alive = begin();
    return alive ? disk_->remove_folder(path) : alive;
  }
  status create_folders(const std::string& path) override {
    const auto alive = begin();
    return alive ? disk_->create_folders(path) : alive;
  }
  result<std::vector<std::string>> list(const std::string& path) override {
    if (auto alive = begin(); !alive) return std::move(alive).failure();
    return disk_->list(path);
  }
  result<bool> exists(const std::string& path) override {
    if (auto alive = begin(); !alive) return std::move(alive).failure();
    return disk_->exists(path);
  }
  result<bool> is_folder(const std::string& path) override {
    if (auto alive = begin(); !alive) return std::move(alive).failure();
    return disk_->is_folder(path);
  }
  status sync_folder(const std::string& path) override {
    const auto alive = begin();
    return alive ? disk_->sync_folder(path) : alive;
  }

 private:
  class appending final : public writable_file {
   public:
    appending(const process_files& files, std::unique_ptr<writable_file> file)
        : files_{&files}, file_{std::move(file)} {}

    status append(std::string_view bytes) override {
      const auto alive = files_->begin();
      return alive ? file_->append(bytes) : alive;
    }
    status sync() override {
      const auto alive = files_->begin();
      return alive ? file_->sync() : alive;
    }

   private:
    const process_files* files_;
    std::unique_ptr<writable_file> file_;
  };

  class reading final : public readable_file {
   public:
    reading(const process_files& files, std::unique_ptr<readable_file> file)
        : files_{&files}, file_{std::move(file)} {}

    result<std::string> read(std::uint64_t offset, std::size_t length) const override {
      if (auto alive = files_->begin(); !alive) return std::move(alive).failure();
      return file_->read(offset, length);
    }
    result<std::uint64_t> size() const override { return file_->size(); }

   private:
    const process_files* files_;
    std::unique_ptr<readable_file> file_;
  };

  status begin() const { return processes_->before_operation(who_); }

  file_system* disk_;
  two_processes* processes_;
  std::size_t who_;
};

}  // namespace weir::checkpoint
