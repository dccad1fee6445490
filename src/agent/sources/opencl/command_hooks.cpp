// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that enqueue commands. What differs between them is what their arguments say of the command.
#include "agent/sources/opencl/command.h"

namespace sextant::agent::opencl {

using abi::Handle;

namespace {

/// A function that enqueues: `kDescribe` takes what stands between the queue and the wait list.
template <abi::Function kFunction, auto kDescribe, typename = decltype(kDescribe)>
struct Enqueue;
template <abi::Function kFunction, auto kDescribe, typename... A>
struct Enqueue<kFunction, kDescribe, void (*)(Command*, A...)> {
  using F = int32_t (*)(Handle, A..., uint32_t, const Handle*, Handle*);
  static int32_t call(Handle queue, A... a, uint32_t waits, const Handle* list, Handle* event) {
    Command command(queue, kFunction);
    if (!command.recorded()) return next<F>(kFunction)(queue, a..., waits, list, event);
    command.bytes = waits;
    kDescribe(&command, a...);
    Handle* passed = command.start(event);
    int32_t result = next<F>(kFunction)(queue, a..., waits, list, passed);
    command.finish(result);
    return result;
  }
};

/// Those that map give an address and say how they fared behind it.
template <abi::Function kFunction, auto kDescribe, typename = decltype(kDescribe)>
struct EnqueueMap;
template <abi::Function kFunction, auto kDescribe, typename... A>
struct EnqueueMap<kFunction, kDescribe, void (*)(Command*, A...)> {
  using F = void* (*)(Handle, A..., uint32_t, const Handle*, Handle*, int32_t*);
  static void* call(Handle queue, A... a, uint32_t waits, const Handle* list, Handle* event, int32_t* error) {
    Command command(queue, kFunction);
    if (!command.recorded()) return next<F>(kFunction)(queue, a..., waits, list, event, error);
    kDescribe(&command, a...);
    int32_t own = abi::kSuccess;
    int32_t* result = error != nullptr ? error : &own;
    Handle* passed = command.start(event);
    void* address = next<F>(kFunction)(queue, a..., waits, list, passed, result);
    command.finish(*result);
    return address;
  }
};

uint64_t volume(const size_t* region) {
  return region != nullptr ? uint64_t{region[0]} * region[1] * region[2] : 0;
}
uint64_t image_bytes(Handle image, const size_t* region) {
  const Memory* memory = memory_of(image);
  return memory != nullptr ? memory->element_bytes * volume(region) : 0;
}

// Kernels

void ndrange(Command* c, Handle kernel, uint32_t dimensions, const size_t* offset, const size_t* global,
             const size_t* local) {
  describe_launch(c, kernel_of(kernel), dimensions, offset, global, local);
}
void task(Command* c, Handle kernel) {
  constexpr size_t kOne = 1;
  describe_launch(c, kernel_of(kernel), 1, nullptr, &kOne, &kOne);
}
void native(Command*, void (*)(void*), void*, size_t, uint32_t, const Handle*, const void**) {}

// Memory

void buffer_transfer(Command* c, Handle, uint32_t blocking, size_t, size_t size, void*) {
  c->bytes = size;
  c->blocking = blocking != 0;
}
void buffer_copy(Command* c, Handle, Handle, size_t, size_t, size_t size) {
  c->bytes = size;
}
void rect_transfer(Command* c, Handle, uint32_t blocking, const size_t*, const size_t*, const size_t* region,
                   size_t, size_t, size_t, size_t, void*) {
  c->bytes = volume(region);
  c->blocking = blocking != 0;
}
void rect_copy(Command* c, Handle, Handle, const size_t*, const size_t*, const size_t* region, size_t, size_t,
               size_t, size_t) {
  c->bytes = volume(region);
}
void image_transfer(Command* c, Handle image, uint32_t blocking, const size_t*, const size_t* region, size_t,
                    size_t, void*) {
  c->bytes = image_bytes(image, region);
  c->blocking = blocking != 0;
}
void image_copy(Command* c, Handle from, Handle, const size_t*, const size_t*, const size_t* region) {
  c->bytes = image_bytes(from, region);
}
void image_to_buffer(Command* c, Handle from, Handle, const size_t*, const size_t* region, size_t) {
  c->bytes = image_bytes(from, region);
}
void buffer_to_image(Command* c, Handle, Handle to, size_t, const size_t*, const size_t* region) {
  c->bytes = image_bytes(to, region);
}
void buffer_fill(Command* c, Handle, const void*, size_t, size_t, size_t size) {
  c->bytes = size;
}
void image_fill(Command* c, Handle image, const void*, const size_t*, const size_t* region) {
  c->bytes = image_bytes(image, region);
}
void buffer_map(Command* c, Handle, uint32_t blocking, uint64_t, size_t, size_t size) {
  c->bytes = size;
  c->blocking = blocking != 0;
}
void image_map(Command* c, Handle image, uint32_t blocking, uint64_t, const size_t*, const size_t* region,
               size_t*, size_t*) {
  c->bytes = image_bytes(image, region);
  c->blocking = blocking != 0;
}
void unmap(Command* c, Handle memory, void*) {
  const Memory* known = memory_of(memory);
  c->bytes = known != nullptr ? known->bytes : 0;
}
void migrate(Command* c, uint32_t count, const Handle* objects, uint64_t) {
  c->bytes = 0;
  for (uint32_t i = 0; objects != nullptr && i < count; ++i)
    if (const Memory* memory = memory_of(objects[i])) c->bytes += memory->bytes;
}

// Shared virtual memory

using SvmFreed = void (*)(Handle, uint32_t, void**, void*);
void svm_free(Command*, uint32_t, void**, SvmFreed, void*) {}
void svm_copy(Command* c, uint32_t blocking, void*, const void*, size_t size) {
  c->bytes = size;
  c->blocking = blocking != 0;
}
void svm_fill(Command* c, void*, const void*, size_t, size_t size) {
  c->bytes = size;
}
void svm_map(Command* c, uint32_t blocking, uint64_t, void*, size_t size) {
  c->bytes = size;
  c->blocking = blocking != 0;
}
void svm_unmap(Command* c, void*) {
  c->bytes = 0;
}
void svm_migrate(Command* c, uint32_t count, const void**, const size_t* sizes, uint64_t) {
  c->bytes = 0;
  for (uint32_t i = 0; sizes != nullptr && i < count; ++i) c->bytes += sizes[i];
}

// Synchronisation

void wait_list(Command*) {}
void objects(Command*, uint32_t, const Handle*) {}  // acquire and release what another interface shares

/// The old marker has no wait list.
int32_t marker(Handle queue, Handle* event) {
  using F = int32_t (*)(Handle, Handle*);
  Command command(queue, abi::kEnqueueMarker);
  if (!command.recorded()) return next<F>(abi::kEnqueueMarker)(queue, event);
  Handle* passed = command.start(event);
  // Without an event it is an error, which must stay one.
  int32_t result = next<F>(abi::kEnqueueMarker)(queue, event != nullptr ? passed : nullptr);
  command.finish(result);
  return result;
}

}  // namespace

const Hook* command_hooks(uint32_t* count) {
#define COMMAND(number, describe) \
  { abi::number, any(Enqueue<abi::number, &describe>::call) }
  static const Hook kHooks[] = {
      COMMAND(kEnqueueNDRangeKernel, ndrange),
      COMMAND(kEnqueueTask, task),
      COMMAND(kEnqueueNativeKernel, native),
      COMMAND(kEnqueueReadBuffer, buffer_transfer),
      COMMAND(kEnqueueWriteBuffer, buffer_transfer),
      COMMAND(kEnqueueCopyBuffer, buffer_copy),
      COMMAND(kEnqueueReadBufferRect, rect_transfer),
      COMMAND(kEnqueueWriteBufferRect, rect_transfer),
      COMMAND(kEnqueueCopyBufferRect, rect_copy),
      COMMAND(kEnqueueReadImage, image_transfer),
      COMMAND(kEnqueueWriteImage, image_transfer),
      COMMAND(kEnqueueCopyImage, image_copy),
      COMMAND(kEnqueueCopyImageToBuffer, image_to_buffer),
      COMMAND(kEnqueueCopyBufferToImage, buffer_to_image),
      COMMAND(kEnqueueFillBuffer, buffer_fill),
      COMMAND(kEnqueueFillImage, image_fill),
      {abi::kEnqueueMapBuffer, any(EnqueueMap<abi::kEnqueueMapBuffer, &buffer_map>::call)},
      {abi::kEnqueueMapImage, any(EnqueueMap<abi::kEnqueueMapImage, &image_map>::call)},
      COMMAND(kEnqueueUnmapMemObject, unmap),
      COMMAND(kEnqueueMigrateMemObjects, migrate),
      COMMAND(kEnqueueSVMFree, svm_free),
      COMMAND(kEnqueueSVMMemcpy, svm_copy),
      COMMAND(kEnqueueSVMMemFill, svm_fill),
      COMMAND(kEnqueueSVMMap, svm_map),
      COMMAND(kEnqueueSVMUnmap, svm_unmap),
      COMMAND(kEnqueueSVMMigrateMem, svm_migrate),
      COMMAND(kEnqueueMarkerWithWaitList, wait_list),
      COMMAND(kEnqueueBarrierWithWaitList, wait_list),
      COMMAND(kEnqueueAcquireGLObjects, objects),
      COMMAND(kEnqueueReleaseGLObjects, objects),
      COMMAND(kEnqueueAcquireEGLObjectsKHR, objects),
      COMMAND(kEnqueueReleaseEGLObjectsKHR, objects),
      {abi::kEnqueueMarker, any(marker)},
  };
#undef COMMAND
  *count = sizeof kHooks / sizeof kHooks[0];
  return kHooks;
}

}  // namespace sextant::agent::opencl
