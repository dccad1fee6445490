// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of what is not NVTX's own: threads, CUDA and OpenCL objects, locks; and the life of synchronisation
// objects that a program builds for itself.
#include "agent/sources/nvtx/abi_modules.h"

#include <cstring>

#include "agent/sources/nvtx/callbacks.h"
#include "agent/sources/nvtx/filter.h"
#include "agent/sources/nvtx/handles.h"

namespace sextant::agent::nvtx {

using spool::first_word;
using spool::Kind;
using spool::second_word;

namespace {

uint32_t message_id(ThreadBlock* t, int32_t type, const void* message) {
  if (message == nullptr) return 0;
  if (type == abi::kAscii) return agent::name_of(&t->names, t->arena, static_cast<const char*>(message));
  if (type == abi::kWide) return intern_wide(static_cast<const wchar_t*>(message));
  if (type == abi::kRegistered) return name_of(static_cast<Handle*>(const_cast<void*>(message)), t->epoch);
  return 0;
}

/// What the client holds for a resource or a synchronisation object.
struct Object {
  Handle* domain;
  uint32_t type;  // of a resource
  uint64_t identifier;
};

Object* new_object(Handle* domain, uint32_t type, uint64_t identifier) {
  auto* object = static_cast<Object*>(allocate_for_ever(sizeof(Object)));
  if (object != nullptr) *object = {domain, type, identifier};
  return object;
}

void record_resource(const Object& object, const Object* handle, spool::ResourceAction action, int32_t type,
                     const void* message) {
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  uint64_t words[6] = {first_word(stamp, Kind::kResource),
                       second_word(message_id(t, type, message), number_of(t, object.domain), 3, 0),
                       object.identifier,
                       uint64_t{static_cast<uint8_t>(action)} << 32 | object.type,
                       reinterpret_cast<uint64_t>(handle),
                       0};
  record<3>(t, words);
}

Object* resource_create(Handle* domain, const abi::ResourceAttributes* given) {
  if (given == nullptr || given->size < offsetof(abi::ResourceAttributes, message_type)) return nullptr;
  abi::ResourceAttributes a{};
  std::memcpy(&a, given, given->size < sizeof a ? given->size : sizeof a);
  Object* object = new_object(domain, a.type, a.identifier);
  if (object != nullptr)
    record_resource(*object, object, spool::ResourceAction::kName, a.message_type, a.message);
  return object;
}

void resource_destroy(Object* object) {
  if (object != nullptr) record_resource(*object, object, spool::ResourceAction::kDestroy, 0, nullptr);
}

/// nvtxNameCuStreamA and its like: the number or address of the object, and its name.
template <uint32_t kType, int32_t kMessage>
void name_object(uint64_t identifier, const void* name) {
  bool is_number = kType == abi::kCuDevice || kType == abi::kCudaDevice;  // an int: the upper half is noise
  if (is_number) identifier = static_cast<uint32_t>(identifier);
  record_resource({nullptr, kType, identifier}, nullptr, spool::ResourceAction::kName, kMessage, name);
}

// Synchronisation objects of the program's own

void record_sync(Object* object, spool::SyncAction action, int32_t type, const void* message) {
  if (object == nullptr || !wanted_now(object->domain)) return;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  uint64_t words[4] = {first_word(stamp, Kind::kSync),
                       second_word(message_id(t, type, message), number_of(t, object->domain), 2, 0),
                       reinterpret_cast<uint64_t>(object), static_cast<uint64_t>(action)};
  record<2>(t, words);
}

Object* sync_create(Handle* domain, const abi::SyncAttributes* given) {
  if (given == nullptr || given->size < 4) return nullptr;
  abi::SyncAttributes a{};
  std::memcpy(&a, given, given->size < sizeof a ? given->size : sizeof a);
  Object* object = new_object(domain, 0, 0);
  if (object == nullptr) return nullptr;
  // Its name is a resource's, so that it is there also where the recording began later.
  Object named = {domain, 0, reinterpret_cast<uint64_t>(object)};
  record_resource(named, object, spool::ResourceAction::kName, a.message_type, a.message);
  record_sync(object, spool::SyncAction::kCreate, a.message_type, a.message);
  return object;
}

template <spool::SyncAction kAction>
void sync_event(Object* object) {
  record_sync(object, kAction, 0, nullptr);
}

template <typename F>
abi::Function any(F* function) {
  return reinterpret_cast<abi::Function>(function);
}

template <uint32_t kModule>
uintptr_t unknown_call() {
  uint64_t stamp = now();
  if (ThreadBlock* t = this_thread()) {
    uint64_t words[2] = {first_word(stamp, Kind::kUnknownCall), second_word(kModule, 0, 1, 0)};
    spool::append<SegmentSource, 1>(&t->ring, words);
  }
  return 0;
}

#define NAMED(number, type)                               \
  {(number), any(name_object<abi::type, abi::kAscii>)}, { \
    (number) + 1, any(name_object<abi::type, abi::kWide>) \
  }

constexpr uint32_t kFirst = 1;

}  // namespace

const Entry* naming_entries(uint32_t module, uint32_t* count) {
  static const Entry kCudaEntries[] = {NAMED(kFirst, kCuDevice), NAMED(3, kCuContext), NAMED(5, kCuStream),
                                       NAMED(7, kCuEvent)};
  static const Entry kCudaRtEntries[] = {NAMED(kFirst, kCudaDevice), NAMED(3, kCudaStream),
                                         NAMED(5, kCudaEvent)};
  static const Entry kOpenClEntries[] = {
      NAMED(kFirst, kClDevice), NAMED(3, kClContext),  NAMED(5, kClQueue), NAMED(7, kClMemory),
      NAMED(9, kClSampler),     NAMED(11, kClProgram), NAMED(13, kClEvent)};
  static const Entry kCore2Entries[] = {{abi::kDomainResourceCreate, any(resource_create)},
                                        {abi::kDomainResourceDestroy, any(resource_destroy)}};
  static const Entry kSyncEntries[] = {
      {abi::kSyncCreate, any(sync_create)},
      {abi::kSyncDestroy, any(sync_event<spool::SyncAction::kDestroy>)},
      {abi::kSyncAcquireStart, any(sync_event<spool::SyncAction::kAcquireStart>)},
      {abi::kSyncAcquireFailed, any(sync_event<spool::SyncAction::kAcquireFailed>)},
      {abi::kSyncAcquireSuccess, any(sync_event<spool::SyncAction::kAcquireSuccess>)},
      {abi::kSyncReleasing, any(sync_event<spool::SyncAction::kReleasing>)}};
  switch (module) {
    case abi::kCuda:
      *count = sizeof kCudaEntries / sizeof(Entry);
      return kCudaEntries;
    case abi::kCudaRt:
      *count = sizeof kCudaRtEntries / sizeof(Entry);
      return kCudaRtEntries;
    case abi::kOpenCl:
      *count = sizeof kOpenClEntries / sizeof(Entry);
      return kOpenClEntries;
    case abi::kCore2:
      *count = sizeof kCore2Entries / sizeof(Entry);
      return kCore2Entries;
    case abi::kSync:
      *count = sizeof kSyncEntries / sizeof(Entry);
      return kSyncEntries;
    default:
      *count = 0;
      return nullptr;
  }
}

abi::Function unknown_function(uint32_t module) {
  static const abi::Function kFunctions[] = {any(unknown_call<0>), any(unknown_call<1>), any(unknown_call<2>),
                                             any(unknown_call<3>), any(unknown_call<4>), any(unknown_call<5>),
                                             any(unknown_call<6>), any(unknown_call<7>)};
  return kFunctions[module < 8 ? module : 0];
}

}  // namespace sextant::agent::nvtx
