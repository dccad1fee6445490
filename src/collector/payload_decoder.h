// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Bytes of structured payloads into named, typed values, by the schemas of the client: nested structures,
// arrays, unions, enumerations, texts, pointers into other payloads of the event. Schemas and bytes are
// hostile input: nothing outside of the bytes is read, depth and number of values are bounded. No I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "collector/nvtx_schemas.h"
#include "event/schema_nvtx.h"

namespace sextant::collector {

struct PayloadValue {
  std::string field;     // joined by dots
  uint64_t element = 0;  // 1 + position in an array
  event::nvtx_payload_value::Kind kind = event::nvtx_payload_value::Kind::kUint;
  uint64_t bits = 0;
  std::string text;
  const SchemaField* from = nullptr;  // nullptr: a predefined type
};

/// One of an event's payloads, or a text that one of them points to.
struct PayloadBytes {
  uint64_t schema = 0;
  uint64_t address = 0;
  std::vector<uint8_t> bytes;
};

class PayloadDecoder {
 public:
  using Use = std::function<void(const PayloadValue&)>;

  /// `all`: all payloads of the event, in order; `copied`: texts that they point to. Everything must outlive
  /// the decoder.
  PayloadDecoder(const Schemas& schemas, uint16_t domain, std::span<const PayloadBytes> all,
                 std::span<const PayloadBytes> copied)
      : schemas_(schemas), domain_(domain), all_(all), copied_(copied) {}

  /// False: the bytes end before the schema does; what there was has been told.
  bool decode(uint64_t type, std::span<const uint8_t> bytes, const Use& use);

  /// The bytes of one value of the type; 0: it varies, or is not known.
  uint64_t size_of(uint64_t type) const;

 private:
  struct Layout {
    uint64_t bytes = 0, alignment = 1;
  };
  struct Place {
    std::span<const uint8_t> base;  // the structure
    uint64_t offset = 0;
    std::string name;
    uint64_t element = 0;
    int depth = 0;
  };

  Layout layout(uint64_t type, int depth) const;
  Layout field_layout(const SchemaField& field, uint64_t count) const;
  bool structure(const Schema& schema, const Place& place, uint64_t* end, int64_t member);
  bool field(const SchemaField& field, Place place, uint64_t count, std::vector<int64_t>* numbers);
  bool one(uint64_t type, const SchemaField* from, const Place& place, int64_t member, uint64_t* end);
  bool scalar(uint64_t type, const SchemaField* from, const Place& place, std::vector<int64_t>* numbers);
  bool text_field(const SchemaField& field, const Place& place);
  bool characters(const SchemaField& field, const Place& place, uint64_t count);
  std::span<const uint8_t> at_address(uint64_t address) const;
  uint64_t count_elements(const SchemaField& field, std::span<const uint8_t> bytes, uint64_t offset,
                          uint64_t unit, const std::vector<std::vector<int64_t>>& numbers);
  void tell(const PayloadValue& value);

  const Schemas& schemas_;
  uint16_t domain_;
  std::span<const PayloadBytes> all_, copied_;
  const Use* use_ = nullptr;
  size_t told_ = 0;
  mutable uint64_t steps_ = 0;
};

/// Text in units of one, two or four bytes (predefined types 75 to 78) as UTF-8, up to its first NUL.
std::string decode_text(uint64_t type, std::span<const uint8_t> bytes);

}  // namespace sextant::collector
