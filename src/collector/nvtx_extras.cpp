// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/nvtx_extras.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "collector/group.h"

namespace sextant::collector {

using event::nvtx_payload::State;
using spool::Kind;
using spool::PayloadUse;
using ValueKind = event::nvtx_payload_value::Kind;

namespace {

constexpr size_t kMostPieces = 4096;     // of an event
constexpr size_t kMostMessages = 65536;  // events whose record has not come yet
constexpr uint64_t kEventMessage = 1 << 10, kTimestamp = 2 << 10;
constexpr uint64_t kReferenced = 1022, kRaw = 1023;
constexpr uint64_t kPopIndex = 256;  // payloads of a range's end stand behind those of its beginning

PayloadUse use_of(const spool::PayloadSlots& head) {
  return static_cast<PayloadUse>(head.use & 0xff);
}

spool::PayloadSlots payload_slots(const spool::Record& record) {
  const spool::ValueSlot first = spool::value_slot(record, 1), second = spool::value_slot(record, 2);
  spool::PayloadSlots out{};
  out.event = first.a;
  out.schema = first.b;
  out.address = second.a;
  out.bytes = static_cast<uint32_t>(second.b);
  out.index = static_cast<uint16_t>(second.b >> 32);
  out.use = static_cast<uint16_t>(second.b >> 48);
  return out;
}

void append_slot(const spool::Record& record, uint32_t index, size_t wanted, std::vector<uint8_t>* to) {
  const spool::ValueSlot value = spool::value_slot(record, index);
  uint8_t bytes[16];
  std::memcpy(bytes, &value.a, 8);
  std::memcpy(bytes + 8, &value.b, 8);
  to->insert(to->end(), bytes, bytes + std::min<size_t>(wanted, sizeof bytes));
}

bool is_sample(PayloadUse use) {
  return use == PayloadUse::kSample || use == PayloadUse::kSampleBatch;
}

}  // namespace

bool NvtxExtras::must_wait(const spool::Record& record, uint32_t) const {
  if (record.kind != Kind::kPayload) return false;
  const spool::PayloadSlots head = payload_slots(record);
  if (is_sample(use_of(head))) return schemas_.counter(record.domain, head.event) == nullptr;
  return !schemas_.knows_type(record.domain, head.schema);
}

void NvtxExtras::take(const spool::Record& record, uint64_t stamp, const Origin& origin, const Names& names,
                      ExtraRows* to) {
  switch (record.kind) {
    case Kind::kResource: {
      const spool::ValueSlot what = spool::value_slot(record, 1);
      append_row(&to->resources, {origin.process, origin.tid, stamp, names.domain, what.b & UINT32_MAX,
                                  what.a, names.name, what.b >> 32 & 0xff, spool::value_slot(record, 2).a});
      break;
    }
    case Kind::kSync: {
      const spool::ValueSlot what = spool::value_slot(record, 1);
      append_row(&to->syncs,
                 {origin.process, origin.tid, stamp, names.domain, what.a, what.b & 0xff, names.name});
      break;
    }
    case Kind::kMemory: {
      const spool::ValueSlot a = spool::value_slot(record, 1), b = spool::value_slot(record, 2),
                             c = spool::value_slot(record, 3);
      append_row(&to->memory, {origin.process, origin.tid, stamp, names.domain, a.b & UINT32_MAX, a.a, c.a,
                               b.a, b.b, names.name, c.b & UINT32_MAX, c.b >> 32, a.b >> 32});
      break;
    }
    case Kind::kCounter: {
      const spool::ValueSlot value = spool::value_slot(record, 1);
      ++counts_.samples;
      uint64_t kind = static_cast<uint64_t>(ValueKind::kInt);
      if ((record.flags & spool::kCounterReal) != 0) kind = static_cast<uint64_t>(ValueKind::kReal);
      if ((record.flags & spool::kCounterMissing) != 0)
        kind = event::nvtx_counter_sample::kMissing + (value.b & 0xff);
      const bool missing = kind >= event::nvtx_counter_sample::kMissing;
      const bool real = kind == static_cast<uint64_t>(ValueKind::kReal);
      const double curve = missing ? 0
                           : real  ? std::bit_cast<double>(value.b)
                                   : static_cast<double>(static_cast<int64_t>(value.b));
      append_row(&to->samples, {origin.process, origin.tid, stamp, names.domain, value.a, 0, 0, kind,
                                missing || real ? 0 : value.b, std::bit_cast<uint64_t>(curve), 0});
      break;
    }
    case Kind::kPayload:
      begin_piece(record, stamp, origin, names, to);
      break;
    case Kind::kPayloadPart:
      add_part(record, origin, names, to);
      break;
    case Kind::kUnknownCall:
      ++counts_.unknown_calls;
      break;
    default:
      break;
  }
}

// Registrations

void NvtxExtras::registered(const spool::Record& record, const std::string& description, const Origin& origin,
                            uint32_t domain, ExtraRows* to) {
  const spool::ValueSlot given = spool::value_slot(record, 1);
  const auto what = static_cast<spool::Registered>(given.b & 0xff);
  const Schemas::Added added = schemas_.add(record.domain, what, given.a, description);
  if (added == Schemas::Added::kDamaged) ++counts_.damaged;
  if (added != Schemas::Added::kKnown)
    add_rows(origin.process, origin.page, record.domain, domain, what, given.a, description, to);
}

void NvtxExtras::restore(uint16_t domain, uint64_t what, uint64_t id, std::string_view description) {
  (void)schemas_.add(domain, static_cast<spool::Registered>(what & 0xff), id, description);
}

void NvtxExtras::begin_report(uint32_t process, uint32_t page,
                              const std::function<uint32_t(uint16_t)>& domain_of, ExtraRows* to) {
  messages_.clear();
  for (const Schemas::Given& given : schemas_.given())
    add_rows(process, page, given.domain, domain_of(given.domain), given.what, given.id, given.bytes, to);
}

void NvtxExtras::add_rows(uint32_t process, uint32_t page, uint16_t domain_id, uint32_t domain,
                          spool::Registered what, uint64_t id, std::string_view description, ExtraRows* to) {
  const auto text = [this](const std::string& t) -> uint64_t { return writer_.string_id(t); };
  append_row(&to->registrations,
             {process, page, domain_id, static_cast<uint64_t>(what), id, writer_.string_id(description)});
  if (const Schema* s = what == spool::Registered::kSchema ? schemas_.schema(domain_id, id) : nullptr) {
    const SchemaField none;
    for (size_t i = 0; i < std::max<size_t>(s->fields.size(), 1); ++i) {
      const SchemaField& f = s->fields.empty() ? none : s->fields[i];
      append_row(&to->schema_fields, {process, domain, id, text(s->name), s->type, s->flags, s->bytes,
                                      s->alignment, s->fields.size(), i, f.flags, f.type, text(f.name),
                                      text(f.description), f.detail, f.offset, text(f.counter.unit)});
    }
  }
  if (const Enumeration* e = what == spool::Registered::kEnum ? schemas_.enumeration(domain_id, id) : nullptr)
    for (size_t i = 0; i < e->values.size(); ++i)
      append_row(&to->enum_values, {process, domain, id, text(e->name), e->bytes, e->values.size(), i,
                                    text(e->values[i].name), e->values[i].value, e->values[i].is_flag});
  if (const Scope* s = what == spool::Registered::kScope ? schemas_.scope(domain_id, id) : nullptr)
    append_row(&to->scopes, {process, domain, id, s->parent, text(s->path)});
  if (const Counter* c = what == spool::Registered::kCounter ? schemas_.counter(domain_id, id) : nullptr)
    append_row(&to->counters, {process, domain, id, text(c->name), text(c->description), c->schema, c->scope,
                               text(c->meaning.unit), c->meaning.flags, c->meaning.scale_numerator,
                               c->meaning.scale_denominator, c->meaning.limit_type, c->meaning.min,
                               c->meaning.max, c->time_domain});
}

// Payloads

void NvtxExtras::begin_piece(const spool::Record& record, uint64_t stamp, const Origin& origin,
                             const Names& names, ExtraRows* to) {
  Pending& pending = pending_[origin.ring];
  Piece piece;
  piece.head = payload_slots(record);
  const bool begins = !pending.active || pending.pieces.empty() ||
                      pending.pieces.front().head.event != piece.head.event ||
                      pending.domain != record.domain;
  if (pending.active && (begins || pending.pieces.back().bytes.size() < pending.pieces.back().head.bytes ||
                         pending.pieces.size() >= kMostPieces)) {
    ++counts_.incomplete;
    pending.pieces.clear();
  } else if (begins) {
    pending.pieces.clear();
  }
  pending.active = true;
  pending.domain = record.domain;
  pending.stamp = stamp;
  piece.head.bytes = std::min(piece.head.bytes, spool::kMaxPayloadBytes);
  append_slot(record, 3, piece.head.bytes, &piece.bytes);
  pending.pieces.push_back(std::move(piece));
  finish_if_whole(&pending, origin, names, to);
}

void NvtxExtras::add_part(const spool::Record& record, const Origin& origin, const Names& names,
                          ExtraRows* to) {
  const auto found = pending_.find(origin.ring);
  if (found == pending_.end() || !found->second.active || found->second.pieces.empty()) return;
  Piece& piece = found->second.pieces.back();
  const size_t before = spool::kFirstPayloadBytes + (size_t{record.name} - 1) * spool::kPartBytes;
  if (record.name == 0 || piece.bytes.size() != before || before >= piece.head.bytes) {
    ++counts_.incomplete;
    found->second = {};
    return;
  }
  for (uint32_t slot = 1; slot < 4; ++slot)
    append_slot(record, slot, piece.head.bytes - piece.bytes.size(), &piece.bytes);
  finish_if_whole(&found->second, origin, names, to);
}

void NvtxExtras::finish_if_whole(Pending* pending, const Origin& origin, const Names& names, ExtraRows* to) {
  const Piece& last = pending->pieces.back();
  if ((last.head.use & spool::kLastPayload) == 0 || last.bytes.size() < last.head.bytes) return;
  if (is_sample(use_of(last.head)))
    sample_payload(*pending, origin, names, to);
  else
    event_payloads(*pending, origin, names, to);
  *pending = {};
}

void NvtxExtras::event_payloads(const Pending& pending, const Origin& origin, const Names& names,
                                ExtraRows* to) {
  ++counts_.payloads;
  std::vector<PayloadBytes> all, copied;
  for (const Piece& piece : pending.pieces)
    (piece.head.index == spool::kCopiedText ? copied : all)
        .push_back({piece.head.schema, piece.head.address, piece.bytes});
  const spool::PayloadSlots& head = pending.pieces.back().head;
  uint64_t event = head.event;
  if (use_of(head) == PayloadUse::kPop && link_pop) event = link_pop(pending.domain, event);
  PayloadDecoder decoder(schemas_, pending.domain, all, copied);
  for (const Piece& piece : pending.pieces)
    if (piece.head.index != spool::kCopiedText)
      one_payload(decoder, pending, piece, event, origin, names, to);
}

void NvtxExtras::one_payload(PayloadDecoder& decoder, const Pending& pending, const Piece& piece,
                             uint64_t event, const Origin& origin, const Names& names, ExtraRows* to) {
  const PayloadUse use = use_of(piece.head);
  const uint64_t index = piece.head.index + (use == PayloadUse::kPop ? kPopIndex : 0);
  uint64_t item = 0;
  const auto add_value = [&](const PayloadValue& value) {
    const bool is_message = value.from != nullptr && (value.from->flags & (3 << 10)) == kEventMessage;
    if (is_message && value.kind == ValueKind::kText && messages_.size() < kMostMessages)
      messages_[event] = writer_.string_id(value.text);
    const bool real = value.kind == ValueKind::kReal;
    append_row(&to->values, {origin.process, event, index, item, writer_.string_id(value.field),
                             value.element, static_cast<uint64_t>(value.kind), real ? 0 : value.bits,
                             real ? value.bits : 0, value.text.empty() ? 0 : writer_.string_id(value.text)});
  };
  State state = State::kDecoded;
  const uint64_t schema = piece.head.schema;
  if (schema == kReferenced) {
    state = State::kReferenced;
  } else if (!schemas_.knows_type(pending.domain, schema)) {
    state = State::kNoSchema;
    ++counts_.no_schema;
    (void)decoder.decode(kRaw, piece.bytes, add_value);
  } else {
    std::span<const uint8_t> rest(piece.bytes);
    const uint64_t size = use == PayloadUse::kBatch ? decoder.size_of(schema) : 0;
    for (; size != 0 && rest.size() > size; rest = rest.subspan(size), ++item)
      (void)decoder.decode(schema, rest.first(size), add_value);
    if (!decoder.decode(schema, rest, add_value)) state = State::kTooShort;
  }
  if ((piece.head.use & spool::kPayloadCut) != 0) state = State::kCut;
  append_row(&to->payloads,
             {origin.process, origin.tid, pending.stamp, names.domain, event, static_cast<uint64_t>(use),
              index, schema, piece.head.bytes, static_cast<uint64_t>(state)});
}

uint32_t NvtxExtras::take_message(uint64_t event) {
  const auto found = messages_.find(event);
  if (found == messages_.end()) return 0;
  const uint32_t name = found->second;
  messages_.erase(found);
  return name;
}

// Samples of counters

void NvtxExtras::add_sample(uint64_t stamp, const Origin& origin, uint32_t domain, uint64_t counter,
                            const PayloadValue& value, int64_t given, ExtraRows* to) {
  if (value.kind == ValueKind::kText || value.kind == ValueKind::kBytes) return;
  ++counts_.samples;
  const bool real = value.kind == ValueKind::kReal;
  const double curve = real ? std::bit_cast<double>(value.bits)
                       : value.kind == ValueKind::kUint
                           ? static_cast<double>(value.bits)
                           : static_cast<double>(static_cast<int64_t>(value.bits));
  append_row(&to->samples, {origin.process, origin.tid, stamp, domain, counter,
                            value.from != nullptr ? writer_.string_id(value.field) : 0, value.element,
                            static_cast<uint64_t>(value.kind), real ? 0 : value.bits,
                            std::bit_cast<uint64_t>(curve), static_cast<uint64_t>(given)});
}

void NvtxExtras::sample_payload(const Pending& pending, const Origin& origin, const Names& names,
                                ExtraRows* to) {
  const Piece& data = pending.pieces.front();
  const uint64_t id = data.head.event;
  const Counter* counter = schemas_.counter(pending.domain, id);
  const uint64_t type = counter != nullptr ? counter->schema : 0;
  PayloadDecoder decoder(schemas_, pending.domain, {}, {});
  const uint64_t size = counter != nullptr ? decoder.size_of(type) : 0;
  if (size == 0) {
    ++counts_.no_schema;
    return;
  }
  const std::vector<uint8_t>* times = pending.pieces.size() > 1 ? &pending.pieces[1].bytes : nullptr;
  std::span<const uint8_t> rest(data.bytes);
  for (uint64_t n = 0; rest.size() >= size; ++n, rest = rest.subspan(size)) {
    int64_t given = 0;
    if (times != nullptr && (n + 1) * sizeof given <= times->size())
      std::memcpy(&given, times->data() + n * sizeof given, sizeof given);
    std::vector<PayloadValue> values;
    (void)decoder.decode(type, rest.first(size), [&](const PayloadValue& value) {
      const bool is_time = value.from != nullptr && (value.from->flags & (3 << 10)) == kTimestamp;
      if (is_time && given == 0) given = static_cast<int64_t>(value.bits);
      if (!is_time) values.push_back(value);
    });
    for (const PayloadValue& value : values)
      add_sample(pending.stamp, origin, names.domain, id, value, given, to);
  }
}

}  // namespace sextant::collector
