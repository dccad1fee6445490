// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which fields of a payload point to texts that must be copied when the event happens: registered strings,
// and C strings whose schema asks for it. Only fields at a fixed place in their schema are known; of others
// the pointer alone is recorded.
#pragma once

#include "agent/sources/nvtx/abi_modules.h"
#include "agent/sources/nvtx/registered.h"

namespace sextant::agent::nvtx {

struct SchemaText {
  uint32_t offset;
  uint32_t type;  // abi::EntryType
};

struct SchemaTexts {
  SchemaTexts* next;
  uint64_t schema;
  uint32_t bytes, alignment;  // of one value; 0: it varies, or is not known here
  uint32_t count;
  SchemaText entries[1];
};

/// Remembers size and alignment of an enumeration.
void remember_enum_layout(uint64_t schema, uint64_t bytes);

/// Remembers those of a schema, and its layout. Several schemas with one number (in different domains): the
/// newest counts.
void remember_schema_texts(uint64_t schema, const abi::SchemaAttributes& attributes);

/// nullptr: it has none.
const SchemaTexts* find_schema_texts(uint64_t schema);

}  // namespace sextant::agent::nvtx
