// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/nvtx/schema_texts.h"

#include <cstring>

namespace sextant::agent::nvtx {

namespace {

constexpr uint32_t kMostTexts = 64;  // of one schema

std::atomic<SchemaTexts*> g_schemas;

/// Bytes of a predefined type, which are also its alignment; 0: not fixed or not known here.
uint32_t type_bytes(uint64_t type) {
  static constexpr uint8_t kBytes[] = {0, 1, 1, 2, 2, 4, 4, 8,  8, 8, 8, 1, 1, 2,
                                       2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 4, 1, 2, 4};
  if (type < sizeof kBytes) return kBytes[type];
  switch (type) {
    case 32:  // byte
      return 1;
    case 42:  // half and brain floats
    case 50:
      return 2;
    case 43:
    case 52:
    case 68:  // category, colour, process and thread numbers
    case 69:
    case 71:
    case 73:
      return 4;
    case 44:
    case 67:
    case 70:
    case 72:
    case 74:
    case abi::kRegisteredText:
      return 8;
    default:
      return 0;
  }
}

const SchemaTexts* find(uint64_t schema) {
  const SchemaTexts* s = g_schemas.load(std::memory_order_acquire);
  while (s != nullptr && s->schema != schema) s = s->next;
  return s;
}

bool is_text(uint64_t type) {
  return type >= abi::kText && type <= abi::kText32;
}

/// Size and alignment of an entry where it lies in its payload. False: not known, and so is what follows.
bool entry_layout(const abi::SchemaEntry& e, uint64_t* bytes, uint64_t* alignment) {
  bool pointer = (e.flags & (abi::kEntryPointer | abi::kEntryFromBase | abi::kEntryFromHere)) != 0;
  uint64_t unit = e.type == abi::kText16 ? 2 : e.type == abi::kText32 ? 4 : 1;
  if ((e.flags & abi::kEntryPointer) != 0 || (is_text(e.type) && e.detail == 0 && !pointer)) {
    *bytes = *alignment = sizeof(void*);
    return true;
  }
  if (is_text(e.type)) {
    *alignment = unit;
    *bytes = unit * e.detail;
    return !pointer;
  }
  *alignment = *bytes = type_bytes(e.type);
  if (const SchemaTexts* nested = e.type >= abi::kFirstSchema ? find(e.type) : nullptr) {
    *bytes = nested->bytes;
    *alignment = nested->alignment;
  }
  uint64_t array = e.flags & abi::kEntryArray;
  if (array == abi::kEntryFixedArray)
    *bytes *= e.detail;
  else if (array != 0)
    return false;
  return *bytes != 0;
}

struct Collected {
  uint32_t count = 0;
  uint64_t bytes = 0, alignment = 1;  // of the whole; 0 bytes: not known
};

Collected collect(const abi::SchemaAttributes& a, SchemaText* to) {
  Collected out;
  bool all = (a.mask & abi::kSchemaFlags) != 0 && (a.flags & abi::kSchemaDeepCopy) != 0;
  uint64_t cap = (a.mask & abi::kSchemaAlignment) != 0 ? a.alignment : 0;
  uint64_t cursor = 0;
  bool known = true;
  for (size_t i = 0; i < a.entry_count && out.count < kMostTexts; ++i) {
    const abi::SchemaEntry& e = a.entries[i];
    uint64_t bytes = 0, alignment = 1;
    bool fits = entry_layout(e, &bytes, &alignment);
    if (cap != 0 && alignment > cap) alignment = cap;
    if (alignment == 0) alignment = 1;
    bool given = i == 0 || e.offset != 0;
    if (!given && !known) continue;
    uint64_t offset = given ? e.offset : (cursor + alignment - 1) / alignment * alignment;
    bool single = (e.flags & abi::kEntryArray) == 0;
    bool text = is_text(e.type) && single && e.detail == 0 && (all || (e.flags & abi::kEntryDeepCopy) != 0);
    bool registered = e.type == abi::kRegisteredText && single;
    if (offset <= UINT32_MAX && (text || registered))
      to[out.count++] = {static_cast<uint32_t>(offset), static_cast<uint32_t>(e.type)};
    known = fits;
    cursor = offset + bytes;
    if (cursor > out.bytes) out.bytes = cursor;
    if (alignment > out.alignment) out.alignment = alignment;
  }
  if (!known) out.bytes = 0;
  out.bytes = (out.bytes + out.alignment - 1) / out.alignment * out.alignment;
  if ((a.mask & abi::kSchemaSize) != 0 && a.static_size != 0) out.bytes = a.static_size;
  return out;
}

void add(uint64_t schema, const Collected& layout, const SchemaText* found) {
  auto* texts =
      static_cast<SchemaTexts*>(allocate_for_ever(sizeof(SchemaTexts) + layout.count * sizeof(SchemaText)));
  if (texts == nullptr) return;
  texts->schema = schema;
  texts->bytes = layout.bytes <= UINT32_MAX ? static_cast<uint32_t>(layout.bytes) : 0;
  texts->alignment = static_cast<uint32_t>(layout.alignment);
  texts->count = layout.count;
  std::memcpy(texts->entries, found, layout.count * sizeof(SchemaText));
  SchemaTexts* head = g_schemas.load(std::memory_order_acquire);
  do texts->next = head;
  while (!g_schemas.compare_exchange_weak(head, texts, std::memory_order_acq_rel));
}

}  // namespace

void remember_enum_layout(uint64_t schema, uint64_t bytes) {
  SchemaText none{};
  if (bytes <= 16) add(schema, {0, bytes, bytes != 0 ? bytes : 1}, &none);
}

void remember_schema_texts(uint64_t schema, const abi::SchemaAttributes& attributes) {
  SchemaText found[kMostTexts];
  add(schema, collect(attributes, found), found);
}

const SchemaTexts* find_schema_texts(uint64_t schema) {
  const SchemaTexts* s = find(schema);
  return s != nullptr && s->count != 0 ? s : nullptr;
}

}  // namespace sextant::agent::nvtx
