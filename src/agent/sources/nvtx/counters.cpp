// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of NVTX's counter extension. A sample of a plain number is one record of two slots; one of a
// structure, or many at once, is a payload.
#include "agent/sources/nvtx/filter.h"

#include <cstring>

#include "agent/sources/nvtx/payload.h"
#include "agent/sources/nvtx/registered.h"

namespace sextant::agent::nvtx {

using spool::first_word;
using spool::Kind;
using spool::PayloadUse;
using spool::second_word;

namespace {

void add_meaning(Bytes& to, const abi::Semantics* s) {
  uint64_t time = 0;
  const abi::CounterMeaning* counter = nullptr;
  for (int i = 0; s != nullptr && i < 16; ++i, s = s->next) {
    if (s->id == abi::kTimeSemantics && s->size >= sizeof(abi::TimeOfEntry))
      time = reinterpret_cast<const abi::TimeOfEntry*>(s)->time_domain;
    if (s->id == abi::kCounterSemantics && s->size >= sizeof(abi::CounterMeaning))
      counter = reinterpret_cast<const abi::CounterMeaning*>(s);
  }
  to.number(time);
  to.number(counter != nullptr ? counter->flags : 0);
  to.text(counter != nullptr ? counter->unit : nullptr);
  to.number(counter != nullptr ? counter->scale_numerator : 1);
  to.number(counter != nullptr ? counter->scale_denominator : 1);
  to.number(counter != nullptr ? static_cast<uint64_t>(counter->limit_type) : 0);
  to.number(counter != nullptr ? counter->min : 0);
  to.number(counter != nullptr ? counter->max : 0);
}

uint64_t counter_register(Handle* domain, const abi::CounterAttributes* a) {
  if (a == nullptr || a->size < offsetof(abi::CounterAttributes, id)) return 0;
  uint64_t id = a->size >= sizeof *a && a->id != 0 ? a->id : next_dynamic_id();
  DescriptionBuffer memory;
  if (memory.get() == nullptr) return 0;
  Bytes bytes(memory.get(), kMaxDescriptionBytes);
  bytes.text(a->name);
  bytes.text(a->description);
  bytes.number(a->schema);
  bytes.number(a->scope);
  add_meaning(bytes, a->semantics);
  keep_registered(spool::Registered::kCounter, domain, id, memory.get(), bytes.size());
  return id;
}

void sample(Handle* domain, uint64_t counter, uint64_t bits, uint32_t flags) {
  if (!wanted_now(domain)) return;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  record_registered(t);
  uint64_t words[4] = {first_word(stamp, Kind::kCounter), second_word(0, number_of(t, domain), 2, flags),
                       counter, bits};
  record<2>(t, words);
}

void sample_int64(Handle* domain, uint64_t counter, int64_t value) {
  sample(domain, counter, static_cast<uint64_t>(value), 0);
}

void sample_float64(Handle* domain, uint64_t counter, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  sample(domain, counter, bits, spool::kCounterReal);
}

void sample_no_value(Handle* domain, uint64_t counter, uint8_t reason) {
  sample(domain, counter, reason, spool::kCounterMissing);
}

void sample_data(Handle* domain, uint64_t counter, const void* value, size_t size) {
  if (value == nullptr || !wanted_now(domain)) return;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  abi::PayloadData data = {0, size, value};
  record_payloads(t, stamp, number_of(t, domain), PayloadUse::kSample, counter, &data, 1);
}

void batch_submit(Handle* domain, const abi::CounterBatchData* batch) {
  if (batch == nullptr || batch->counters == nullptr || !wanted_now(domain)) return;
  uint64_t stamp = now();
  ThreadBlock* t = this_thread();
  if (t == nullptr) return;
  abi::PayloadData data[2] = {{batch->flags, batch->bytes, batch->counters},
                              {0, batch->timestamps_bytes, batch->timestamps}};
  bool timed = batch->timestamps != nullptr && batch->timestamps_bytes != 0;
  record_payloads(t, stamp, number_of(t, domain), PayloadUse::kSampleBatch, batch->counter, data,
                  timed ? 2 : 1);
}

template <typename F>
abi::Function any(F* function) {
  return reinterpret_cast<abi::Function>(function);
}

}  // namespace

const Entry* counter_entries(uint32_t* count) {
  static const Entry kEntries[] = {
      {abi::kCounterRegister, any(counter_register)}, {abi::kCounterInt64, any(sample_int64)},
      {abi::kCounterFloat64, any(sample_float64)},    {abi::kCounterSample, any(sample_data)},
      {abi::kCounterNoValue, any(sample_no_value)},   {abi::kCounterBatch, any(batch_submit)},
  };
  *count = sizeof kEntries / sizeof kEntries[0];
  return kEntries;
}

}  // namespace sextant::agent::nvtx
