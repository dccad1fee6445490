// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "collector/payload_decoder.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sextant::collector {

using Kind = event::nvtx_payload_value::Kind;

namespace {

constexpr int kMostDepth = 16;
constexpr size_t kMostValues = 1u << 16;   // of one payload
constexpr uint64_t kMostSteps = 1u << 20;  // schemas in schemas in schemas

enum FieldFlags : uint64_t {
  kPointer = 1 << 1,
  kFromBase = 1 << 2,
  kFromHere = 1 << 3,
  kArrayMask = 7 << 4,
  kFixedArray = 1 << 4,
  kZeroEnded = 2 << 4,
  kLengthField = 3 << 4,
  kLengthPayload = 4 << 4,
};
enum SchemaTypes : uint64_t { kUnion = 3, kSelectingUnion = 4 };
enum Types : uint64_t {
  kChar = 1,
  kLongDouble = 21,
  kChar8 = 25,
  kInt128 = 33,
  kUint128 = 34,
  kHalf = 42,
  kFloat128 = 45,
  kBrainFloat = 50,
  kText = 75,
  kText32 = 78,
  kRegisteredText = 80,
  kSelector = 100,
};

struct TypeInfo {
  uint8_t bytes;
  Kind kind;
};

/// Predefined types of x86-64 and aarch64 programs. 0 bytes: none of fixed size.
TypeInfo type_info(uint64_t type) {
  static constexpr TypeInfo kBasic[] = {
      {0, Kind::kUint}, {1, Kind::kInt},   {1, Kind::kUint}, {2, Kind::kInt},  {2, Kind::kUint},
      {4, Kind::kInt},  {4, Kind::kUint},  {8, Kind::kInt},  {8, Kind::kUint}, {8, Kind::kInt},
      {8, Kind::kUint}, {1, Kind::kInt},   {1, Kind::kUint}, {2, Kind::kInt},  {2, Kind::kUint},
      {4, Kind::kInt},  {4, Kind::kUint},  {8, Kind::kInt},  {8, Kind::kUint}, {4, Kind::kReal},
      {8, Kind::kReal}, {16, Kind::kReal}, {8, Kind::kUint}, {8, Kind::kUint}, {4, Kind::kInt},
      {1, Kind::kUint}, {2, Kind::kUint},  {4, Kind::kUint}};
  if (type < std::size(kBasic)) return kBasic[type];
  switch (type) {
    case 32:
      return {1, Kind::kUint};
    case kInt128:
    case kUint128:
    case kFloat128:
      return {16, Kind::kBytes};
    case kHalf:
    case kBrainFloat:
      return {2, Kind::kReal};
    case 43:
    case 52:
      return {4, Kind::kReal};
    case 44:
      return {8, Kind::kReal};
    case 68:
    case 69:
    case 71:
    case 73:
      return {4, Kind::kUint};
    case 67:
    case 70:
    case 72:
    case 74:
    case kSelector:
      return {8, Kind::kUint};
    case kRegisteredText:
      return {8, Kind::kText};
    default:
      return {0, Kind::kUint};
  }
}

bool is_text(uint64_t type) {
  return type >= kText && type <= kText32;
}
uint64_t unit_of_text(uint64_t type) {
  return type == kText + 2 ? 2 : type == kText32 ? 4 : 1;
}

uint64_t load(std::span<const uint8_t> bytes, size_t count) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min<size_t>(count, sizeof value));
  return value;
}

uint64_t sign_extended(uint64_t value, uint32_t bytes) {
  const uint32_t shift = 64 - 8 * std::min<uint32_t>(bytes, 8);
  return static_cast<uint64_t>(static_cast<int64_t>(value << shift) >> shift);
}

float half_to_float(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000u} << 16, exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 0) {
    const float value = static_cast<float>(fraction) / 16777216.0f;
    return sign != 0 ? -value : value;
  }
  const uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

double real_of(uint64_t type, std::span<const uint8_t> bytes) {
  switch (type) {
    case kHalf:
      return half_to_float(static_cast<uint16_t>(load(bytes, 2)));
    case kBrainFloat:
      return std::bit_cast<float>(static_cast<uint32_t>(load(bytes, 2) << 16));
    case kLongDouble: {
      long double value = 0;
      std::memcpy(&value, bytes.data(), sizeof value);
      return static_cast<double>(value);
    }
    case 20:
    case 44:
      return std::bit_cast<double>(load(bytes, 8));
    default:
      return std::bit_cast<float>(static_cast<uint32_t>(load(bytes, 4)));
  }
}

std::string hexadecimal(std::span<const uint8_t> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const uint8_t b : bytes) {
    out += kDigits[b >> 4];
    out += kDigits[b & 15];
  }
  return out;
}

void append_utf8(std::string* out, uint32_t c) {
  if (c >= 0xd800 && (c < 0xe000 || c > 0x10ffff)) c = 0xfffd;
  if (c < 0x80) {
    *out += static_cast<char>(c);
  } else if (c < 0x800) {
    *out += static_cast<char>(0xc0 | c >> 6);
    *out += static_cast<char>(0x80 | (c & 63));
  } else if (c < 0x10000) {
    *out += static_cast<char>(0xe0 | c >> 12);
    *out += static_cast<char>(0x80 | (c >> 6 & 63));
    *out += static_cast<char>(0x80 | (c & 63));
  } else {
    *out += static_cast<char>(0xf0 | c >> 18);
    *out += static_cast<char>(0x80 | (c >> 12 & 63));
    *out += static_cast<char>(0x80 | (c >> 6 & 63));
    *out += static_cast<char>(0x80 | (c & 63));
  }
}

/// The name of a value, or of the bits of a set.
std::string enum_text(const Enumeration& e, uint64_t value) {
  for (const EnumValue& v : e.values)
    if (v.value == value) return v.name;
  std::string out;
  for (const EnumValue& v : e.values) {
    if (!v.is_flag || v.value == 0 || (value & v.value) != v.value) continue;
    out += (out.empty() ? "" : "|") + v.name;
  }
  return out;
}

std::string name_of(const SchemaField& field, size_t index) {
  return field.name.empty() ? "field" + std::to_string(index) : field.name;
}

std::string joined(const std::string& outer, const std::string& inner) {
  return outer.empty() ? inner : outer + "." + inner;
}

uint64_t round_up(uint64_t value, uint64_t to) {
  return to <= 1 ? value : (value + to - 1) / to * to;
}

}  // namespace

std::string decode_text(uint64_t type, std::span<const uint8_t> bytes) {
  std::string out;
  const uint64_t unit = unit_of_text(type);
  for (size_t at = 0; at + unit <= bytes.size(); at += unit) {
    uint32_t c = static_cast<uint32_t>(load(bytes.subspan(at), unit));
    if (c == 0) break;
    if (unit == 1) {
      out += static_cast<char>(c);
      continue;
    }
    const bool pair = unit == 2 && c >= 0xd800 && c < 0xdc00 && at + 4 <= bytes.size();
    if (pair) {
      const uint32_t low = static_cast<uint32_t>(load(bytes.subspan(at + 2), 2));
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c & 1023) << 10 | (low & 1023));
        at += 2;
      }
    }
    append_utf8(&out, c);
  }
  return out;
}

void PayloadDecoder::tell(const PayloadValue& value) {
  if (told_++ < kMostValues) (*use_)(value);
}

std::span<const uint8_t> PayloadDecoder::at_address(uint64_t address) const {
  for (const auto& list : {copied_, all_}) {
    for (const PayloadBytes& p : list)
      if (address >= p.address && address - p.address < p.bytes.size())
        return std::span(p.bytes).subspan(address - p.address);
  }
  return {};
}

PayloadDecoder::Layout PayloadDecoder::layout(uint64_t type, int depth) const {
  if (type < kFirstSchema) {
    const TypeInfo info = type_info(type);
    return {info.bytes, std::max<uint64_t>(info.bytes, 1)};
  }
  if (const Enumeration* e = schemas_.enumeration(domain_, type))
    return {e->bytes, std::max<uint64_t>(e->bytes, 1)};
  const Schema* s = schemas_.schema(domain_, type);
  if (s == nullptr || depth > kMostDepth) return {};
  Layout all;
  uint64_t cursor = 0;
  bool known = true;
  for (size_t i = 0; i < s->fields.size(); ++i) {
    if (++steps_ > kMostSteps) return {};
    const SchemaField& f = s->fields[i];
    Layout one = is_text(f.type) ? field_layout(f, 1) : layout(f.type, depth + 1);
    if ((f.flags & (kPointer | kFromBase | kFromHere)) != 0) one = {8, 8};
    const uint64_t array = f.flags & kArrayMask;
    const bool inline_array = array != 0 && (f.flags & kPointer) == 0 && !is_text(f.type);
    if (inline_array && array == kFixedArray)
      one.bytes *= std::min<uint64_t>(f.detail, spool::kMaxPayloadBytes);
    if ((inline_array && array != kFixedArray) || one.bytes == 0) known = false;
    if (s->alignment != 0) one.alignment = std::min(one.alignment, s->alignment);
    const bool is_union = s->type == kUnion || s->type == kSelectingUnion;
    const uint64_t at = i == 0 || f.offset != 0 ? f.offset : is_union ? 0 : round_up(cursor, one.alignment);
    if (at > spool::kMaxPayloadBytes || one.bytes > spool::kMaxPayloadBytes) return {};
    cursor = at + one.bytes;
    all.bytes = std::max(all.bytes, cursor);
    all.alignment = std::max(all.alignment, one.alignment);
  }
  all.bytes = s->bytes != 0 ? s->bytes : known ? round_up(all.bytes, all.alignment) : 0;
  return all;
}

uint64_t PayloadDecoder::size_of(uint64_t type) const {
  if (use_ == nullptr) steps_ = 0;
  return layout(type, 0).bytes;
}

/// Where a field's value lies in its structure: the pointer, where it is one.
PayloadDecoder::Layout PayloadDecoder::field_layout(const SchemaField& field, uint64_t count) const {
  if ((field.flags & (kPointer | kFromBase | kFromHere)) != 0) return {8, 8};
  if (is_text(field.type)) {
    const uint64_t unit = unit_of_text(field.type);
    if (field.detail == 0) return {8, 8};
    return {unit * std::min<uint64_t>(field.detail, spool::kMaxPayloadBytes), unit};
  }
  Layout one = layout(field.type, 0);
  one.bytes *= std::min<uint64_t>(count, spool::kMaxPayloadBytes);
  return one;
}

bool PayloadDecoder::decode(uint64_t type, std::span<const uint8_t> bytes, const Use& use) {
  use_ = &use;
  told_ = 0;
  steps_ = 0;
  if (type >= kFirstSchema) {
    uint64_t end = 0;
    return one(type, nullptr, {bytes, 0, "", 0, 0}, -1, &end);
  }
  if (is_text(type)) {
    tell({"value", 0, Kind::kText, 0, decode_text(type, bytes), nullptr});
    return true;
  }
  const TypeInfo info = type_info(type);
  if (info.bytes == 0) {
    tell({"value", 0, Kind::kBytes, 0, hexadecimal(bytes), nullptr});
    return true;
  }
  const uint64_t count = bytes.size() / info.bytes;
  for (uint64_t i = 0; i < count && told_ < kMostValues; ++i)
    scalar(type, nullptr, {bytes, i * info.bytes, "value", count > 1 ? i + 1 : 0, 0}, nullptr);
  return count != 0;
}

bool PayloadDecoder::scalar(uint64_t type, const SchemaField* from, const Place& place,
                            std::vector<int64_t>* numbers) {
  const Enumeration* e = type >= kFirstSchema ? schemas_.enumeration(domain_, type) : nullptr;
  const TypeInfo info = e != nullptr
                            ? TypeInfo{static_cast<uint8_t>(std::min<uint64_t>(e->bytes, 8)), Kind::kEnum}
                            : type_info(type);
  if (info.bytes == 0 || place.offset > place.base.size() || info.bytes > place.base.size() - place.offset)
    return false;
  const std::span<const uint8_t> bytes = place.base.subspan(place.offset, info.bytes);
  PayloadValue value{place.name, place.element, info.kind, load(bytes, info.bytes), "", from};
  switch (info.kind) {
    case Kind::kInt:
      value.bits = sign_extended(value.bits, info.bytes);
      break;
    case Kind::kReal:
      value.bits = std::bit_cast<uint64_t>(real_of(type, bytes));
      break;
    case Kind::kText:
      value.text = decode_text(kText, at_address(value.bits));
      break;
    case Kind::kEnum:
      if (e != nullptr) value.text = enum_text(*e, value.bits);
      break;
    case Kind::kBytes:
      value.text = hexadecimal(bytes);
      break;
    default:
      break;
  }
  if (numbers != nullptr) numbers->push_back(static_cast<int64_t>(value.bits));
  tell(value);
  return true;
}

/// A value of a type other than text: a structure, a union (`member`: the one that holds), or a scalar.
bool PayloadDecoder::one(uint64_t type, const SchemaField* from, const Place& place, int64_t member,
                         uint64_t* end) {
  const Schema* s = type >= kFirstSchema ? schemas_.schema(domain_, type) : nullptr;
  if (s == nullptr) {
    *end = place.offset + layout(type, 0).bytes;
    return scalar(type, from, place, nullptr);
  }
  if (place.depth >= kMostDepth || place.offset > place.base.size()) return false;
  Place inner = place;
  inner.base = place.base.subspan(place.offset);
  inner.offset = 0;
  uint64_t used = 0;
  const bool whole = structure(*s, inner, &used, member);
  *end = place.offset + (s->bytes != 0 ? s->bytes : used);
  return whole;
}

uint64_t PayloadDecoder::count_elements(const SchemaField& field, std::span<const uint8_t> bytes,
                                        uint64_t offset, uint64_t unit,
                                        const std::vector<std::vector<int64_t>>& numbers) {
  const auto product = [](const std::vector<int64_t>& of) {
    uint64_t n = of.empty() ? 0 : 1;
    for (const int64_t v : of)
      n = v <= 0 ? 0
                 : std::min<uint64_t>(n * std::min<uint64_t>(static_cast<uint64_t>(v), kMostValues),
                                      kMostValues);
    return n;
  };
  switch (field.flags & kArrayMask) {
    case kFixedArray:
      return std::min<uint64_t>(field.detail, kMostValues);
    case kLengthField:
      return field.detail < numbers.size() ? product(numbers[field.detail]) : 0;
    case kLengthPayload: {
      std::vector<int64_t> lengths;
      if (field.detail < all_.size()) {
        const PayloadBytes& p = all_[field.detail];
        const uint64_t size = size_of(p.schema);
        for (uint64_t at = 0; size != 0 && size <= 8 && at + size <= p.bytes.size(); at += size)
          lengths.push_back(static_cast<int64_t>(load(std::span(p.bytes).subspan(at), size)));
      }
      return product(lengths);
    }
    default: {  // ends with an element of zeros
      uint64_t n = 0;
      for (;
           unit != 0 && offset <= bytes.size() && n < kMostValues && bytes.size() - offset >= (n + 1) * unit;
           ++n) {
        const auto element = bytes.subspan(offset + n * unit, unit);
        if (std::all_of(element.begin(), element.end(), [](uint8_t b) { return b == 0; })) break;
      }
      return n;
    }
  }
}

bool PayloadDecoder::text_field(const SchemaField& field, const Place& place) {
  const uint64_t unit = unit_of_text(field.type);
  const bool pointer = (field.flags & kPointer) != 0 || field.detail == 0;
  std::span<const uint8_t> bytes;
  if (place.offset > place.base.size()) return false;
  const auto here = place.base.subspan(place.offset);
  uint64_t address = 0;
  if (pointer) {
    if (here.size() < 8) return false;
    address = load(here, 8);
    bytes = (field.flags & kFromBase) != 0
                ? place.base.subspan(std::min<uint64_t>(address, place.base.size()))
            : (field.flags & kFromHere) != 0
                ? here.subspan(std::min<uint64_t>(8 + std::min<uint64_t>(address, here.size()), here.size()))
                : at_address(address);
    if (field.detail != 0) bytes = bytes.first(std::min<uint64_t>(bytes.size(), field.detail * unit));
  } else {
    if (here.size() / unit < field.detail) return false;
    bytes = here.first(field.detail * unit);
  }
  tell({place.name, place.element, Kind::kText, address, decode_text(field.type, bytes), &field});
  return true;
}

/// An array of characters is a text.
bool PayloadDecoder::characters(const SchemaField& field, const Place& place, uint64_t count) {
  if (place.offset > place.base.size() || count > place.base.size() - place.offset) return false;
  tell({place.name, 0, Kind::kText, 0, decode_text(kText, place.base.subspan(place.offset, count)), &field});
  return true;
}

/// `count` values of a field from place.offset on. `numbers`: scalars, for lengths and selectors of later
/// ones.
bool PayloadDecoder::field(const SchemaField& f, Place place, uint64_t count, std::vector<int64_t>* numbers) {
  const bool array = (f.flags & kArrayMask) != 0;
  if (array && (f.type == kChar || f.type == kChar8)) return characters(f, place, count);
  const bool is_structure = f.type >= kFirstSchema && schemas_.schema(domain_, f.type) != nullptr;
  for (uint64_t i = 0; i < count; ++i) {
    if (told_ >= kMostValues) return true;
    Place at = place;
    if (array) at.element = place.element == 0 ? i + 1 : (place.element - 1) * count + i + 1;
    uint64_t end = 0;
    if (is_structure) {
      ++at.depth;
      const int64_t member = !array && numbers != nullptr && !numbers->empty() ? numbers->front() : -1;
      if (!one(f.type, &f, at, member, &end)) return false;
    } else {
      end = place.offset + layout(f.type, 0).bytes;
      if (!scalar(f.type, &f, at, numbers)) return false;
    }
    if (end <= place.offset) return false;
    place.offset = end;
  }
  return true;
}

bool PayloadDecoder::structure(const Schema& schema, const Place& place, uint64_t* end, int64_t member) {
  std::vector<std::vector<int64_t>> numbers(schema.fields.size());
  const bool is_union = schema.type == kUnion || schema.type == kSelectingUnion;
  uint64_t cursor = 0;
  bool whole = true;
  for (size_t i = 0; i < schema.fields.size() && told_ < kMostValues; ++i) {
    if (++steps_ > kMostSteps) return false;
    const SchemaField& f = schema.fields[i];
    const Layout single = layout(f.type, 0);
    const bool pointer = (f.flags & (kPointer | kFromBase | kFromHere)) != 0;
    uint64_t alignment = pointer || is_text(f.type) ? field_layout(f, 1).alignment : single.alignment;
    if (schema.alignment != 0) alignment = std::min(alignment, schema.alignment);
    const uint64_t at = i == 0 || f.offset != 0 ? f.offset : is_union ? 0 : round_up(cursor, alignment);
    if (at > place.base.size()) return false;
    Place here = place;
    here.offset = at;
    here.name = joined(place.name, name_of(f, i));
    const bool selects = schema.type == kSelectingUnion && f.type == kSelector;
    if (is_union && !selects && member >= 0 && static_cast<uint64_t>(member) != i) continue;
    if (is_text(f.type)) {
      whole = text_field(f, here) && whole;
      cursor = at + field_layout(f, 1).bytes;
      *end = std::max(*end, cursor);
      continue;
    }
    std::span<const uint8_t> target = place.base;
    uint64_t from = at;
    if (pointer) {
      if (place.base.size() - at < 8) return false;
      const uint64_t value = load(place.base.subspan(at), 8);
      if ((f.flags & kPointer) != 0) {
        target = at_address(value);
        from = 0;
      } else {
        from = (f.flags & kFromBase) != 0 ? value : std::min<uint64_t>(value, target.size()) + at + 8;
      }
      here.base = target;
      here.offset = from;
    }
    const bool array = (f.flags & kArrayMask) != 0;
    const uint64_t count = array ? count_elements(f, target, from, single.bytes, numbers) : 1;
    // A union whose selector lies in this structure gets the member through `numbers`.
    const Schema* nested = f.type >= kFirstSchema ? schemas_.schema(domain_, f.type) : nullptr;
    if (nested != nullptr && nested->type == kUnion && !array && f.detail < i) numbers[i] = numbers[f.detail];
    whole = field(f, here, count, &numbers[i]) && whole;
    if (selects && !numbers[i].empty()) member = numbers[i].front();
    uint64_t bytes = pointer ? 8 : single.bytes * count;
    if (!pointer && array && (f.flags & kArrayMask) == kZeroEnded) bytes += single.bytes;
    cursor = at + bytes;
    *end = std::max(*end, cursor);
    if (!whole && single.bytes == 0) return false;
  }
  return whole;
}

}  // namespace sextant::collector
