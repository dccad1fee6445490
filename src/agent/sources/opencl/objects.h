// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// OpenCL's objects as the agent numbers and records them. Each is recorded once, before the first command
// that needs it, as soon as it can be (a recording may be paused when it is made).
#pragma once

#include "agent/core/thread.h"
#include "agent/sources/opencl/map.h"
#include "event/schema_opencl.h"
#include "spool/opencl.h"

namespace sextant::agent::opencl {

struct Platform {
  abi::Handle handle;
  uint32_t number;
  std::atomic<uint32_t> recorded;
};

struct Device {
  abi::Handle handle;
  uint32_t number;
  std::atomic<uint32_t> recorded;
  uint32_t version;                     // of OpenCL, major * 100 + minor * 10
  std::atomic<uint32_t> timer_fails;    // no driver's timer
  std::atomic<uint64_t> read_clock_at;  // not before this stamp
  Platform* platform;
  Device* parent;
};

struct Context {
  abi::Handle handle;
  uint32_t number;
  std::atomic<uint32_t> recorded;
  uint64_t made;  // stamp
  uint32_t devices;
};

inline constexpr uint32_t kMostProperties = 16;

struct Queue {
  abi::Handle handle;
  uint32_t number;
  std::atomic<uint32_t> recorded;
  uint64_t made;
  Context* context;
  Device* device;
  std::atomic<uint64_t> asked;       // properties that the program asked for
  std::atomic<uint64_t> properties;  // that it has
  uint32_t listed;                   // how many of `list` the program gave, its 0 included; 0: no list
  uint64_t list[kMostProperties];
  bool measures() const {
    return (properties.load(std::memory_order_relaxed) & abi::kProfiling) != 0 && device != nullptr &&
           device->version >= 110;
  }
  bool forced() const {
    return (properties.load(std::memory_order_relaxed) & ~asked.load(std::memory_order_relaxed) &
            abi::kProfiling) != 0;
  }
};

struct Program {
  abi::Handle handle;
  uint32_t number;
  std::atomic<uint32_t> recorded;
  uint64_t made;
  Context* context;
  uint64_t bytes;
  uint64_t hash;  // of what it was made from, 0: none
  event::opencl_program::Origin origin;
};

inline constexpr uint32_t kMostArguments = 32;

struct Kernel {
  abi::Handle handle;
  uint32_t name;  // string id
  Program* program;
  uint32_t arguments;             // how many it takes; over kMostArguments: sizes are not kept
  uint32_t set;                   // string id of `argument` as it is
  std::atomic<uint32_t> changed;  // `set` is outdated
  std::atomic<uint32_t> busy;     // of the launch that was seen last
  uint32_t last_id;
  spool::opencl::Launch last;
  spool::opencl::Argument argument[kMostArguments];
};

struct Memory {
  uint64_t bytes;
  uint64_t element_bytes;  // of an image's pixel
  event::opencl_argument::Kind kind;
};

// Known ones, or nullptr. Devices, contexts, queues and kernels that were made out of sight are looked at.
Device* device_of(abi::Handle handle);
Context* context_of(abi::Handle handle);
Queue* queue_of(abi::Handle handle);
Program* program_of(abi::Handle handle);
Kernel* kernel_of(abi::Handle handle);
Memory* memory_of(abi::Handle handle);

/// What was just made. `asked`, `properties`: as in Queue.
Context* add_context(abi::Handle handle);
Queue* add_queue(abi::Handle handle, abi::Handle context, abi::Handle device, uint64_t asked,
                 uint64_t properties);
Program* add_program(abi::Handle handle, abi::Handle context, event::opencl_program::Origin origin,
                     uint64_t bytes, uint64_t hash);
Kernel* add_kernel(abi::Handle handle, abi::Handle program, const char* name);
void add_memory(abi::Handle handle, event::opencl_argument::Kind kind);

// Record an object and those that it belongs to, if that has not been done.
void record_device(ThreadBlock* t, Device* device);
void record_context(ThreadBlock* t, Context* context);
void record_queue_slowly(ThreadBlock* t, Queue* queue);
void record_program(ThreadBlock* t, Program* program);
inline void record_queue(ThreadBlock* t, Queue* queue) {
  if (__builtin_expect(queue->recorded.load(std::memory_order_relaxed) == 0, 0))
    record_queue_slowly(t, queue);
}

/// The driver's timer, if it has one and it is time.
void read_clock_slowly(ThreadBlock* t, Device* device);
inline void read_clock(ThreadBlock* t, Device* device, uint64_t stamp) {
  if (__builtin_expect(device->timer_fails.load(std::memory_order_relaxed) == 0 &&
                           stamp >= device->read_clock_at.load(std::memory_order_relaxed),
                       0))
    read_clock_slowly(t, device);
}

}  // namespace sextant::agent::opencl
