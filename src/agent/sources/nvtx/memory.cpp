// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of NVTX's memory extension: heaps, regions and permissions, each call as one record a region.
#include "agent/sources/nvtx/filter.h"

#include <cstring>

#include "agent/sources/nvtx/payload.h"

namespace sextant::agent::nvtx {

using spool::first_word;
using spool::Kind;
using spool::second_word;

namespace {

constexpr size_t kMostRegions = 1u << 20;  // of one call

std::atomic<uint64_t> g_objects{1};

/// What a client holds; only its value matters.
uint64_t new_object() {
  return g_objects.fetch_add(1, std::memory_order_relaxed) << 4;
}

struct Call {
  uint64_t object = 0;
  uint32_t action = 0, flags = 0;
  uint64_t address = 0, bytes = 0, parent = 0;
  uint32_t category = 0, type = 0;
  int32_t message_type = 0;
  const void* message = nullptr;
};

void record_call(Handle* domain, const Call& call) {
  if (!domain_wanted(domain)) return;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  uint32_t name = 0;
  if (call.message != nullptr && call.message_type == abi::kAscii)
    name = agent::name_of(&t->names, t->arena, static_cast<const char*>(call.message));
  if (call.message != nullptr && call.message_type == abi::kWide)
    name = intern_wide(static_cast<const wchar_t*>(call.message));
  if (call.message != nullptr && call.message_type == abi::kRegistered)
    name = name_of(static_cast<Handle*>(const_cast<void*>(call.message)), t->epoch);
  uint64_t words[8] = {first_word(stamp, Kind::kMemory),
                       second_word(name, number_of(t, domain), 4, 0),
                       call.object,
                       call.action | uint64_t{call.flags} << 32,
                       call.address,
                       call.bytes,
                       call.parent,
                       call.category | uint64_t{call.type} << 32};
  record<4>(t, words);
}

/// The n-th element of a batch, whose elements may be longer than those known here.
template <typename T>
T element(const void* elements, size_t element_size, size_t n) {
  T out{};
  size_t size = element_size < sizeof out ? element_size : sizeof out;
  std::memcpy(&out, static_cast<const uint8_t*>(elements) + n * element_size, size);
  return out;
}

template <typename Batch>
size_t count_of(const Batch* batch) {
  if (batch == nullptr || batch->elements == nullptr || batch->element_size == 0) return 0;
  return batch->count < kMostRegions ? batch->count : kMostRegions;
}

uint64_t heap_register(Handle* domain, const abi::HeapDescription* d) {
  if (d == nullptr) return 0;
  Call call{new_object(), abi::kHeapRegister};
  call.flags = d->usage;
  call.type = d->type;
  call.category = d->category;
  call.message_type = static_cast<int32_t>(d->message_type);
  call.message = d->message;
  if (d->type == abi::kVirtualAddress && d->description != nullptr &&
      d->description_size >= sizeof(abi::VirtualRange)) {
    auto range = element<abi::VirtualRange>(d->description, d->description_size, 0);
    call.address = reinterpret_cast<uint64_t>(range.address);
    call.bytes = range.size;
  }
  record_call(domain, call);
  return call.object;
}
void heap_unregister(Handle* domain, uint64_t heap) {
  record_call(domain, {heap, abi::kHeapUnregister});
}
void heap_reset(Handle* domain, uint64_t heap) {
  record_call(domain, {heap, abi::kHeapReset});
}

Call region_call(uint32_t action, uint32_t type, const void* elements, size_t element_size, size_t n) {
  Call call{0, action};
  call.type = type;
  if (type != abi::kVirtualAddress) return call;
  auto range = element<abi::VirtualRange>(elements, element_size, n);
  call.address = reinterpret_cast<uint64_t>(range.address);
  call.bytes = range.size;
  return call;
}

void regions_register(Handle* domain, const abi::RegionsWithWord* batch) {
  for (size_t i = 0; i < count_of(batch); ++i) {
    Call call = region_call(abi::kRegionsRegister, batch->type, batch->elements, batch->element_size, i);
    call.parent = batch->word;
    call.object = new_object();
    if (batch->handles != nullptr) batch->handles[i] = reinterpret_cast<void*>(call.object);
    record_call(domain, call);
  }
}
void regions_resize(Handle* domain, const abi::Regions* batch) {
  for (size_t i = 0; i < count_of(batch); ++i)
    record_call(domain,
                region_call(abi::kRegionsResize, batch->type, batch->elements, batch->element_size, i));
}

/// A region is named by its handle or by its address.
void refer(Call* call, uint32_t reference_type, uint64_t region) {
  constexpr uint32_t kByPointer = 1;
  call->type = reference_type;
  (reference_type == kByPointer ? call->address : call->object) = region;
}

void regions_unregister(Handle* domain, const abi::Regions* batch) {
  for (size_t i = 0; i < count_of(batch); ++i) {
    Call call{0, abi::kRegionsUnregister};
    refer(&call, batch->type, element<uint64_t>(batch->elements, batch->element_size, i));
    record_call(domain, call);
  }
}
void regions_name(Handle* domain, const abi::Regions* batch) {
  for (size_t i = 0; i < count_of(batch); ++i) {
    auto name = element<abi::RegionName>(batch->elements, batch->element_size, i);
    Call call{0, abi::kRegionsName};
    refer(&call, name.reference_type, name.region);
    call.category = name.category;
    call.message_type = static_cast<int32_t>(name.message_type);
    call.message = name.message;
    record_call(domain, call);
  }
}
void permissions_assign(Handle* domain, const abi::RegionsWithWord* batch) {
  for (size_t i = 0; i < count_of(batch); ++i) {
    auto given = element<abi::RegionPermissions>(batch->elements, batch->element_size, i);
    Call call{0, abi::kPermissionsAssign, given.flags};
    refer(&call, given.reference_type, given.region);
    call.parent = batch->word;
    record_call(domain, call);
  }
}
uint64_t permissions_create(Handle* domain, int32_t flags) {
  Call call{new_object(), abi::kPermissionsCreate, static_cast<uint32_t>(flags)};
  record_call(domain, call);
  return call.object;
}
void permissions_destroy(Handle* domain, uint64_t permissions) {
  record_call(domain, {permissions, abi::kPermissionsDestroy});
}
void permissions_reset(Handle* domain, uint64_t permissions) {
  record_call(domain, {permissions, abi::kPermissionsReset});
}
void permissions_bind(Handle* domain, uint64_t permissions, uint32_t scope, uint32_t flags) {
  Call call{permissions, abi::kPermissionsBind, flags};
  call.type = scope;
  record_call(domain, call);
}
void permissions_unbind(Handle* domain, uint32_t scope) {
  Call call{0, abi::kPermissionsUnbind};
  call.type = scope;
  record_call(domain, call);
}
uint64_t cuda_process_permissions(Handle* domain) {
  Call call{new_object(), abi::kCudaProcessPermissions};
  record_call(domain, call);
  return call.object;
}
uint64_t cuda_device_permissions(Handle* domain, int device) {
  Call call{new_object(), abi::kCudaDevicePermissions};
  call.type = static_cast<uint32_t>(device);
  record_call(domain, call);
  return call.object;
}
void cuda_peer_access(Handle* domain, uint64_t permissions, int peer, uint32_t flags) {
  Call call{permissions, abi::kCudaPeerAccess, flags};
  call.type = static_cast<uint32_t>(peer);
  record_call(domain, call);
}
void cuda_mark_initialized(Handle* domain, uint64_t stream, uint8_t, const abi::Regions* batch) {
  for (size_t i = 0; i < count_of(batch); ++i) {
    Call call = region_call(abi::kCudaMarkInitialized, batch->type, batch->elements, batch->element_size, i);
    call.parent = stream;
    record_call(domain, call);
  }
}

template <typename F>
abi::Function any(F* function) {
  return reinterpret_cast<abi::Function>(function);
}

}  // namespace

const Entry* memory_entries(uint32_t* count) {
  static const Entry kEntries[] = {
      {abi::kHeapRegister, any(heap_register)},
      {abi::kHeapUnregister, any(heap_unregister)},
      {abi::kHeapReset, any(heap_reset)},
      {abi::kRegionsRegister, any(regions_register)},
      {abi::kRegionsResize, any(regions_resize)},
      {abi::kRegionsUnregister, any(regions_unregister)},
      {abi::kRegionsName, any(regions_name)},
      {abi::kPermissionsAssign, any(permissions_assign)},
      {abi::kPermissionsCreate, any(permissions_create)},
      {abi::kPermissionsDestroy, any(permissions_destroy)},
      {abi::kPermissionsReset, any(permissions_reset)},
      {abi::kPermissionsBind, any(permissions_bind)},
      {abi::kPermissionsUnbind, any(permissions_unbind)},
      {abi::kCudaProcessPermissions, any(cuda_process_permissions)},
      {abi::kCudaDevicePermissions, any(cuda_device_permissions)},
      {abi::kCudaPeerAccess, any(cuda_peer_access)},
      {abi::kCudaMarkInitialized, any(cuda_mark_initialized)},
  };
  *count = sizeof kEntries / sizeof kEntries[0];
  return kEntries;
}

}  // namespace sextant::agent::nvtx
