// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Command: one call that enqueues, from before it is passed on until it is recorded. The command's own times
// come later, on whatever thread the driver calls back, or at once where the call has waited for it.
#pragma once

#include "agent/sources/opencl/layer.h"
#include "agent/sources/opencl/objects.h"

namespace sextant::agent::opencl {

class Command {
 public:
  Command(abi::Handle queue, abi::Function function)
      : thread_(recording_thread(function)), function_(function) {
    if (thread_ != nullptr) queue_ = queue_of(queue);
    if (queue_ == nullptr) thread_ = nullptr;  // the call will fail, or no memory for the queue
  }

  /// False: pass the call on and forget about it.
  bool recorded() const { return thread_ != nullptr; }
  ThreadBlock* thread() const { return thread_; }

  uint64_t bytes = 0;   // that it moves; of commands that move none, events that it waits for
  uint32_t launch = 0;  // string id
  bool blocking = false;

  /// The event to pass on, for the `given` one; stamps the beginning of the call.
  abi::Handle* start(abi::Handle* given) {
    given_ = given;
    abi::Handle* event = given != nullptr ? given : queue_->measures() ? &own_ : nullptr;
    begin_ = now();
    return event;
  }

  /// The call has returned.
  void finish(int32_t result);

 private:
  void follow(uint64_t after, uint32_t* flags);

  ThreadBlock* thread_;
  Queue* queue_ = nullptr;
  abi::Function function_;
  abi::Handle* given_ = nullptr;
  abi::Handle own_ = nullptr;
  uint64_t begin_ = 0;
  uint64_t correlation_ = 0;
};

/// Whether we have a reference to the event: not all drivers tell of commands that failed, and some tell
/// late. Looks at all commands that are under way.
bool is_followed(abi::Handle event);

/// What `command` launches.
void describe_launch(Command* command, Kernel* kernel, uint32_t dimensions, const size_t* offset,
                     const size_t* global, const size_t* local);

}  // namespace sextant::agent::opencl
