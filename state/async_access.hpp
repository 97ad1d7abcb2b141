// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace weir::state {

namespace internal {
template <class T>
inline constexpr char type_anchor = 0;
}

/// Identity of a type within one process.
template <class T>
constexpr const void* type_identity() {
  return &internal::type_anchor<T>;
}

/// An access and what is to be done with its result. Run once, with its key as the current one.
class async_step {
 public:
  virtual ~async_step() = default;
  virtual void run() = 0;
};

/// Takes the accesses that cannot be made at once. Owned and used by the subtask.
class access_queue {
 public:
  virtual ~access_queue() = default;

  /// Will run `step`, with the key that is the current one now, when what cell `cell` of the row
  /// holds can be accessed at once. The steps of a key are run in the order in which they came.
  virtual void submit(std::unique_ptr<async_step> step, std::uint32_t cell) = 0;
};

/// Something that a callback can take as an argument: a collector.
struct callback_argument {
  const void* type;  ///< its `type_identity`
  void* object;
};

/// Where the `async_…` calls of a function's states lead. Made by the operator of the function, and
/// constant while that runs. Owned and used by the subtask.
struct async_port {
  /// What callbacks can take behind the result; valid whenever a step or the function is run.
  std::vector<callback_argument> arguments;

  /// Null: all state is in memory, and accesses are made at once.
  access_queue* queue = nullptr;

  /// Argument number `n` of this type; null: there are fewer.
  void* argument(const void* type, std::size_t n) const noexcept {
    for (const auto& argument : arguments)
      if (argument.type == type && n-- == 0) return argument.object;
    return nullptr;
  }
};

/// Brings state into memory, for accesses to state that is not there. Made by a backend, for one
/// operator; where all state is in memory there is none. Owned and used by the subtask.
class access_scheduler {
 public:
  virtual ~access_scheduler() = default;

  /// Access `id`, a number that was not used before, wants cell `cell` of the row of a key with
  /// this hash.
  virtual void request(std::uint64_t id, std::uint64_t key_hash, std::uint32_t cell) = 0;

  /// Whether `take_ready` gives a number. The subtask is woken when that becomes true.
  virtual bool has_ready() const = 0;

  /// An access whose cell is in memory, and stays there until `made(id)`. @pre has_ready()
  virtual std::uint64_t take_ready() = 0;

  /// The access has been made. Called once for each request, but for those of an attempt that ends.
  virtual void made(std::uint64_t id) = 0;
};

}  // namespace weir::state
