// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/gated_file_system.hpp"

namespace weir::simulation {
namespace {

using shared_gate = std::shared_ptr<const gated_file_system::gate>;

class gated_writable_file final : public writable_file {
 public:
  gated_writable_file(std::unique_ptr<writable_file> file, shared_gate may_pass)
      : file_{std::move(file)}, may_pass_{std::move(may_pass)} {}

  status append(std::string_view bytes) override {
    if (status pass = (*may_pass_)("append"); !pass.ok()) return pass;
    return file_->append(bytes);
  }

  status sync() override {
    if (status pass = (*may_pass_)("sync"); !pass.ok()) return pass;
    return file_->sync();
  }

 private:
  std::unique_ptr<writable_file> file_;
  shared_gate may_pass_;
};

class gated_readable_file final : public readable_file {
 public:
  gated_readable_file(std::unique_ptr<readable_file> file, shared_gate may_pass)
      : file_{std::move(file)}, may_pass_{std::move(may_pass)} {}

  result<std::string> read(std::uint64_t offset, std::size_t length) const override {
    if (status pass = (*may_pass_)("read"); !pass.ok()) return std::move(pass).failure();
    return file_->read(offset, length);
  }

  result<std::uint64_t> size() const override {
    if (status pass = (*may_pass_)("size"); !pass.ok()) return std::move(pass).failure();
    return file_->size();
  }

 private:
  std::unique_ptr<readable_file> file_;
  shared_gate may_pass_;
};

}  // namespace

gated_file_system::gated_file_system(file_system& files, gate may_pass)
    : files_{files}, may_pass_{std::make_shared<const gate>(std::move(may_pass))} {}

result<std::unique_ptr<writable_file>> gated_file_system::create(const std::string& path) {
  if (status pass = (*may_pass_)("create"); !pass.ok()) return std::move(pass).failure();
  auto file = files_.create(path);
  if (!file.ok()) return file;
  return std::unique_ptr<writable_file>{
      std::make_unique<gated_writable_file>(std::move(*file), may_pass_)};
}

result<std::unique_ptr<readable_file>> gated_file_system::open(const std::string& path) {
  if (status pass = (*may_pass_)("open"); !pass.ok()) return std::move(pass).failure();
  auto file = files_.open(path);
  if (!file.ok()) return file;
  return std::unique_ptr<readable_file>{
      std::make_unique<gated_readable_file>(std::move(*file), may_pass_)};
}

status gated_file_system::link(const std::string& from, const std::string& to) {
  if (status pass = (*may_pass_)("link"); !pass.ok()) return pass;
  return files_.link(from, to);
}

status gated_file_system::rename(const std::string& from, const std::string& to) {
  if (status pass = (*may_pass_)("rename"); !pass.ok()) return pass;
  return files_.rename(from, to);
}

status gated_file_system::rename_new(const std::string& from, const std::string& to) {
  if (status pass = (*may_pass_)("rename_new"); !pass.ok()) return pass;
  return files_.rename_new(from, to);
}

status gated_file_system::remove(const std::string& path) {
  if (status pass = (*may_pass_)("remove"); !pass.ok()) return pass;
  return files_.remove(path);
}

status gated_file_system::remove_folder(const std::string& path) {
  if (status pass = (*may_pass_)("remove_folder"); !pass.ok()) return pass;
  return files_.remove_folder(path);
}

status gated_file_system::create_folders(const std::string& path) {
  if (status pass = (*may_pass_)("create_folders"); !pass.ok()) return pass;
  return files_.create_folders(path);
}

result<std::vector<std::string>> gated_file_system::list(const std::string& path) {
  if (status pass = (*may_pass_)("list"); !pass.ok()) return std::move(pass).failure();
  return files_.list(path);
}

result<bool> gated_file_system::exists(const std::string& path) {
  if (status pass = (*may_pass_)("exists"); !pass.ok()) return std::move(pass).failure();
  return files_.exists(path);
}

result<bool> gated_file_system::is_folder(const std::string& path) {
  if (status pass = (*may_pass_)("is_folder"); !pass.ok()) return std::move(pass).failure();
  return files_.is_folder(path);
}

status gated_file_system::sync_folder(const std::string& path) {
  if (status pass = (*may_pass_)("sync_folder"); !pass.ok()) return pass;
  return files_.sync_folder(path);
}

}  // namespace weir::simulation
