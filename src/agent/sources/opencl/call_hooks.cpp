// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that synchronise, release, build, or ask for functions that are not traced. Queries, retains and the
// arguments of kernels are many and take no time: they have no rows, unless they fail (arguments).
#include "agent/sources/opencl/call.h"

#include <cstring>

namespace sextant::agent::opencl {

using abi::Handle;

namespace {

// Arguments of kernels: their sizes

constexpr uint64_t kValue = 0, kMemoryArgument = 1, kSampler = 2, kLocal = 3, kSvm = 4;

void note_argument(Handle handle, uint32_t index, uint64_t kind, uint64_t bytes) {
  Kernel* kernel = kernel_of(handle);
  if (kernel == nullptr || index >= kMostArguments) return;
  spool::opencl::Argument& argument = kernel->argument[index];
  if (argument.kind == kind && argument.bytes == bytes) return;
  argument = {kind, bytes};
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
    note_argument(kernel, index, value == nullptr ? kLocal : kValue, size);
  return result;
}

int32_t set_kernel_arg_svm(Handle kernel, uint32_t index, const void* value) {
  using F = int32_t (*)(Handle, uint32_t, const void*);
  const int32_t result = next<F>(abi::kSetKernelArgSVMPointer)(kernel, index, value);
  if (result == abi::kSuccess) note_argument(kernel, index, kSvm, 0);
  return result;
}
static_assert(kMemoryArgument == 1 && kSampler == 2);  // Memory::kind

// Builds

struct Build {
  uint64_t begin;
  uint32_t options;
  uint16_t step;
  Program* program;
};

void record_build(ThreadBlock* t, const Build& build, uint64_t end, int32_t result, int32_t status) {
  if (build.program != nullptr) record_program(t, build.program);
  uint64_t words[8] = {spool::first_word(build.begin, spool::Kind::kClBuild),
                       spool::second_word(build.options, build.step, 4, 0),
                       end - build.begin,
                       build.program != nullptr ? build.program->number : 0,
                       static_cast<uint32_t>(result) | uint64_t{static_cast<uint32_t>(status)} << 32,
                       0,
                       0,
                       0};
  record<4>(t, words);
}

/// A program's own function that is called when a build in the background is done, and what we add.
struct Notice {
  std::atomic<uint32_t> taken;
  abi::ProgramNotify notify;
  void* user;
  Build build;
};
constexpr uint32_t kNotices = 64;  // at a time; more are not timed to their end
Notice g_notices[kNotices];

Notice* take_notice(abi::ProgramNotify notify, void* user) {
  for (Notice& notice : g_notices) {
    uint32_t free = 0;
    if (!notice.taken.compare_exchange_strong(free, 1, std::memory_order_acquire)) continue;
    notice.notify = notify;
    notice.user = user;
    return &notice;
  }
  return nullptr;
}

void on_built(Handle program, void* user) {
  const uint64_t end = now();
  auto* notice = static_cast<Notice*>(user);
  const abi::ProgramNotify notify = notice->notify;
  void* theirs = notice->user;
  const Build build = notice->build;
  notice->taken.store(0, std::memory_order_release);
  if (ThreadBlock* t = recording_thread(abi::kBuildProgram)) record_build(t, build, end, 0, 0);
  notify(program, theirs);
}

uint32_t options_of(ThreadBlock* t, const char* options) {
  return options != nullptr ? agent::name_of(&t->names, t->arena, options) : 0;
}

/// `call(notify, user)` builds. Records its call and, if it is not done in the background, the build.
template <typename Call>
int32_t build(ThreadBlock* t, abi::Function function, const Build& what, abi::ProgramNotify notify,
              void* user, Call call) {
  Notice* notice = notify != nullptr ? take_notice(notify, user) : nullptr;
  Build own = what;
  own.begin = now();
  if (notice != nullptr) notice->build = own;
  const int32_t result = notice != nullptr ? call(on_built, static_cast<void*>(notice)) : call(notify, user);
  const uint64_t end = now();
  record_call(t, function, own.begin, end, result, 0);
  if (notice != nullptr && result != abi::kSuccess)
    notice->taken.store(0, std::memory_order_release);  // it is not called where the build was refused
  if (notice == nullptr || result != abi::kSuccess)
    record_build(t, own, end, result, result == abi::kSuccess ? notify != nullptr ? -3 : 0 : -2);
  return result;
}

int32_t build_program(Handle program, uint32_t devices, const Handle* list, const char* options,
                      abi::ProgramNotify notify, void* user) {
  using F = int32_t (*)(Handle, uint32_t, const Handle*, const char*, abi::ProgramNotify, void*);
  const auto below = next<F>(abi::kBuildProgram);
  ThreadBlock* t = recording_thread(abi::kBuildProgram);
  if (t == nullptr) return below(program, devices, list, options, notify, user);
  return build(t, abi::kBuildProgram, {0, options_of(t, options), 0, program_of(program)}, notify, user,
               [&](abi::ProgramNotify n, void* u) { return below(program, devices, list, options, n, u); });
}

int32_t compile_program(Handle program, uint32_t devices, const Handle* list, const char* options,
                        uint32_t headers, const Handle* header_list, const char** names,
                        abi::ProgramNotify notify, void* user) {
  using F = int32_t (*)(Handle, uint32_t, const Handle*, const char*, uint32_t, const Handle*, const char**,
                        abi::ProgramNotify, void*);
  const auto below = next<F>(abi::kCompileProgram);
  ThreadBlock* t = recording_thread(abi::kCompileProgram);
  if (t == nullptr) return below(program, devices, list, options, headers, header_list, names, notify, user);
  return build(t, abi::kCompileProgram, {0, options_of(t, options), 1, program_of(program)}, notify, user,
               [&](abi::ProgramNotify n, void* u) {
                 return below(program, devices, list, options, headers, header_list, names, n, u);
               });
}

/// The linked program is new; in the background it is known before it is done.
Handle link_program(Handle context, uint32_t devices, const Handle* list, const char* options,
                    uint32_t programs, const Handle* program_list, abi::ProgramNotify notify, void* user,
                    int32_t* error) {
  using F = Handle (*)(Handle, uint32_t, const Handle*, const char*, uint32_t, const Handle*,
                       abi::ProgramNotify, void*, int32_t*);
  const auto below = next<F>(abi::kLinkProgram);
  constexpr uint32_t kLinked = 4;
  int32_t own = abi::kSuccess;
  int32_t* result = error != nullptr ? error : &own;
  ThreadBlock* t = recording_thread(abi::kLinkProgram);
  const uint64_t begin = now();
  Handle made = below(context, devices, list, options, programs, program_list, notify, user, result);
  const uint64_t end = now();
  Program* program = made != nullptr ? add_program(made, context, kLinked, 0) : nullptr;
  if (t == nullptr) return made;
  record_call(t, abi::kLinkProgram, begin, end, *result, 0);
  record_build(t, {begin, options_of(t, options), 2, program}, end, *result,
               *result != abi::kSuccess ? -2
               : notify != nullptr      ? -3
                                        : 0);
  return made;
}

// Functions that are asked for by name

void note_asked(abi::Function function, const char* name, const void* found) {
  if (found == nullptr || name == nullptr) return;
  if (ThreadBlock* t = recording_thread(function)) record_untraced(t, name, 1);
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
      {abi::kBuildProgram, any(build_program)},
      {abi::kCompileProgram, any(compile_program)},
      {abi::kLinkProgram, any(link_program)},
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
