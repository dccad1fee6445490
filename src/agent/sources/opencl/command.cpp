// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/opencl/command.h"

#include <cstring>

#include "agent/core/pool.h"

namespace sextant::agent::opencl {

using spool::first_word;
using spool::Kind;
using spool::second_word;

namespace {

constexpr uint32_t kFirstFlights = 1u << 14;
constexpr uint32_t kFlightLevels = 4;  // 16 Ki, 64 Ki, 256 Ki, 1 Mi commands at a time

/// A command between its call and its end: what its record will say.
struct alignas(64) Flight {
  std::atomic<uint32_t> taken;
  uint32_t launch;
  uint64_t correlation, bytes, called, call_took;
  abi::Handle event;  // of which we have a reference; nullptr when it is not taken
  uint32_t queue, device, context;
  uint16_t function;
  uint8_t flags;
};
static_assert(sizeof(Flight) == 64);

std::atomic<Flight*> g_flights[kFlightLevels];
std::atomic<uint64_t> g_correlation;

Flight* flights(uint32_t level) {
  return mapped_once(&g_flights[level], (size_t{kFirstFlights} << 2 * level) * sizeof(Flight));
}

/// The place that belongs to the number, in the first level where it is free: no list that threads fight for.
Flight* take_flight(uint64_t correlation) {
  for (uint32_t level = 0; level < kFlightLevels; ++level) {
    Flight* table = flights(level);
    if (table == nullptr) return nullptr;
    Flight* flight = &table[correlation & ((kFirstFlights << 2 * level) - 1)];
    uint32_t free = 0;
    if (flight->taken.load(std::memory_order_relaxed) == 0 &&
        flight->taken.compare_exchange_strong(free, 1, std::memory_order_acquire))
      return flight;
  }
  return nullptr;
}

void free_flight(Flight* flight) {
  flight->event = nullptr;
  flight->taken.store(0, std::memory_order_release);
}

/// False: the driver has none (yet).
bool read_stamps(abi::Handle event, uint64_t stamps[4]) {
  constexpr uint32_t kWhich[4] = {abi::kProfilingQueued, abi::kProfilingSubmit, abi::kProfilingStart,
                                  abi::kProfilingEnd};
  const auto get = next<abi::GetInfo>(abi::kGetEventProfilingInfo);
  for (int i = 0; i < 4; ++i)
    if (get(event, kWhich[i], sizeof stamps[i], &stamps[i], nullptr) != abi::kSuccess) return false;
  return true;
}

void record_done(ThreadBlock* t, uint64_t seen, const Flight& flight, int32_t status,
                 const uint64_t stamps[4], uint32_t flags) {
  uint64_t words[12] = {first_word(seen, Kind::kClDone),
                        second_word(flight.launch, flight.function, 6, flags),
                        flight.correlation,
                        flight.bytes,
                        flight.called,
                        flight.call_took,
                        flight.queue | uint64_t{flight.device} << 32,
                        flight.context | uint64_t{static_cast<uint32_t>(status)} << 32,
                        stamps[0],
                        stamps[1],
                        stamps[2],
                        stamps[3]};
  record<6>(t, words);
}

/// On a thread of the driver, or within the call where the command was done already.
void on_complete(abi::Handle event, int32_t status, void* user) {
  const uint64_t seen = now();
  auto* place = static_cast<Flight*>(user);
  Flight flight{};
  std::memcpy(static_cast<void*>(&flight), place, sizeof flight);
  uint64_t stamps[4] = {};
  uint32_t flags = flight.flags;
  if (status == abi::kComplete && !read_stamps(event, stamps)) flags |= spool::opencl::kNoStamps;
  if (ThreadBlock* t = this_thread()) record_done(t, seen, flight, status, stamps, flags);
  next<abi::OneHandle>(abi::kReleaseEvent)(event);
  free_flight(place);
}

static_assert(sizeof(spool::opencl::Launch) % 8 == 0);

bool same_launch(const spool::opencl::Launch& a, const spool::opencl::Launch& b) {
  uint64_t differs = 0;
  constexpr size_t kWords = sizeof a / 8;
  uint64_t x[kWords], y[kWords];
  std::memcpy(x, &a, sizeof a);
  std::memcpy(y, &b, sizeof b);
  for (size_t i = 0; i < kWords; ++i) differs |= x[i] ^ y[i];
  return differs == 0;
}

/// The id of the kernel's set of arguments as they are now.
uint32_t argument_set(Kernel* kernel) {
  if (kernel->arguments == 0 || kernel->arguments > kMostArguments) return 0;
  if (kernel->changed.exchange(0, std::memory_order_relaxed) != 0)
    kernel->set = intern(reinterpret_cast<const char*>(kernel->argument),
                         kernel->arguments * sizeof kernel->argument[0]);
  return kernel->set;
}

}  // namespace

bool is_followed(abi::Handle event) {
  for (uint32_t level = 0; level < kFlightLevels; ++level) {
    const Flight* table = g_flights[level].load(std::memory_order_acquire);
    if (table == nullptr) return false;
    for (uint32_t i = 0; i < kFirstFlights << 2 * level; ++i)
      if (table[i].event == event && table[i].taken.load(std::memory_order_acquire) != 0) return true;
  }
  return false;
}

void describe_launch(Command* command, Kernel* kernel, uint32_t dimensions, const size_t* offset,
                     const size_t* global, const size_t* local) {
  if (kernel == nullptr) return;
  if (kernel->program != nullptr) record_program(command->thread(), kernel->program);
  spool::opencl::Launch launch{};
  launch.kernel = kernel->name;
  launch.program = kernel->program != nullptr ? kernel->program->number : 0;
  if (kernel->changed.load(std::memory_order_relaxed) != 0) argument_set(kernel);
  launch.arguments = kernel->set;
  launch.dimensions = dimensions;
  for (uint32_t i = 0; i < 3 && i < dimensions; ++i) {
    launch.offset[i] = offset != nullptr ? offset[i] : 0;
    launch.global[i] = global != nullptr ? global[i] : 0;
    launch.local[i] = local != nullptr ? local[i] : 0;
  }
  // Most launches are like the one before. Whoever finds the memory of it in use does without.
  const bool mine = kernel->busy.exchange(1, std::memory_order_acquire) == 0;
  if (mine && kernel->last_id != 0 && same_launch(kernel->last, launch)) {
    command->launch = kernel->last_id;
  } else {
    command->launch = intern(reinterpret_cast<const char*>(&launch), sizeof launch);
    if (mine && command->launch != spool::kNameDropped) {
      kernel->last = launch;
      kernel->last_id = command->launch;
    }
  }
  if (mine) kernel->busy.store(0, std::memory_order_release);
}

/// Asks to hear of the command's end. Our reference to the event goes away with the answer.
void Command::follow(uint64_t after, uint32_t* flags) {
  const abi::Handle event = given_ != nullptr ? *given_ : own_;
  if (event == nullptr) {
    *flags |= spool::opencl::kNotFollowed;
    return;
  }
  const auto release = next<abi::OneHandle>(abi::kReleaseEvent);
  Flight flight{{},
                launch,
                correlation_,
                bytes,
                begin_,
                after - begin_,
                event,
                queue_->number,
                queue_->device->number,
                queue_->context != nullptr ? queue_->context->number : 0,
                static_cast<uint16_t>(function_),
                static_cast<uint8_t>(*flags)};
  uint64_t stamps[4];
  if (blocking && read_stamps(event, stamps)) {
    record_done(thread_, after, flight, abi::kComplete, stamps, *flags);
    if (given_ == nullptr) release(event);
    return;
  }
  Flight* place = take_flight(correlation_);
  if (place != nullptr) {
    std::memcpy(reinterpret_cast<uint8_t*>(place) + sizeof place->taken,
                reinterpret_cast<const uint8_t*>(&flight) + sizeof place->taken,
                sizeof flight - sizeof place->taken);
    if (given_ != nullptr) next<abi::OneHandle>(abi::kRetainEvent)(event);
    if (next<abi::SetEventCallback>(abi::kSetEventCallback)(event, abi::kComplete, on_complete, place) ==
        abi::kSuccess)
      return;
    free_flight(place);
    if (given_ != nullptr) release(event);
  }
  if (given_ == nullptr) release(event);
  *flags |= spool::opencl::kNotFollowed;
}

void Command::finish(int32_t result) {
  const uint64_t after = now();
  uint32_t flags = blocking ? uint32_t{spool::opencl::kBlocking} : 0;
  record_queue(thread_, queue_);
  if (result == abi::kSuccess) {
    correlation_ = g_correlation.fetch_add(1, std::memory_order_relaxed) + 1;
    if (queue_->measures())
      follow(after, &flags);
    else
      flags |= spool::opencl::kNotMeasured;
  }
  uint64_t words[6] = {first_word(begin_, Kind::kClEnqueue),
                       second_word(launch, static_cast<uint16_t>(function_), 3, flags),
                       correlation_,
                       after - begin_,
                       static_cast<uint32_t>(result) | uint64_t{queue_->number} << 32,
                       bytes};
  record<3>(thread_, words);
  if (queue_->device != nullptr) read_clock(thread_, queue_->device, after);
}

}  // namespace sextant::agent::opencl
