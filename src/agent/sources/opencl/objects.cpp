// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/opencl/objects.h"

#include <cstring>

#include "agent/core/sys.h"
#include "agent/sources/opencl/layer.h"

namespace sextant::agent::opencl {

using abi::Handle;

namespace {

Map<Platform> g_platforms;
Map<Device> g_devices;
Map<Context> g_contexts;
Map<Queue> g_queues;
Map<Program> g_programs;
Map<Kernel> g_kernels;
Map<Memory> g_memory;

uint32_t next_number(std::atomic<uint32_t>* last) {
  return last->fetch_add(1, std::memory_order_relaxed) + 1;
}

std::atomic<uint32_t> g_last_platform, g_last_device, g_last_context, g_last_queue, g_last_program;

/// "OpenCL 3.0 vendor's words" -> 300.
uint32_t version_of(Handle device) {
  char text[256] = "";
  const auto get = next<abi::GetInfo>(abi::kGetDeviceInfo);
  if (get(device, abi::kDeviceVersion, sizeof text - 1, text, nullptr) != abi::kSuccess) return 0;
  const char* p = text;
  while (*p != 0 && (*p < '0' || *p > '9')) ++p;
  if (*p == 0 || p[1] != '.' || p[2] < '0' || p[2] > '9') return 0;
  return static_cast<uint32_t>(*p - '0') * 100 + static_cast<uint32_t>(p[2] - '0') * 10;
}

Platform* platform_of(Handle handle) {
  Platform* platform = g_platforms.find(handle);
  if (platform != nullptr || handle == nullptr) return platform;
  platform = g_platforms.find_or_add(handle);
  if (platform == nullptr) return nullptr;
  platform->handle = handle;
  platform->number = next_number(&g_last_platform);
  return platform;
}

}  // namespace

Device* device_of(Handle handle) {
  Device* device = g_devices.find(handle);
  if (device != nullptr || handle == nullptr) return device;
  device = g_devices.find_or_add(handle);
  if (device == nullptr) return nullptr;
  device->handle = handle;
  device->version = version_of(handle);
  device->platform = platform_of(value<Handle>(abi::kGetDeviceInfo, handle, abi::kDevicePlatform));
  if (device->version >= 120)
    device->parent = device_of(value<Handle>(abi::kGetDeviceInfo, handle, abi::kDeviceParentDevice));
  // Asked of an implementation that is older than the function, the loader would jump to nowhere.
  if (device->version < 210 || g_next[abi::kGetDeviceAndHostTimer] == nullptr) device->timer_fails.store(1);
  device->number = next_number(&g_last_device);
  return device;
}

Context* add_context(Handle handle) {
  Context* context = g_contexts.find_or_add(handle);
  if (context == nullptr) return nullptr;
  context->handle = handle;
  context->made = now();
  context->devices = value<uint32_t>(abi::kGetContextInfo, handle, abi::kContextNumDevices);
  context->number = next_number(&g_last_context);
  context->recorded.store(0, std::memory_order_relaxed);
  return context;
}

Context* context_of(Handle handle) {
  Context* context = g_contexts.find(handle);
  return context != nullptr || handle == nullptr ? context : add_context(handle);
}

Queue* add_queue(Handle handle, Handle context, Handle device, uint64_t asked, uint64_t properties) {
  Queue* queue = g_queues.find_or_add(handle);
  if (queue == nullptr) return nullptr;
  queue->handle = handle;
  queue->made = now();
  queue->context = context_of(context);
  queue->device = device_of(device);
  queue->asked.store(asked, std::memory_order_relaxed);
  queue->properties.store(properties, std::memory_order_relaxed);
  queue->listed = 0;
  queue->number = next_number(&g_last_queue);
  queue->recorded.store(0, std::memory_order_relaxed);
  return queue;
}

/// One that an extension's function has made is as the driver says.
Queue* queue_of(Handle handle) {
  Queue* queue = g_queues.find(handle);
  if (__builtin_expect(queue != nullptr || handle == nullptr, 1)) return queue;
  const auto device = value<Handle>(abi::kGetCommandQueueInfo, handle, abi::kQueueDevice);
  if (device == nullptr) return nullptr;
  const auto properties = value<uint64_t>(abi::kGetCommandQueueInfo, handle, abi::kQueueProperties);
  return add_queue(handle, value<Handle>(abi::kGetCommandQueueInfo, handle, abi::kQueueContext), device,
                   properties, properties);
}

Program* program_of(Handle handle) {
  return g_programs.find(handle);
}

Program* add_program(Handle handle, Handle context, event::opencl_program::Origin origin, uint64_t bytes,
                     uint64_t hash) {
  Program* program = g_programs.find_or_add(handle);
  if (program == nullptr) return nullptr;
  program->handle = handle;
  program->made = now();
  program->context = context_of(context);
  program->origin = origin;
  program->bytes = bytes;
  program->hash = hash;
  program->number = next_number(&g_last_program);
  program->recorded.store(0, std::memory_order_relaxed);
  return program;
}

Kernel* add_kernel(Handle handle, Handle program, const char* name) {
  Kernel* kernel = g_kernels.find_or_add(handle);
  if (kernel == nullptr) return nullptr;
  kernel->handle = handle;
  if (program == nullptr) program = value<Handle>(abi::kGetKernelInfo, handle, abi::kKernelProgram);
  kernel->program = program_of(program);
  kernel->arguments = value<uint32_t>(abi::kGetKernelInfo, handle, abi::kKernelNumArgs);
  char text[1024] = "";
  if (name == nullptr) {
    next<abi::GetInfo>(abi::kGetKernelInfo)(handle, abi::kKernelFunctionName, sizeof text - 1, text, nullptr);
    name = text;
  }
  ThreadBlock* t = this_thread();
  kernel->name = t != nullptr ? agent::name_of(&t->names, t->arena, name) : 0;
  kernel->set = kernel->last_id = 0;
  constexpr auto kUnset = static_cast<uint64_t>(event::opencl_argument::Kind::kUnset);
  for (spool::opencl::Argument& argument : kernel->argument) argument = {kUnset, 0};
  kernel->changed.store(1, std::memory_order_relaxed);
  return kernel;
}

Kernel* kernel_of(Handle handle) {
  Kernel* kernel = g_kernels.find(handle);
  return kernel != nullptr || handle == nullptr ? kernel : add_kernel(handle, nullptr, nullptr);
}

Memory* memory_of(Handle handle) {
  return g_memory.find(handle);
}

void add_memory(Handle handle, event::opencl_argument::Kind kind) {
  constexpr uint32_t kImageElementSize = 0x1111;
  Memory* memory = g_memory.find_or_add(handle);
  if (memory == nullptr) return;
  memory->kind = kind;
  memory->bytes = memory->element_bytes = 0;
  if (kind == event::opencl_argument::Kind::kSampler) return;
  memory->bytes = value<size_t>(abi::kGetMemObjectInfo, handle, abi::kMemSize);
  const auto type = value<uint32_t>(abi::kGetMemObjectInfo, handle, 0x1100 /* CL_MEM_TYPE */);
  if (type >= 0x10F1 && type <= 0x10F6)  // images
    memory->element_bytes = value<size_t>(abi::kGetImageInfo, handle, kImageElementSize);
}

// Records

namespace {

/// Numbers and texts put together as descriptions are (docs/formats/spool.md §5.1). What does not fit is cut.
/// In a mapping of its own: threads of drivers may have small stacks.
class Description {
 public:
  Description() : bytes_(may_call() ? static_cast<char*>(sys::map_private(kRoom)) : nullptr) {}
  ~Description() {
    if (bytes_ != nullptr) sys::unmap(bytes_, kRoom);
  }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;
  void number(uint64_t value) { raw(&value, sizeof value); }
  void text(abi::Function get, Handle object, uint32_t what) {
    char text[512] = "";
    const auto function = next<abi::GetInfo>(get);
    if (function == nullptr || function(object, what, sizeof text - 1, text, nullptr) != abi::kSuccess)
      text[0] = 0;
    text[sizeof text - 1] = 0;
    const size_t bytes = std::strlen(text);
    number(bytes);
    raw(text, bytes);
  }
  /// False: not kept.
  bool record(ThreadBlock* t, spool::opencl::Object kind, uint64_t stamp, uint64_t object_number,
              Handle handle) {
    if (bytes_ == nullptr) return false;
    uint64_t words[4] = {spool::first_word(stamp, spool::Kind::kClObject),
                         spool::second_word(intern(bytes_, used_), static_cast<uint16_t>(kind), 2, 0),
                         object_number, reinterpret_cast<uint64_t>(handle)};
    return agent::record<2>(t, words);
  }

 private:
  void raw(const void* from, size_t bytes) {
    if (bytes_ == nullptr || bytes > kRoom - used_) return;
    std::memcpy(bytes_ + used_, from, bytes);
    used_ += bytes;
  }
  static constexpr size_t kRoom = 4096;
  char* bytes_;
  size_t used_ = 0;
};

/// The first one to come records it; one that is not kept is recorded by the next.
bool begin_recording(std::atomic<uint32_t>* recorded) {
  return recorded->load(std::memory_order_relaxed) == 0 &&
         recorded->exchange(1, std::memory_order_relaxed) == 0;
}

void record_platform(ThreadBlock* t, Platform* platform) {
  if (platform == nullptr || !begin_recording(&platform->recorded)) return;
  Description d;
  for (uint32_t what :
       {abi::kPlatformName, abi::kPlatformVendor, abi::kPlatformVersion, abi::kPlatformProfile})
    d.text(abi::kGetPlatformInfo, platform->handle, what);
  if (!d.record(t, spool::opencl::Object::kPlatform, now(), platform->number, platform->handle))
    platform->recorded.store(0, std::memory_order_relaxed);
}

}  // namespace

void record_device(ThreadBlock* t, Device* device) {
  if (device == nullptr || !begin_recording(&device->recorded)) return;
  record_platform(t, device->platform);
  record_device(t, device->parent);
  const Handle h = device->handle;
  constexpr auto kGet = abi::kGetDeviceInfo;
  Description d;
  d.number(device->platform != nullptr ? device->platform->number : 0);
  for (uint32_t what : {abi::kDeviceName, abi::kDeviceVendor, abi::kDeviceVersion, abi::kDriverVersion})
    d.text(kGet, h, what);
  d.number(value<uint64_t>(kGet, h, abi::kDeviceType));
  d.number(value<uint32_t>(kGet, h, abi::kDeviceMaxComputeUnits));
  d.number(value<uint32_t>(kGet, h, abi::kDeviceMaxClockFrequency));
  d.number(value<uint64_t>(kGet, h, abi::kDeviceGlobalMemSize));
  d.number(value<uint64_t>(kGet, h, abi::kDeviceLocalMemSize));
  d.number(value<size_t>(kGet, h, abi::kDeviceMaxWorkGroupSize));
  d.number(value<size_t>(kGet, h, abi::kDeviceProfilingTimerResolution));
  d.number(device->parent != nullptr ? device->parent->number : 0);
  if (!d.record(t, spool::opencl::Object::kDevice, now(), device->number, h))
    device->recorded.store(0, std::memory_order_relaxed);
}

void record_context(ThreadBlock* t, Context* context) {
  if (context == nullptr || !begin_recording(&context->recorded)) return;
  Description d;
  d.number(context->devices);
  if (!d.record(t, spool::opencl::Object::kContext, context->made, context->number, context->handle))
    context->recorded.store(0, std::memory_order_relaxed);
}

void record_queue_slowly(ThreadBlock* t, Queue* queue) {
  if (!begin_recording(&queue->recorded)) return;
  record_device(t, queue->device);
  record_context(t, queue->context);
  Description d;
  d.number(queue->context != nullptr ? queue->context->number : 0);
  d.number(queue->device != nullptr ? queue->device->number : 0);
  d.number(queue->asked.load(std::memory_order_relaxed));
  d.number(queue->properties.load(std::memory_order_relaxed));
  if (!d.record(t, spool::opencl::Object::kQueue, queue->made, queue->number, queue->handle))
    queue->recorded.store(0, std::memory_order_relaxed);
}

void record_program(ThreadBlock* t, Program* program) {
  if (program == nullptr || !begin_recording(&program->recorded)) return;
  record_context(t, program->context);
  Description d;
  d.number(program->context != nullptr ? program->context->number : 0);
  d.number(static_cast<uint64_t>(program->origin));
  d.number(program->bytes);
  d.number(program->hash);
  if (!d.record(t, spool::opencl::Object::kProgram, program->made, program->number, program->handle))
    program->recorded.store(0, std::memory_order_relaxed);
}

void read_clock_slowly(ThreadBlock* t, Device* device) {
  constexpr uint64_t kPause = 1u << 29;  // a fifth of a second with most time stamp counters
  uint64_t seen = device->read_clock_at.load(std::memory_order_relaxed);
  const uint64_t before = now();
  if (!device->read_clock_at.compare_exchange_strong(seen, before + kPause, std::memory_order_relaxed))
    return;
  uint64_t device_ns = 0, host_ns = 0;
  const uint64_t begin = now();
  const int32_t result =
      next<abi::GetDeviceAndHostTimer>(abi::kGetDeviceAndHostTimer)(device->handle, &device_ns, &host_ns);
  const uint64_t after = now();
  if (result != abi::kSuccess || device_ns == 0) {
    device->timer_fails.store(1, std::memory_order_relaxed);
    return;
  }
  uint64_t words[4] = {spool::first_word(begin, spool::Kind::kClClock),
                       spool::second_word(0, static_cast<uint16_t>(device->number), 2, 0), after - begin,
                       device_ns};
  record<2>(t, words);
}

}  // namespace sextant::agent::opencl
