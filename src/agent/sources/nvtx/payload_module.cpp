// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of NVTX's payload extension.
#include "agent/sources/nvtx/filter.h"

#include <alloca.h>

#include <cstring>

#include "agent/sources/nvtx/payload.h"
#include "agent/sources/nvtx/registered.h"
#include "agent/sources/nvtx/schema_texts.h"

namespace sextant::agent::nvtx {

using abi::PayloadData;
using spool::first_word;
using spool::Kind;
using spool::PayloadUse;
using spool::second_word;

namespace {

constexpr size_t kMostEntries = 4096;

// Registrations

void add_semantics(Bytes& to, const abi::Semantics* s) {
  uint64_t scope = 0, time = 0;
  const abi::CounterMeaning* counter = nullptr;
  for (int i = 0; s != nullptr && i < 16; ++i, s = s->next) {
    if (s->id == abi::kScopeSemantics && s->size >= sizeof(abi::ScopeOfEntry))
      scope = reinterpret_cast<const abi::ScopeOfEntry*>(s)->scope;
    if (s->id == abi::kTimeSemantics && s->size >= sizeof(abi::TimeOfEntry))
      time = reinterpret_cast<const abi::TimeOfEntry*>(s)->time_domain;
    if (s->id == abi::kCounterSemantics && s->size >= sizeof(abi::CounterMeaning))
      counter = reinterpret_cast<const abi::CounterMeaning*>(s);
  }
  to.number(scope);
  to.number(time);
  to.number(counter != nullptr ? counter->flags : 0);
  to.text(counter != nullptr ? counter->unit : nullptr);
  to.number(counter != nullptr ? counter->scale_numerator : 1);
  to.number(counter != nullptr ? counter->scale_denominator : 1);
  to.number(counter != nullptr ? static_cast<uint64_t>(counter->limit_type) : 0);
  to.number(counter != nullptr ? counter->min : 0);
  to.number(counter != nullptr ? counter->max : 0);
}

uint64_t schema_register(Handle* domain, const abi::SchemaAttributes* given) {
  if (given == nullptr || (given->mask & abi::kSchemaEntries) == 0 || given->entries == nullptr) return 0;
  abi::SchemaAttributes a = *given;  // the last field, which older clients lack, is not touched
  if ((a.mask & abi::kSchemaEntryCount) == 0) a.entry_count = 0;
  if (a.entry_count > kMostEntries) a.entry_count = kMostEntries;
  uint64_t id = (a.mask & abi::kSchemaId) != 0 && a.id != 0 ? a.id : next_dynamic_id();
  DescriptionBuffer memory;
  if (memory.get() == nullptr) return 0;
  Bytes bytes(memory.get(), kMaxDescriptionBytes);
  bytes.text((a.mask & abi::kSchemaName) != 0 ? a.name : nullptr);
  bytes.number((a.mask & abi::kSchemaType) != 0 ? a.type : abi::kStaticSchema);
  bytes.number((a.mask & abi::kSchemaFlags) != 0 ? a.flags : 0);
  bytes.number((a.mask & abi::kSchemaSize) != 0 ? a.static_size : 0);
  bytes.number((a.mask & abi::kSchemaAlignment) != 0 ? a.alignment : 0);
  bytes.number(a.entry_count);
  for (size_t i = 0; i < a.entry_count && bytes.whole; ++i) {
    const abi::SchemaEntry& e = a.entries[i];
    bytes.number(e.flags);
    bytes.number(e.type);
    bytes.text(e.name);
    bytes.text(e.description);
    bytes.number(e.detail);
    bytes.number(e.offset);
    add_semantics(bytes, static_cast<const abi::Semantics*>(e.semantics));
  }
  remember_schema_texts(id, a);
  keep_registered(spool::Registered::kSchema, domain, id, memory.get(), bytes.size());
  return id;
}

uint64_t enum_register(Handle* domain, const abi::EnumAttributes* a) {
  if (a == nullptr || (a->mask & abi::kEnumEntries) == 0 || a->entries == nullptr) return 0;
  size_t count = (a->mask & abi::kEnumEntryCount) != 0 ? a->entry_count : 0;
  if (count > kMostEntries) count = kMostEntries;
  uint64_t id = (a->mask & abi::kEnumId) != 0 && a->id != 0 ? a->id : next_dynamic_id();
  DescriptionBuffer memory;
  if (memory.get() == nullptr) return 0;
  Bytes bytes(memory.get(), kMaxDescriptionBytes);
  bytes.text((a->mask & abi::kEnumName) != 0 ? a->name : nullptr);
  bytes.number((a->mask & abi::kEnumSize) != 0 ? a->size : sizeof(int));
  bytes.number(count);
  for (size_t i = 0; i < count && bytes.whole; ++i) {
    bytes.text(a->entries[i].name);
    bytes.number(a->entries[i].value);
    bytes.number(a->entries[i].is_flag != 0);
  }
  remember_enum_layout(id, (a->mask & abi::kEnumSize) != 0 ? a->size : sizeof(int));
  keep_registered(spool::Registered::kEnum, domain, id, memory.get(), bytes.size());
  return id;
}

uint64_t scope_register(Handle* domain, const abi::ScopeAttributes* a) {
  if (a == nullptr || a->size < offsetof(abi::ScopeAttributes, id)) return 0;
  uint64_t id = a->size >= sizeof *a && a->id != 0 ? a->id : next_dynamic_id();
  constexpr size_t kLongestPath = 4096, kNumbers = 64;
  size_t room = kNumbers + (a->path != nullptr ? strnlen(a->path, kLongestPath) : 0);
  char* memory = static_cast<char*>(alloca(room));
  Bytes bytes(memory, room);
  bytes.text(a->path);
  bytes.number(a->parent);
  keep_registered(spool::Registered::kScope, domain, id, memory, bytes.size());
  return id;
}

uint64_t time_domain_register(Handle* domain, const abi::TimeDomainAttributes* a) {
  if (a == nullptr) return 0;
  uint64_t id = a->id != 0 ? a->id : next_dynamic_id();
  char memory[64];
  Bytes bytes(memory, sizeof memory);
  bytes.number(a->scope);
  bytes.number(a->timestamp_type);
  bytes.number(a->timer_flags);
  bytes.number(static_cast<uint64_t>(a->resolution));
  bytes.number(a->start);
  keep_registered(spool::Registered::kTimeDomain, domain, id, memory, bytes.size());
  return id;
}

/// The tool may ask the program's own timer; Sextant takes its own stamps beside what it is given.
void timer_source(Handle*, uint64_t, uint64_t, void*) {}
void timer_source_with_data(Handle*, uint64_t, uint64_t, void*, void*) {}

void time_sync(Handle* domain, uint64_t from, uint64_t to, int64_t source, int64_t destination,
               uint64_t slope) {
  char memory[64];
  Bytes bytes(memory, sizeof memory);
  bytes.number(to);
  bytes.number(static_cast<uint64_t>(source));
  bytes.number(static_cast<uint64_t>(destination));
  bytes.number(slope);
  keep_registered(spool::Registered::kTimeSync, domain, from, memory, bytes.size());
}
void time_sync_point(Handle* domain, uint64_t first, uint64_t second, int64_t at_first, int64_t at_second) {
  time_sync(domain, first, second, at_first, at_second, 0);
}
void time_sync_point_table(Handle* domain, uint64_t from, uint64_t to, const abi::SyncPoint* points,
                           size_t count) {
  for (size_t i = 0; points != nullptr && i < count && i < kMostEntries; ++i)
    time_sync(domain, from, to, points[i].source, points[i].destination, 0);
}
void timestamp_conversion(Handle* domain, uint64_t from, uint64_t to, double slope, int64_t source,
                          int64_t destination) {
  uint64_t bits;
  std::memcpy(&bits, &slope, sizeof bits);
  time_sync(domain, from, to, source, destination, bits);
}

int64_t timestamp_get() {
  return static_cast<int64_t>(now());
}

// Events

/// The event's name is in its payload: the collector finds it there.
void begin(ThreadBlock* t, uint64_t stamp, Kind kind, uint16_t domain, const PayloadData* payloads,
           size_t count) {
  uint64_t event = next_event(t);
  record_payloads(t, stamp, domain, PayloadUse::kEvent, event, payloads, count);
  uint64_t words[6] = {first_word(stamp, kind),
                       second_word(0, domain, 3, spool::kHasAttributes),
                       0,
                       static_cast<uint64_t>(spool::PayloadType::kExtended) << 8,
                       event,
                       0};
  record<3>(t, words);
}

void mark_payload(Handle* domain, const PayloadData* payloads, size_t count) {
  if (!wanted_now(domain)) return;
  uint64_t stamp = now();
  if (ThreadBlock* t = this_thread()) begin(t, stamp, Kind::kMark, number_of(t, domain), payloads, count);
}

int push_payload(Handle* domain, const PayloadData* payloads, size_t count) {
  int level = 0;
  if (!push_wanted(domain, &level)) return level;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return 0;
  uint16_t number = number_of(t, domain);
  begin(t, stamp, Kind::kPush, number, payloads, count);
  return (*level_of(t, number))++;
}

int pop_payload(Handle* domain, const PayloadData* payloads, size_t count) {
  int level = 0;
  if (!pop_wanted(domain, &level)) return level;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return 0;
  uint16_t number = number_of(t, domain);
  record_payloads(t, stamp, number, PayloadUse::kPop, next_event(t), payloads, count);
  uint64_t words[2] = {first_word(stamp, Kind::kPop), second_word(0, number, 1, 0)};
  record<1>(t, words);
  int32_t* depth = level_of(t, number);
  return *depth > 0 ? --*depth : -1;
}

uint64_t start_payload(Handle* domain, const PayloadData* payloads, size_t count) {
  if (!wanted_now(domain)) return kNotRecordedRange;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return 0;
  uint16_t number = number_of(t, domain);
  uint64_t id = next_event(t);
  record_payloads(t, stamp, number, PayloadUse::kEvent, id, payloads, count);
  uint64_t words[8] = {first_word(stamp, Kind::kStart),
                       second_word(0, number, 4, spool::kHasAttributes),
                       id,
                       0,
                       0,
                       static_cast<uint64_t>(spool::PayloadType::kExtended) << 8,
                       id,
                       0};
  record<4>(t, words);
  return id;
}

void end_payload(Handle* domain, uint64_t id, const PayloadData* payloads, size_t count) {
  if (id == kNotRecordedRange) return;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  uint16_t number = number_of(t, domain);
  record_payloads(t, stamp, number, PayloadUse::kEnd, id, payloads, count);
  uint64_t words[4] = {first_word(stamp, Kind::kEnd), second_word(0, number, 2, 0), id, 0};
  record<2>(t, words);
}

uint8_t is_enabled(Handle* domain) {
  return domain_wanted(domain) ? 1 : 0;
}

/// Events whose times are in their payloads.
void event_submit(Handle* domain, const PayloadData* payloads, size_t count) {
  if (!wanted_now(domain)) return;
  uint64_t stamp = now();
  if (ThreadBlock* t = this_thread())
    record_payloads(t, stamp, number_of(t, domain), PayloadUse::kSubmitted, next_event(t), payloads, count);
}

void event_batch_submit(Handle* domain, const abi::EventBatch* batch) {
  if (batch == nullptr || !wanted_now(domain)) return;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  PayloadData data = {batch->schema, batch->size, batch->events};
  record_payloads(t, stamp, number_of(t, domain), PayloadUse::kBatch, next_event(t), &data, 1);
}

template <typename F>
abi::Function any(F* function) {
  return reinterpret_cast<abi::Function>(function);
}

}  // namespace

const Entry* payload_entries(uint32_t* count) {
  static const Entry kEntries[] = {
      {abi::kSchemaRegister, any(schema_register)},
      {abi::kEnumRegister, any(enum_register)},
      {abi::kMarkPayload, any(mark_payload)},
      {abi::kPushPayload, any(push_payload)},
      {abi::kPopPayload, any(pop_payload)},
      {abi::kStartPayload, any(start_payload)},
      {abi::kEndPayload, any(end_payload)},
      {abi::kIsEnabled, any(is_enabled)},
      {abi::kTimestampGet, any(timestamp_get)},
      {abi::kTimeDomainRegister, any(time_domain_register)},
      {abi::kTimerSource, any(timer_source)},
      {abi::kTimerSourceWithData, any(timer_source_with_data)},
      {abi::kScopeRegister, any(scope_register)},
      {abi::kTimeSyncPoint, any(time_sync_point)},
      {abi::kTimeSyncPointTable, any(time_sync_point_table)},
      {abi::kTimestampConversion, any(timestamp_conversion)},
      {abi::kEventSubmit, any(event_submit)},
      {abi::kEventBatchSubmit, any(event_batch_submit)},
  };
  *count = sizeof kEntries / sizeof kEntries[0];
  return kEntries;
}

}  // namespace sextant::agent::nvtx
