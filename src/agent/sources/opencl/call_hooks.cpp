// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that synchronise, release, or ask for functions that are not traced. Queries, retains and the
// arguments of kernels are many and take no time: they have no rows, unless they fail (arguments).
#include "agent/sources/opencl/call.h"

#include <cstring>

namespace sextant::agent::opencl {

using abi::Handle;

namespace {

// Arguments of kernels: their sizes

using event::opencl_argument::Kind;

void note_argument(Handle handle, uint32_t index, Kind kind, uint64_t bytes) {
  Kernel* kernel = kernel_of(handle);
  if (kernel == nullptr || index >= kMostArguments) return;
  spool::opencl::Argument& argument = kernel->argument[index];
  const uint64_t number = static_cast<uint64_t>(kind);
  if (argument.kind == number && argument.bytes == bytes) return;
  argument = {number, bytes};
  kernel->changed.store(1, std::memory_order_relaxed);
}

int32_t set_kernel_arg(Handle kernel, uint32_t index, size_t size, const void* value) {
  using F = int32_t (*)(Handle, uint32_t, size_t, const void*);
  const uint64_t begin = now();
  const int32_t result = next<F>(abi::kSetKernelArg)(kernel, index, size, value);
  if (result != abi::kSuccess) {
    if (ThreadBlock* t = recording_thread(abi::kSetKernelArg))
      record_call(t, abi::kSetKernelArg, begin, now(), result, 0);
    return result;
  }
  const Memory* memory = nullptr;
  if (size == sizeof(Handle) && value != nullptr) {
    Handle handle;
    std::memcpy(&handle, value, sizeof handle);
    memory = memory_of(handle);
  }
  if (memory != nullptr)
    note_argument(kernel, index, memory->kind, memory->bytes);
  else
    note_argument(kernel, index, value == nullptr ? Kind::kLocal : Kind::kValue, size);
  return result;
}

int32_t set_kernel_arg_svm(Handle kernel, uint32_t index, const void* value) {
  using F = int32_t (*)(Handle, uint32_t, const void*);
  const int32_t result = next<F>(abi::kSetKernelArgSVMPointer)(kernel, index, value);
  if (result == abi::kSuccess) note_argument(kernel, index, Kind::kSvm, 0);
  return result;
}

// Functions that are asked for by name

void note_asked(abi::Function function, const char* name, const void* found) {
  if (found == nullptr || name == nullptr) return;
  if (ThreadBlock* t = recording_thread(function))
    record_untraced(t, name, event::opencl_untraced_call::How::kAskedFor);
}
void* extension_address(const char* name) {
  using F = void* (*)(const char*);
  void* found = next<F>(abi::kGetExtensionFunctionAddress)(name);
  note_asked(abi::kGetExtensionFunctionAddress, name, found);
  return found;
}
void* extension_address_for_platform(Handle platform, const char* name) {
  using F = void* (*)(Handle, const char*);
  void* found = next<F>(abi::kGetExtensionFunctionAddressForPlatform)(platform, name);
  note_asked(abi::kGetExtensionFunctionAddressForPlatform, name, found);
  return found;
}

void* svm_alloc(Handle context, uint64_t flags, size_t size, uint32_t alignment) {
  using F = void* (*)(Handle, uint64_t, size_t, uint32_t);
  ThreadBlock* t = recording_thread(abi::kSVMAlloc);
  const uint64_t begin = now();
  void* memory = next<F>(abi::kSVMAlloc)(context, flags, size, alignment);
  constexpr int32_t kNoMemory = -4;
  if (t != nullptr)
    record_call(t, abi::kSVMAlloc, begin, now(), memory != nullptr ? abi::kSuccess : kNoMemory, 0);
  return memory;
}
void svm_free(Handle context, void* memory) {
  using F = void (*)(Handle, void*);
  ThreadBlock* t = recording_thread(abi::kSVMFree);
  const uint64_t begin = now();
  next<F>(abi::kSVMFree)(context, memory);
  if (t != nullptr) record_call(t, abi::kSVMFree, begin, now(), abi::kSuccess, 0);
}

}  // namespace

const Hook* call_hooks(uint32_t* count) {
#define PLAIN(number, ...) \
  { abi::number, any(Plain<abi::number, __VA_ARGS__>::call) }
  static const Hook kHooks[] = {
      PLAIN(kGetPlatformIDs, uint32_t, Handle*, uint32_t*),
      PLAIN(kGetDeviceIDs, Handle, uint64_t, uint32_t, Handle*, uint32_t*),
      PLAIN(kWaitForEvents, uint32_t, const Handle*),
      PLAIN(kSetUserEventStatus, Handle, int32_t),
      PLAIN(kReleaseContext, Handle),
      PLAIN(kReleaseMemObject, Handle),
      PLAIN(kReleaseProgram, Handle),
      PLAIN(kReleaseKernel, Handle),
      {abi::kFlush, any(OfQueue<abi::kFlush>::call)},
      {abi::kFinish, any(OfQueue<abi::kFinish>::call)},
      {abi::kReleaseCommandQueue, any(OfQueue<abi::kReleaseCommandQueue>::call)},
      {abi::kEnqueueBarrier, any(OfQueue<abi::kEnqueueBarrier>::call)},
      {abi::kEnqueueWaitForEvents, any(OfQueue<abi::kEnqueueWaitForEvents, uint32_t, const Handle*>::call)},
      {abi::kSetKernelArg, any(set_kernel_arg)},
      {abi::kSetKernelArgSVMPointer, any(set_kernel_arg_svm)},
      {abi::kGetExtensionFunctionAddress, any(extension_address)},
      {abi::kGetExtensionFunctionAddressForPlatform, any(extension_address_for_platform)},
      {abi::kSVMAlloc, any(svm_alloc)},
      {abi::kSVMFree, any(svm_free)},
  };
#undef PLAIN
  *count = sizeof kHooks / sizeof kHooks[0];
  return kHooks;
}

}  // namespace sextant::agent::opencl
