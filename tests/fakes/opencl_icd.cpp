// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for an OpenCL implementation: one platform, one device that is a thread for each queue, and a
// clock that can be made to run wrongly. It computes the two kernels of tests/workloads/cl_work.c and moves
// memory, so that programs give the results they give elsewhere. It is both what a loader opens
// (clIcdGetPlatformIDsKHR) and, by its exports, a libOpenCL.so.1 that knows no layers.
//
//   FAKE_CL_CLOCK=offset:NS,ppm:N,step:NS,step_at:NS,timer:1   the device's clock, by the host's
//   CLOCK_MONOTONIC;
//                 step_at counts from the start of the process; timer: clGetDeviceAndHostTimer works
//   FAKE_CL_LOG=FILE   a line for each command, in the order of their ends: number, and the host's
//   CLOCK_REALTIME at
//                 its queueing, start and end, nanoseconds
#include <time.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "agent/sources/opencl/abi.h"

namespace abi = sextant::agent::opencl::abi;
using Handle = void*;

namespace {

constexpr int32_t kInvalidQueue = -36, kInvalidEvent = -58, kInvalidBufferSize = -61;
abi::Entry g_table[abi::kFunctionCount];

// The clock

int64_t g_offset, g_step, g_step_at, g_started, g_realtime;
double g_ppm;
bool g_timer;

int64_t clock_now(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}
int64_t host_now() {
  return clock_now(CLOCK_MONOTONIC);
}
uint64_t device_of(int64_t host) {
  const int64_t since = host - g_started;
  const int64_t step = g_step_at != 0 && since > g_step_at ? g_step : 0;
  return static_cast<uint64_t>(1'000'000'000'000 + since +
                               static_cast<int64_t>(static_cast<double>(since) * g_ppm * 1e-6) + g_offset +
                               step);
}
int64_t setting(const char* name) {
  const char* all = std::getenv("FAKE_CL_CLOCK");
  const char* found = all != nullptr ? std::strstr(all, name) : nullptr;
  return found != nullptr ? std::strtoll(found + std::strlen(name), nullptr, 10) : 0;
}
__attribute__((constructor)) void start() {
  g_started = host_now();
  int64_t best = INT64_MAX;
  for (int i = 0; i < 50; ++i) {
    const int64_t before = host_now(), real = clock_now(CLOCK_REALTIME), after = host_now();
    if (after - before < best) best = after - before, g_realtime = real - before - best / 2;
  }
  g_offset = setting("offset:");
  g_ppm = static_cast<double>(setting("ppm:"));
  g_step = setting("step:");
  g_step_at = setting("step_at:");
  g_timer = setting("timer:") != 0;
}

// Objects: the first word leads to the table, as loaders want it

struct Object {
  abi::Entry* table = g_table;
  std::atomic<uint32_t> references{1};
  virtual ~Object() = default;
};
// A polymorphic object begins with its own pointer: what programs hold is the address of `table`.
Handle handle_of(Object* object) {
  return &object->table;
}
template <typename T>
T* object_of(Handle handle) {
  return static_cast<T*>(reinterpret_cast<Object*>(static_cast<char*>(handle) - offsetof(Object, table)));
}
int32_t retain(Handle handle) {
  ++object_of<Object>(handle)->references;
  return abi::kSuccess;
}
int32_t release(Handle handle) {
  if (--object_of<Object>(handle)->references == 0) delete object_of<Object>(handle);
  return abi::kSuccess;
}

struct Platform : Object {};
struct Device : Object {};
struct Context : Object {};
struct Program : Object {
  std::string source;
  std::atomic<int32_t> status{-1};  // none
};
struct Buffer : Object {
  std::vector<char> bytes;
};
struct Argument {
  size_t size = 0;
  std::vector<char> value;
};
struct Kernel : Object {
  std::string name;
  Argument argument[4];
};
struct Event : Object {
  std::mutex lock;
  std::condition_variable changed;
  int32_t status = 3;  // queued
  int64_t queued = 0, submitted = 0, started = 0, ended = 0;
  uint32_t command = 0;
  struct Queue* queue = nullptr;  // null: a user event
  std::vector<std::pair<abi::Notify, void*>> told;

  void set(int32_t to) {
    std::vector<std::pair<abi::Notify, void*>> tell;
    {
      std::lock_guard hold(lock);
      status = to;
      if (to <= 0) tell.swap(told);
    }
    changed.notify_all();
    for (const auto& [notify, user] : tell) notify(handle_of(this), to, user);
  }
  void wait() {
    std::unique_lock hold(lock);
    changed.wait(hold, [&] { return status <= 0; });
  }
};
struct Command {
  Event* event;
  std::vector<Event*> waits;
  std::function<void()> work;
};
struct Queue : Object {
  uint64_t properties = 0;
  std::vector<uint64_t> list;
  std::mutex lock;
  std::condition_variable changed;
  std::deque<Command> commands;
  bool ending = false;
  std::thread thread;
  Context* context = nullptr;

  Queue() : thread([this] { run(); }) {}
  ~Queue() override {
    {
      std::lock_guard hold(lock);
      ending = true;
    }
    changed.notify_all();
    thread.join();
  }
  void run();
};

Platform g_platform;
Device g_device;

void log(const Event& event) {
  static FILE* file = [] {
    const char* path = std::getenv("FAKE_CL_LOG");
    return path != nullptr ? std::fopen(path, "w") : nullptr;
  }();
  static std::mutex one;
  static unsigned long number;
  if (file == nullptr) return;
  std::lock_guard hold(one);
  std::fprintf(file, "%lu %lld %lld %lld\n", ++number, static_cast<long long>(event.queued + g_realtime),
               static_cast<long long>(event.started + g_realtime),
               static_cast<long long>(event.ended + g_realtime));
  std::fflush(file);
}

void Queue::run() {
  for (;;) {
    Command command;
    {
      std::unique_lock hold(lock);
      changed.wait(hold, [&] { return ending || !commands.empty(); });
      if (commands.empty()) return;
      command = std::move(commands.front());
      commands.pop_front();
    }
    command.event->submitted = host_now();
    for (Event* event : command.waits) {
      event->wait();
      release(handle_of(event));
    }
    command.event->started = host_now();
    if (command.work) command.work();
    command.event->ended = host_now();
    log(*command.event);
    command.event->set(abi::kComplete);
    release(handle_of(command.event));
  }
}

int32_t enqueue(Handle handle, uint32_t kind, bool blocking, uint32_t count, const Handle* waits, Handle* to,
                std::function<void()> work) {
  if (handle == nullptr) return kInvalidQueue;
  Queue* queue = object_of<Queue>(handle);
  auto* event = new Event;
  event->command = kind;
  event->queue = queue;
  event->references = 2;  // the queue's and ours
  Command command{event, {}, std::move(work)};
  for (uint32_t i = 0; i < count; ++i) {
    retain(waits[i]);
    command.waits.push_back(object_of<Event>(waits[i]));
  }
  {
    std::lock_guard hold(queue->lock);
    event->queued = host_now();
    queue->commands.push_back(std::move(command));
  }
  queue->changed.notify_one();
  if (blocking) event->wait();
  if (to != nullptr)
    *to = handle_of(event);
  else
    release(handle_of(event));
  return abi::kSuccess;
}

int32_t give(const void* from, size_t size, size_t room, void* to, size_t* bytes) {
  if (to != nullptr && room < size) return abi::kInvalidValue;
  if (to != nullptr) std::memcpy(to, from, size);
  if (bytes != nullptr) *bytes = size;
  return abi::kSuccess;
}
int32_t give_text(const char* text, size_t room, void* to, size_t* bytes) {
  return give(text, std::strlen(text) + 1, room, to, bytes);
}
template <typename T>
int32_t give_value(T value, size_t room, void* to, size_t* bytes) {
  return give(&value, sizeof value, room, to, bytes);
}
template <typename T>
Handle made(T* object, int32_t* error) {
  if (error != nullptr) *error = abi::kSuccess;
  return handle_of(object);
}

void run_kernel(const std::string& name, const std::vector<Argument>& arguments, size_t items) {
  const auto buffer = [&](int i) {
    Handle handle;
    std::memcpy(&handle, arguments[static_cast<size_t>(i)].value.data(), sizeof handle);
    return reinterpret_cast<float*>(object_of<Buffer>(handle)->bytes.data());
  };
  if (name == "add") {
    float scale;
    std::memcpy(&scale, arguments[3].value.data(), sizeof scale);
    for (size_t i = 0; i < items; ++i) buffer(2)[i] = buffer(0)[i] + scale * buffer(1)[i];
  } else if (name == "twice") {
    for (size_t i = 0; i < items; ++i) buffer(0)[i] *= 2;
  }
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

int32_t clIcdGetPlatformIDsKHR(uint32_t room, Handle* to, uint32_t* count) {
  if (to != nullptr && room > 0) *to = handle_of(&g_platform);
  if (count != nullptr) *count = 1;
  return abi::kSuccess;
}
int32_t clGetPlatformIDs(uint32_t room, Handle* to, uint32_t* count) {
  return clIcdGetPlatformIDsKHR(room, to, count);
}
int32_t clGetPlatformInfo(Handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  switch (what) {
    case abi::kPlatformProfile:
      return give_text("FULL_PROFILE", room, to, bytes);
    case abi::kPlatformVersion:
      return give_text("OpenCL 3.0 stand-in", room, to, bytes);
    case abi::kPlatformName:
      return give_text("Stand-in platform", room, to, bytes);
    case abi::kPlatformVendor:
      return give_text("The Sextant authors", room, to, bytes);
    case 0x0904:  // extensions
      return give_text("cl_khr_icd", room, to, bytes);
    case 0x0920:  // suffix
      return give_text("SXT", room, to, bytes);
    default:
      return abi::kInvalidValue;
  }
}
int32_t clGetDeviceIDs(Handle, uint64_t, uint32_t room, Handle* to, uint32_t* count) {
  if (to != nullptr && room > 0) *to = handle_of(&g_device);
  if (count != nullptr) *count = 1;
  return abi::kSuccess;
}
int32_t clGetDeviceInfo(Handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  switch (what) {
    case abi::kDeviceType:
      return give_value<uint64_t>(8, room, to, bytes);
    case abi::kDeviceMaxComputeUnits:
      return give_value<uint32_t>(1, room, to, bytes);
    case abi::kDeviceMaxClockFrequency:
      return give_value<uint32_t>(1000, room, to, bytes);
    case abi::kDeviceMaxWorkGroupSize:
      return give_value<size_t>(1024, room, to, bytes);
    case abi::kDeviceProfilingTimerResolution:
      return give_value<size_t>(1, room, to, bytes);
    case abi::kDeviceGlobalMemSize:
      return give_value<uint64_t>(1u << 30, room, to, bytes);
    case abi::kDeviceLocalMemSize:
      return give_value<uint64_t>(1u << 16, room, to, bytes);
    case abi::kDeviceName:
      return give_text("Stand-in device", room, to, bytes);
    case abi::kDeviceVendor:
      return give_text("The Sextant authors", room, to, bytes);
    case abi::kDriverVersion:
      return give_text("1", room, to, bytes);
    case abi::kDeviceVersion:
      return give_text("OpenCL 3.0 stand-in", room, to, bytes);
    case abi::kDevicePlatform:
      return give_value(handle_of(&g_platform), room, to, bytes);
    case abi::kDeviceParentDevice:
      return give_value<Handle>(nullptr, room, to, bytes);
    default:
      return abi::kInvalidValue;
  }
}
int32_t clGetDeviceAndHostTimer(Handle, uint64_t* device, uint64_t* host) {
  if (!g_timer) return abi::kInvalidOperation;
  const int64_t now = host_now();
  *host = static_cast<uint64_t>(now);
  *device = device_of(now);
  return abi::kSuccess;
}

Handle clCreateContext(const intptr_t*, uint32_t, const Handle*, void*, void*, int32_t* error) {
  return made(new Context, error);
}
int32_t clRetainContext(Handle c) {
  return retain(c);
}
int32_t clReleaseContext(Handle c) {
  return release(c);
}
int32_t clGetContextInfo(Handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  if (what == abi::kContextNumDevices) return give_value<uint32_t>(1, room, to, bytes);
  if (what == abi::kContextDevices) return give_value(handle_of(&g_device), room, to, bytes);
  return abi::kInvalidValue;
}

Handle clCreateCommandQueue(Handle context, Handle, uint64_t properties, int32_t* error) {
  auto* queue = new Queue;
  queue->properties = properties;
  queue->context = object_of<Context>(context);
  return made(queue, error);
}
Handle clCreateCommandQueueWithProperties(Handle context, Handle device, const uint64_t* list,
                                          int32_t* error) {
  Handle handle = clCreateCommandQueue(context, device, 0, error);
  Queue* queue = object_of<Queue>(handle);
  for (; list != nullptr && *list != 0; list += 2) {
    queue->list.insert(queue->list.end(), {list[0], list[1]});
    if (list[0] == abi::kQueueProperties) queue->properties = list[1];
  }
  if (list != nullptr) queue->list.push_back(0);
  return handle;
}
int32_t clRetainCommandQueue(Handle q) {
  return retain(q);
}
int32_t clReleaseCommandQueue(Handle q) {
  return release(q);
}
int32_t clGetCommandQueueInfo(Handle handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  Queue* queue = object_of<Queue>(handle);
  if (what == abi::kQueueContext) return give_value(handle_of(queue->context), room, to, bytes);
  if (what == abi::kQueueDevice) return give_value(handle_of(&g_device), room, to, bytes);
  if (what == abi::kQueueProperties) return give_value(queue->properties, room, to, bytes);
  if (what == abi::kQueuePropertiesArray)
    return give(queue->list.data(), queue->list.size() * 8, room, to, bytes);
  return abi::kInvalidValue;
}

Handle clCreateBuffer(Handle, uint64_t, size_t size, void*, int32_t* error) {
  auto* buffer = new Buffer;
  buffer->bytes.resize(size);
  return made(buffer, error);
}
int32_t clRetainMemObject(Handle m) {
  return retain(m);
}
int32_t clReleaseMemObject(Handle m) {
  return release(m);
}
int32_t clGetMemObjectInfo(Handle handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  if (what == abi::kMemSize) return give_value(object_of<Buffer>(handle)->bytes.size(), room, to, bytes);
  if (what == 0x1100) return give_value<uint32_t>(0x10F0, room, to, bytes);  // the type: a buffer
  return abi::kInvalidValue;
}

Handle clCreateProgramWithSource(Handle, uint32_t count, const char** texts, const size_t*, int32_t* error) {
  auto* program = new Program;
  for (uint32_t i = 0; i < count; ++i) program->source += texts[i];
  return made(program, error);
}
/// A source with "broken" in it does not build; with the option -DLATER the build is done in the background,
/// where somebody wants to hear of it, else in the foreground. Hears of it in any case, as with PoCL.
int32_t clBuildProgram(Handle handle, uint32_t, const Handle*, const char* options, abi::ProgramNotify notify,
                       void* user) {
  auto* program = object_of<Program>(handle);
  const auto build = [=] {
    program->status = program->source.find("broken") != std::string::npos ? -2 : 0;
    if (notify != nullptr) notify(handle, user);
  };
  if (notify != nullptr && options != nullptr && std::strstr(options, "-DLATER") != nullptr) {
    program->status = -3;  // going on
    std::thread([=] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      build();
    }).detach();
    return abi::kSuccess;
  }
  build();
  return program->status == 0 ? abi::kSuccess : -11;
}
int32_t clGetProgramInfo(Handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  if (what == abi::kProgramNumDevices) return give_value<uint32_t>(1, room, to, bytes);
  if (what == abi::kProgramDevices) return give_value(handle_of(&g_device), room, to, bytes);
  return abi::kInvalidValue;
}
int32_t clGetProgramBuildInfo(Handle handle, Handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  const int32_t status = object_of<Program>(handle)->status;
  if (what == abi::kProgramBuildStatus) return give_value(status, room, to, bytes);
  if (what == abi::kProgramBuildLog) return give_text(status == -2 ? "it is broken" : "", room, to, bytes);
  return abi::kInvalidValue;
}
int32_t clRetainProgram(Handle p) {
  return retain(p);
}
int32_t clReleaseProgram(Handle p) {
  return release(p);
}
Handle clCreateKernel(Handle, const char* name, int32_t* error) {
  auto* kernel = new Kernel;
  kernel->name = name;
  return made(kernel, error);
}
int32_t clRetainKernel(Handle k) {
  return retain(k);
}
int32_t clReleaseKernel(Handle k) {
  return release(k);
}
int32_t clGetKernelInfo(Handle handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  Kernel* kernel = object_of<Kernel>(handle);
  if (what == abi::kKernelFunctionName) return give_text(kernel->name.c_str(), room, to, bytes);
  if (what == abi::kKernelNumArgs)
    return give_value<uint32_t>(kernel->name == "add" ? 4 : 2, room, to, bytes);
  return abi::kInvalidValue;
}
int32_t clSetKernelArg(Handle handle, uint32_t index, size_t size, const void* value) {
  if (index >= 4) return -49;
  Argument& argument = object_of<Kernel>(handle)->argument[index];
  argument.size = size;
  argument.value.clear();
  if (value != nullptr)
    argument.value.assign(static_cast<const char*>(value), static_cast<const char*>(value) + size);
  return abi::kSuccess;
}

int32_t clEnqueueNDRangeKernel(Handle queue, Handle handle, uint32_t dimensions, const size_t*,
                               const size_t* global, const size_t*, uint32_t count, const Handle* waits,
                               Handle* event) {
  Kernel* kernel = object_of<Kernel>(handle);
  std::vector<Argument> arguments(kernel->argument, kernel->argument + 4);
  size_t items = 1;
  for (uint32_t i = 0; i < dimensions; ++i) items *= global[i];
  return enqueue(queue, 0x11F0, false, count, waits, event,
                 [name = kernel->name, arguments, items] { run_kernel(name, arguments, items); });
}
int32_t clEnqueueReadBuffer(Handle queue, Handle handle, uint32_t blocking, size_t offset, size_t size,
                            void* to, uint32_t count, const Handle* waits, Handle* event) {
  Buffer* buffer = object_of<Buffer>(handle);
  if (offset + size > buffer->bytes.size()) return abi::kInvalidValue;
  return enqueue(queue, 0x11F3, blocking != 0, count, waits, event,
                 [=] { std::memcpy(to, buffer->bytes.data() + offset, size); });
}
int32_t clEnqueueWriteBuffer(Handle queue, Handle handle, uint32_t blocking, size_t offset, size_t size,
                             const void* from, uint32_t count, const Handle* waits, Handle* event) {
  Buffer* buffer = object_of<Buffer>(handle);
  if (offset + size > buffer->bytes.size()) return abi::kInvalidValue;
  return enqueue(queue, 0x11F4, blocking != 0, count, waits, event,
                 [=] { std::memcpy(buffer->bytes.data() + offset, from, size); });
}
int32_t clEnqueueCopyBuffer(Handle queue, Handle from, Handle to, size_t from_at, size_t to_at, size_t size,
                            uint32_t count, const Handle* waits, Handle* event) {
  Buffer *a = object_of<Buffer>(from), *b = object_of<Buffer>(to);
  return enqueue(queue, 0x11F5, false, count, waits, event,
                 [=] { std::memcpy(b->bytes.data() + to_at, a->bytes.data() + from_at, size); });
}
int32_t clEnqueueFillBuffer(Handle queue, Handle handle, const void* pattern, size_t pattern_size,
                            size_t offset, size_t size, uint32_t count, const Handle* waits, Handle* event) {
  Buffer* buffer = object_of<Buffer>(handle);
  std::string with(static_cast<const char*>(pattern), pattern_size);
  return enqueue(queue, 0x1207, false, count, waits, event, [=] {
    for (size_t at = 0; at + with.size() <= size; at += with.size())
      std::memcpy(buffer->bytes.data() + offset + at, with.data(), with.size());
  });
}
int32_t clEnqueueReadBufferRect(Handle queue, Handle handle, uint32_t blocking, const size_t*, const size_t*,
                                const size_t* region, size_t, size_t, size_t, size_t, void* to,
                                uint32_t count, const Handle* waits, Handle* event) {
  Buffer* buffer = object_of<Buffer>(handle);
  const size_t size = region[0] * region[1] * region[2];  // rows that lie one behind the other
  return enqueue(queue, 0x1201, blocking != 0, count, waits, event,
                 [=] { std::memcpy(to, buffer->bytes.data(), size); });
}
void* clEnqueueMapBuffer(Handle queue, Handle handle, uint32_t blocking, uint64_t, size_t offset, size_t,
                         uint32_t count, const Handle* waits, Handle* event, int32_t* error) {
  const int32_t result = enqueue(queue, 0x11FB, blocking != 0, count, waits, event, {});
  if (error != nullptr) *error = result;
  return object_of<Buffer>(handle)->bytes.data() + offset;
}
int32_t clEnqueueUnmapMemObject(Handle queue, Handle, void*, uint32_t count, const Handle* waits,
                                Handle* event) {
  return enqueue(queue, 0x11FD, false, count, waits, event, {});
}
int32_t clEnqueueMarkerWithWaitList(Handle queue, uint32_t count, const Handle* waits, Handle* event) {
  return enqueue(queue, 0x11FE, false, count, waits, event, {});
}
int32_t clEnqueueBarrierWithWaitList(Handle queue, uint32_t count, const Handle* waits, Handle* event) {
  return enqueue(queue, 0x1205, false, count, waits, event, {});
}
int32_t clFlush(Handle) {
  return abi::kSuccess;
}
int32_t clWaitForEvents(uint32_t count, const Handle* events);
int32_t clReleaseEvent(Handle event);
/// By functions that programs call, too: what a library calls of its own is no call of the program.
int32_t clFinish(Handle queue) {
  Handle event = nullptr;
  const int32_t result = clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event);
  if (result != abi::kSuccess) return result;
  clWaitForEvents(1, &event);
  return clReleaseEvent(event);
}

Handle clCreateUserEvent(Handle, int32_t* error) {
  return made(new Event, error);
}
int32_t clSetUserEventStatus(Handle event, int32_t status) {
  object_of<Event>(event)->set(status);
  return abi::kSuccess;
}
int32_t clWaitForEvents(uint32_t count, const Handle* events) {
  for (uint32_t i = 0; i < count; ++i) object_of<Event>(events[i])->wait();
  return abi::kSuccess;
}
int32_t clRetainEvent(Handle e) {
  return retain(e);
}
int32_t clReleaseEvent(Handle e) {
  return release(e);
}
int32_t clGetEventInfo(Handle handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  Event* event = object_of<Event>(handle);
  std::lock_guard hold(event->lock);
  if (what == abi::kEventCommandQueue)
    return give_value<Handle>(event->queue != nullptr ? handle_of(event->queue) : nullptr, room, to, bytes);
  if (what == abi::kEventCommandExecutionStatus) return give_value(event->status, room, to, bytes);
  if (what == abi::kEventReferenceCount) return give_value(event->references.load(), room, to, bytes);
  return abi::kInvalidValue;
}
int32_t clSetEventCallback(Handle handle, int32_t, abi::Notify notify, void* user) {
  Event* event = object_of<Event>(handle);
  int32_t status;
  {
    std::lock_guard hold(event->lock);
    status = event->status;
    if (status > 0) event->told.emplace_back(notify, user);
  }
  if (status <= 0) notify(handle, status, user);
  return abi::kSuccess;
}
int32_t clGetEventProfilingInfo(Handle handle, uint32_t what, size_t room, void* to, size_t* bytes) {
  Event* event = object_of<Event>(handle);
  if (event->queue == nullptr || (event->queue->properties & abi::kProfiling) == 0)
    return abi::kNoProfilingInfo;
  {
    std::lock_guard hold(event->lock);
    if (event->status != abi::kComplete) return abi::kNoProfilingInfo;
  }
  const int64_t when[] = {event->queued, event->submitted, event->started, event->ended};
  if (what < abi::kProfilingQueued || what > abi::kProfilingEnd) return abi::kInvalidValue;
  return give_value(device_of(when[what - abi::kProfilingQueued]), room, to, bytes);
}

void* clGetExtensionFunctionAddress(const char* name);

#pragma GCC visibility pop
}  // extern "C"

namespace {

template <typename F>
abi::Entry any(F* function) {
  return reinterpret_cast<abi::Entry>(function);
}

__attribute__((constructor)) void fill_table() {
#define HAS(name) g_table[abi::k##name] = any(cl##name)
  HAS(GetPlatformIDs), HAS(GetPlatformInfo), HAS(GetDeviceIDs), HAS(GetDeviceInfo),
      HAS(GetDeviceAndHostTimer);
  HAS(CreateContext), HAS(RetainContext), HAS(ReleaseContext), HAS(GetContextInfo);
  HAS(CreateCommandQueue), HAS(CreateCommandQueueWithProperties), HAS(RetainCommandQueue),
      HAS(ReleaseCommandQueue);
  HAS(GetCommandQueueInfo), HAS(CreateBuffer), HAS(RetainMemObject), HAS(ReleaseMemObject),
      HAS(GetMemObjectInfo);
  HAS(CreateProgramWithSource), HAS(BuildProgram), HAS(GetProgramInfo), HAS(GetProgramBuildInfo),
      HAS(RetainProgram), HAS(ReleaseProgram);
  HAS(CreateKernel), HAS(RetainKernel), HAS(ReleaseKernel), HAS(GetKernelInfo), HAS(SetKernelArg);
  HAS(EnqueueNDRangeKernel), HAS(EnqueueReadBuffer), HAS(EnqueueWriteBuffer), HAS(EnqueueCopyBuffer);
  HAS(EnqueueFillBuffer), HAS(EnqueueReadBufferRect), HAS(EnqueueMapBuffer), HAS(EnqueueUnmapMemObject);
  HAS(EnqueueMarkerWithWaitList), HAS(EnqueueBarrierWithWaitList), HAS(Flush), HAS(Finish);
  HAS(CreateUserEvent), HAS(SetUserEventStatus), HAS(WaitForEvents), HAS(RetainEvent), HAS(ReleaseEvent);
  HAS(GetEventInfo), HAS(SetEventCallback), HAS(GetEventProfilingInfo), HAS(GetExtensionFunctionAddress);
#undef HAS
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void* clGetExtensionFunctionAddress(const char* name) {
  return std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? reinterpret_cast<void*>(clIcdGetPlatformIDsKHR)
                                                          : nullptr;
}
