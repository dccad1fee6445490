// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that make objects. What they make is remembered also while nothing is recorded.
#include "agent/core/names.h"
#include "agent/sources/opencl/call.h"

namespace sextant::agent::opencl {

using abi::Handle;

namespace {

using event::opencl_argument::Kind;
using event::opencl_program::Origin;

using ContextNotify = void (*)(const char*, const void*, size_t, void*);

void made_context(ThreadBlock* t, Handle made, const intptr_t*, uint32_t, const Handle*, ContextNotify,
                  void*) {
  Context* context = add_context(made);
  if (t != nullptr) record_context(t, context);
}
void made_context_of_type(ThreadBlock* t, Handle made, const intptr_t*, uint64_t, ContextNotify, void*) {
  Context* context = add_context(made);
  if (t != nullptr) record_context(t, context);
}

// Memory

void made_buffer(ThreadBlock*, Handle made, Handle, uint64_t, size_t, void*) {
  add_memory(made, Kind::kMemory);
}
void made_buffer_with(ThreadBlock*, Handle made, Handle, const uint64_t*, uint64_t, size_t, void*) {
  add_memory(made, Kind::kMemory);
}
void made_sub_buffer(ThreadBlock*, Handle made, Handle, uint64_t, uint32_t, const void*) {
  add_memory(made, Kind::kMemory);
}
void made_image(ThreadBlock*, Handle made, Handle, uint64_t, const void*, const void*, void*) {
  add_memory(made, Kind::kMemory);
}
void made_image_with(ThreadBlock*, Handle made, Handle, const uint64_t*, uint64_t, const void*, const void*,
                     void*) {
  add_memory(made, Kind::kMemory);
}
void made_image_2d(ThreadBlock*, Handle made, Handle, uint64_t, const void*, size_t, size_t, size_t, void*) {
  add_memory(made, Kind::kMemory);
}
void made_image_3d(ThreadBlock*, Handle made, Handle, uint64_t, const void*, size_t, size_t, size_t, size_t,
                   size_t, void*) {
  add_memory(made, Kind::kMemory);
}
void made_pipe(ThreadBlock*, Handle made, Handle, uint64_t, uint32_t, uint32_t, const intptr_t*) {
  add_memory(made, Kind::kMemory);
}
void made_from_gl_buffer(ThreadBlock*, Handle made, Handle, uint64_t, uint32_t) {
  add_memory(made, Kind::kMemory);
}
void made_from_gl_texture(ThreadBlock*, Handle made, Handle, uint64_t, uint32_t, int32_t, uint32_t) {
  add_memory(made, Kind::kMemory);
}
void made_sampler(ThreadBlock*, Handle made, Handle, uint32_t, uint32_t, uint32_t) {
  add_memory(made, Kind::kSampler);
}
void made_sampler_with(ThreadBlock*, Handle made, Handle, const uint64_t*) {
  add_memory(made, Kind::kSampler);
}
void made_user_event(ThreadBlock*, Handle, Handle) {}

// Programs and kernels

/// What a program is made from, in pieces.
struct Origins {
  uint64_t bytes = 0, hash = 0;
  void add(const void* from, size_t size) {
    bytes += size;
    if (from != nullptr) hash = hash * 31 + hash_bytes(static_cast<const char*>(from), size);
  }
};
void note_program(ThreadBlock* t, Handle made, Handle context, Origin origin, const Origins& of) {
  Program* program = add_program(made, context, origin, of.bytes, of.hash);
  if (t != nullptr) record_program(t, program);
}
void made_from_source(ThreadBlock* t, Handle made, Handle context, uint32_t count, const char** texts,
                      const size_t* lengths) {
  Origins of;
  for (uint32_t i = 0; texts != nullptr && i < count; ++i)
    of.add(texts[i], lengths != nullptr && lengths[i] != 0 ? lengths[i] : __builtin_strlen(texts[i]));
  note_program(t, made, context, Origin::kSource, of);
}
void made_from_binary(ThreadBlock* t, Handle made, Handle context, uint32_t count, const Handle*,
                      const size_t* lengths, const uint8_t** binaries, int32_t*) {
  Origins of;
  for (uint32_t i = 0; lengths != nullptr && binaries != nullptr && i < count; ++i)
    of.add(binaries[i], lengths[i]);
  note_program(t, made, context, Origin::kBinary, of);
}
void made_from_il(ThreadBlock* t, Handle made, Handle context, const void* il, size_t length) {
  Origins of;
  of.add(il, length);
  note_program(t, made, context, Origin::kIl, of);
}
void made_from_built_in(ThreadBlock* t, Handle made, Handle context, uint32_t, const Handle*, const char*) {
  note_program(t, made, context, Origin::kBuiltIn, {});
}
void made_kernel(ThreadBlock*, Handle made, Handle program, const char* name) {
  add_kernel(made, program, name);
}
void cloned_kernel(ThreadBlock*, Handle made, Handle original) {
  Kernel* clone = add_kernel(made, nullptr, nullptr);
  const Kernel* from = kernel_of(original);
  for (uint32_t i = 0; clone != nullptr && from != nullptr && i < kMostArguments; ++i)
    clone->argument[i] = from->argument[i];
}
int32_t make_kernels(Handle program, uint32_t room, Handle* kernels, uint32_t* made) {
  using F = int32_t (*)(Handle, uint32_t, Handle*, uint32_t*);
  ThreadBlock* t = recording_thread(abi::kCreateKernelsInProgram);
  uint32_t own = 0;
  uint32_t* count = made != nullptr ? made : &own;
  const uint64_t begin = now();
  const int32_t result = next<F>(abi::kCreateKernelsInProgram)(program, room, kernels, count);
  const uint64_t end = now();
  for (uint32_t i = 0; result == abi::kSuccess && kernels != nullptr && i < *count && i < room; ++i)
    add_kernel(kernels[i], program, nullptr);
  if (t != nullptr) record_call(t, abi::kCreateKernelsInProgram, begin, end, result, 0);
  return result;
}

// Queues: they measure, also where the program did not ask

Queue* note_queue(ThreadBlock* t, Handle made, Handle context, Handle device, uint64_t asked,
                  uint64_t properties) {
  Queue* queue = add_queue(made, context, device, asked, properties);
  if (t == nullptr || queue == nullptr) return queue;
  record_queue(t, queue);
  if (queue->device != nullptr) read_clock(t, queue->device, UINT64_MAX);
  return queue;
}

Handle make_queue(Handle context, Handle device, uint64_t asked, int32_t* error) {
  using F = Handle (*)(Handle, Handle, uint64_t, int32_t*);
  const auto below = next<F>(abi::kCreateCommandQueue);
  ThreadBlock* t = recording_thread(abi::kCreateCommandQueue);
  int32_t own = abi::kSuccess;
  int32_t* result = error != nullptr ? error : &own;
  uint64_t properties = asked | (profiling_forced() ? abi::kProfiling : 0);
  const uint64_t begin = now();
  Handle made = below(context, device, properties, result);
  if (made == nullptr && properties != asked) made = below(context, device, properties = asked, result);
  const uint64_t end = now();
  if (made != nullptr) note_queue(t, made, context, device, asked, properties);
  if (t != nullptr) record_call(t, abi::kCreateCommandQueue, begin, end, *result, 0);
  return made;
}

/// The program's list of properties with profiling added; its number of words. 0: left alone.
uint32_t force_profiling(const uint64_t* list, uint64_t* to, uint64_t* asked) {
  uint32_t n = 0;
  bool found = false;
  for (; list != nullptr && list[n] != 0; n += 2) {
    if (n + 5 > kMostProperties) return 0;
    to[n] = list[n];
    to[n + 1] = list[n + 1];
    if (list[n] != abi::kQueueProperties) continue;
    *asked = list[n + 1];
    to[n + 1] |= abi::kProfiling;
    found = true;
  }
  if (!found) {
    to[n++] = abi::kQueueProperties;
    to[n++] = abi::kProfiling;
  }
  to[n++] = 0;
  return (*asked & abi::kOnDevice) != 0 || !profiling_forced() ? 0 : n;  // queues on the device: not ours
}

Handle make_queue_with(Handle context, Handle device, const uint64_t* list, int32_t* error) {
  using F = Handle (*)(Handle, Handle, const uint64_t*, int32_t*);
  const auto below = next<F>(abi::kCreateCommandQueueWithProperties);
  ThreadBlock* t = recording_thread(abi::kCreateCommandQueueWithProperties);
  int32_t own = abi::kSuccess;
  int32_t* result = error != nullptr ? error : &own;
  uint64_t asked = 0, changed[kMostProperties];
  const bool force = force_profiling(list, changed, &asked) != 0;
  uint64_t properties = asked | (force ? abi::kProfiling : 0);
  const uint64_t begin = now();
  Handle made = below(context, device, force ? changed : list, result);
  if (made == nullptr && force) {
    made = below(context, device, list, result);
    properties = asked;
  }
  const uint64_t end = now();
  Queue* queue = made != nullptr ? note_queue(t, made, context, device, asked, properties) : nullptr;
  for (uint32_t n = 0; queue != nullptr && list != nullptr && n < kMostProperties; ++n) {
    queue->list[n] = list[n];
    if (list[n] == 0 && n % 2 == 0) {
      queue->listed = n + 1;
      break;
    }
  }
  if (t != nullptr) record_call(t, abi::kCreateCommandQueueWithProperties, begin, end, *result, 0);
  return made;
}

}  // namespace

const Hook* making_hooks(uint32_t* count) {
#define MAKE(number, made) \
  { abi::number, any(Make<abi::number, &made>::call) }
  static const Hook kHooks[] = {
      MAKE(kCreateContext, made_context),
      MAKE(kCreateContextFromType, made_context_of_type),
      MAKE(kCreateBuffer, made_buffer),
      MAKE(kCreateBufferWithProperties, made_buffer_with),
      MAKE(kCreateSubBuffer, made_sub_buffer),
      MAKE(kCreateImage, made_image),
      MAKE(kCreateImageWithProperties, made_image_with),
      MAKE(kCreateImage2D, made_image_2d),
      MAKE(kCreateImage3D, made_image_3d),
      MAKE(kCreatePipe, made_pipe),
      MAKE(kCreateFromGLBuffer, made_from_gl_buffer),
      MAKE(kCreateFromGLTexture, made_from_gl_texture),
      MAKE(kCreateSampler, made_sampler),
      MAKE(kCreateSamplerWithProperties, made_sampler_with),
      MAKE(kCreateUserEvent, made_user_event),
      MAKE(kCreateProgramWithSource, made_from_source),
      MAKE(kCreateProgramWithBinary, made_from_binary),
      MAKE(kCreateProgramWithIL, made_from_il),
      MAKE(kCreateProgramWithBuiltInKernels, made_from_built_in),
      MAKE(kCreateKernel, made_kernel),
      MAKE(kCloneKernel, cloned_kernel),
      {abi::kCreateKernelsInProgram, any(make_kernels)},
      {abi::kCreateCommandQueue, any(make_queue)},
      {abi::kCreateCommandQueueWithProperties, any(make_queue_with)},
  };
#undef MAKE
  *count = sizeof kHooks / sizeof kHooks[0];
  return kHooks;
}

}  // namespace sextant::agent::opencl
