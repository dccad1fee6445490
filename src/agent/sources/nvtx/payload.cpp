// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/sources/nvtx/payload.h"

#include <cstring>

#include "agent/sources/nvtx/schema_texts.h"

namespace sextant::agent::nvtx {

using abi::PayloadData;
using spool::Kind;
using spool::PayloadUse;

namespace {

/// One payload as records of four slots.
struct Piece {
  uint64_t event, schema, address;
  const uint8_t* data;
  uint32_t bytes;
  uint16_t index, use;
};

void record_piece(ThreadBlock* t, uint64_t stamp, uint16_t domain, const Piece& piece) {
  uint64_t words[8] = {spool::first_word(stamp, Kind::kPayload),
                       spool::second_word(0, domain, 4, 0),
                       piece.event,
                       piece.schema,
                       piece.address,
                       piece.bytes | uint64_t{piece.index} << 32 | uint64_t{piece.use} << 48,
                       0,
                       0};
  size_t done = piece.bytes < spool::kFirstPayloadBytes ? piece.bytes : spool::kFirstPayloadBytes;
  std::memcpy(words + 6, piece.data, done);
  record<4>(t, words);
  for (uint32_t part = 1; done < piece.bytes; ++part) {
    size_t n = piece.bytes - done < spool::kPartBytes ? piece.bytes - done : spool::kPartBytes;
    uint64_t more[8] = {spool::first_word(stamp, Kind::kPayloadPart), spool::second_word(part, domain, 4, 0)};
    std::memcpy(more + 2, piece.data + done, n);
    record<4>(t, more);
    done += n;
  }
}

/// A text that ends with NUL, in units of one, two or four bytes. In bytes, without the end.
size_t text_bytes(const void* text, uint64_t type) {
  size_t n = 0;
  if (type == abi::kText16) {
    while (n < spool::kMaxPayloadBytes / 2 && static_cast<const uint16_t*>(text)[n] != 0) ++n;
    return n * 2;
  }
  if (type == abi::kText32) {
    while (n < spool::kMaxPayloadBytes / 4 && static_cast<const uint32_t*>(text)[n] != 0) ++n;
    return n * 4;
  }
  return strnlen(static_cast<const char*>(text), spool::kMaxPayloadBytes);
}

bool is_text(uint64_t type) {
  return type >= abi::kText && type <= abi::kText32;
}

/// The bytes of a payload; 0: none that can be told.
size_t size_of(const PayloadData& p) {
  if (p.data == nullptr) return 0;
  if (p.size != SIZE_MAX) return p.size;
  return is_text(p.schema) ? text_bytes(p.data, p.schema) : 0;
}

/// What entries of the payload point to and want to have copied.
void record_texts(ThreadBlock* t, uint64_t stamp, uint16_t domain, uint64_t event, uint16_t use,
                  const PayloadData& p, size_t size) {
  const SchemaTexts* texts = find_schema_texts(p.schema);
  for (uint32_t i = 0; texts != nullptr && i < texts->count; ++i) {
    const SchemaText& entry = texts->entries[i];
    const void* pointer = nullptr;
    if (entry.offset + sizeof pointer > size) continue;
    std::memcpy(&pointer, static_cast<const uint8_t*>(p.data) + entry.offset, sizeof pointer);
    if (pointer == nullptr) continue;
    Piece piece{event, entry.type, reinterpret_cast<uint64_t>(pointer), nullptr, 0, spool::kCopiedText, use};
    if (entry.type == abi::kRegisteredText) {
      const auto* handle = static_cast<const Handle*>(pointer);
      piece.data = reinterpret_cast<const uint8_t*>(handle->text);
      piece.bytes = handle->bytes;
    } else {
      piece.data = static_cast<const uint8_t*>(pointer);
      piece.bytes = static_cast<uint32_t>(text_bytes(pointer, entry.type));
    }
    record_piece(t, stamp, domain, piece);
  }
}

}  // namespace

void record_payloads(ThreadBlock* t, uint64_t stamp, uint16_t domain, PayloadUse use, uint64_t event,
                     const PayloadData* payloads, size_t count) {
  if (payloads == nullptr || count == 0) return;
  record_registered(t);
  if (count >= spool::kCopiedText) count = spool::kCopiedText - 1;
  uint16_t how = static_cast<uint16_t>(use);
  for (size_t i = 0; i < count; ++i)
    record_texts(t, stamp, domain, event, how, payloads[i], size_of(payloads[i]));
  for (size_t i = 0; i < count; ++i) {
    size_t size = size_of(payloads[i]);
    uint16_t flags = how;
    if (i + 1 == count) flags |= spool::kLastPayload;
    if (size > spool::kMaxPayloadBytes) {
      size = spool::kMaxPayloadBytes;
      flags |= spool::kPayloadCut;
    }
    record_piece(t, stamp, domain,
                 {event, payloads[i].schema, reinterpret_cast<uint64_t>(payloads[i].data),
                  static_cast<const uint8_t*>(payloads[i].data), static_cast<uint32_t>(size),
                  static_cast<uint16_t>(i), flags});
  }
}

void record_extended(ThreadBlock* t, uint64_t stamp, uint16_t domain, const abi::EventAttributes& attributes,
                     uint64_t* words) {
  size_t count = attributes.reserved > 0 ? static_cast<size_t>(attributes.reserved) : 0;
  const auto* payloads = reinterpret_cast<const PayloadData*>(attributes.payload);
  if (payloads == nullptr || count == 0) return;
  uint64_t event = next_event(t);
  record_payloads(t, stamp, domain, PayloadUse::kEvent, event, payloads, count);
  words[1] |= static_cast<uint64_t>(spool::PayloadType::kExtended) << 8;
  words[2] = event;
}

}  // namespace sextant::agent::nvtx
