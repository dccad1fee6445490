// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The agent as an OpenCL layer: what it calls in turn, and whether a call is to be recorded.
#pragma once

#include "agent/core/thread.h"
#include "agent/sources/nvtx/capture.h"
#include "agent/sources/opencl/abi.h"
#include "event/schema_opencl.h"

namespace sextant::agent::opencl {

extern abi::Entry g_next[abi::kFunctionCount];  // nullptr: whoever called us has no such function
extern std::atomic<uint32_t> g_epoch;           // of the process that called clInitLayer

/// The function below ours.
template <typename F>
[[gnu::always_inline]] inline F next(abi::Function number) {
  return reinterpret_cast<F>(g_next[number]);
}

/// What `get` tells of an object; {} where it tells nothing.
template <typename T>
T value(abi::Function get, abi::Handle object, uint32_t what) {
  T out{};
  const auto function = next<abi::GetInfo>(get);
  if (function == nullptr || function(object, what, sizeof out, &out, nullptr) != abi::kSuccess) return T{};
  return out;
}

/// The calling thread's block if calls are recorded now. nullptr: pass the call on and that is all. A fork
/// child of the process that began with OpenCL is not followed: its calls are counted.
ThreadBlock* in_fork_child(ThreadBlock* t, abi::Function number);
[[gnu::always_inline]] inline ThreadBlock* recording_thread(abi::Function number) {
  if (__builtin_expect(g_setup.control->collecting.load(std::memory_order_relaxed) == 0, 0)) return nullptr;
  if (__builtin_expect(nvtx::g_filter != nullptr, 0) && !nvtx::capture_open()) return nullptr;
  ThreadBlock* t = this_thread();
  if (__builtin_expect(t == nullptr, 0)) return nullptr;
  if (__builtin_expect(t->epoch != g_epoch.load(std::memory_order_relaxed), 0))
    return in_fork_child(t, number);
  return t;
}

inline bool profiling_forced() {
  return (g_setup.control->flags & spool::kForceProfiling) != 0;
}

/// An entry point that is not traced was used.
void record_untraced(ThreadBlock* t, const char* name, event::opencl_untraced_call::How how);

void hook_that_is_not_in_the_list();
/// A function that opencl_functions.def has as hooked; another does not compile.
struct Hooked {
  // NOLINTNEXTLINE(google-explicit-constructor): it is the number
  consteval Hooked(abi::Function function) : number(function) {
    if (!abi::kHooked[function]) hook_that_is_not_in_the_list();
  }
  abi::Function number;
};

/// Our functions, by number.
struct Hook {
  Hooked of;
  abi::Entry function;
};
const Hook* command_hooks(uint32_t* count);
const Hook* call_hooks(uint32_t* count);
const Hook* build_hooks(uint32_t* count);
const Hook* making_hooks(uint32_t* count);
const Hook* query_hooks(uint32_t* count);

template <typename F>
abi::Entry any(F* function) {
  return reinterpret_cast<abi::Entry>(function);
}

}  // namespace sextant::agent::opencl
