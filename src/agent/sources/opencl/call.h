// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls that enqueue nothing: passed on and recorded with what they returned.
#pragma once

#include "agent/sources/opencl/layer.h"
#include "agent/sources/opencl/objects.h"

namespace sextant::agent::opencl {

inline void record_call(ThreadBlock* t, abi::Function function, uint64_t begin, uint64_t end, int32_t result,
                        uint32_t queue) {
  uint64_t words[4] = {
      spool::first_word(begin, spool::Kind::kClCall),
      spool::second_word(static_cast<uint32_t>(result), static_cast<uint16_t>(function), 2, 0), end - begin,
      queue};
  record<2>(t, words);
}

/// A function that returns an error number.
template <abi::Function kFunction, typename... A>
struct Plain {
  using F = int32_t (*)(A...);
  static int32_t call(A... a) {
    ThreadBlock* t = recording_thread(kFunction);
    const uint64_t begin = now();
    const int32_t result = next<F>(kFunction)(a...);
    if (t != nullptr) record_call(t, kFunction, begin, now(), result, 0);
    return result;
  }
};

/// One whose first argument is a queue.
template <abi::Function kFunction, typename... A>
struct OfQueue {
  using F = int32_t (*)(abi::Handle, A...);
  static int32_t call(abi::Handle handle, A... a) {
    ThreadBlock* t = recording_thread(kFunction);
    Queue* queue = t != nullptr ? queue_of(handle) : nullptr;
    const uint32_t number = queue != nullptr ? queue->number : 0;  // it may be gone afterwards
    Device* device = queue != nullptr ? queue->device : nullptr;
    const uint64_t begin = now();
    const int32_t result = next<F>(kFunction)(handle, a...);
    if (t == nullptr) return result;
    const uint64_t end = now();
    record_call(t, kFunction, begin, end, result, number);
    if (device != nullptr) read_clock(t, device, end);
    return result;
  }
};

/// One that returns an object and says how it fared behind its last argument. `kMade` is told what was made;
/// it takes the thread's block or nullptr, the object, and the arguments.
template <abi::Function kFunction, auto kMade, typename = decltype(kMade)>
struct Make;
template <abi::Function kFunction, auto kMade, typename... A>
struct Make<kFunction, kMade, void (*)(ThreadBlock*, abi::Handle, A...)> {
  using F = abi::Handle (*)(A..., int32_t*);
  static abi::Handle call(A... a, int32_t* error) {
    ThreadBlock* t = recording_thread(kFunction);
    int32_t own = abi::kSuccess;
    int32_t* result = error != nullptr ? error : &own;
    const uint64_t begin = now();
    abi::Handle made = next<F>(kFunction)(a..., result);
    const uint64_t end = now();
    if (made != nullptr) kMade(t, made, a...);
    if (t != nullptr) record_call(t, kFunction, begin, end, *result, 0);
    return made;
  }
};

}  // namespace sextant::agent::opencl
