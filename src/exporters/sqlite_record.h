// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// SqliteRecord builds one row in SQLite's record format (https://sqlite.org/fileformat2.html, section 2.1):
// values are added in the order of the table's columns. Columns at the end that are not added read as NULL,
// so trailing NULLs are simply left out. An INTEGER PRIMARY KEY column is the row id and must be added as
// null().
//
// Reused row after row: clear() keeps the memory. Not thread-safe.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace sextant::exporters {

/// Writes SQLite's variable-length integer: 7 bits a byte, most significant first, 9 bytes at most. Returns
/// the end.
inline uint8_t* put_varint(uint8_t* out, uint64_t value) {
  if (value < 0x80) {
    *out = static_cast<uint8_t>(value);
    return out + 1;
  }
  if (value >> 56) {  // the ninth byte holds 8 bits
    out[8] = static_cast<uint8_t>(value);
    value >>= 8;
    for (int i = 7; i >= 0; --i, value >>= 7) out[i] = static_cast<uint8_t>(value | 0x80);
    return out + 9;
  }
  const int bytes = (std::bit_width(value) + 6) / 7;
  for (int i = bytes - 1; i >= 0; --i, value >>= 7) out[i] = static_cast<uint8_t>(value | 0x80);
  out[bytes - 1] &= 0x7f;
  return out + bytes;
}

inline void put_big_endian(uint8_t* out, uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i, value >>= 8) out[i] = static_cast<uint8_t>(value);
}

class SqliteRecord {
 public:
  static constexpr size_t kMaxColumns = 1024;

  SqliteRecord() : body_(2 * kSpare) {}

  void clear() {
    types_used_ = 0;
    body_used_ = 0;
  }

  SqliteRecord& null() {
    types_[types_used_++] = 0;
    return *this;
  }

  SqliteRecord& integer(int64_t value) {
    if (static_cast<uint64_t>(value) < 2) {  // the constants 0 and 1 take no bytes
      types_[types_used_++] = static_cast<uint8_t>(8 + value);
      return *this;
    }
    static constexpr uint8_t kTypeBySize[9] = {0, 1, 2, 3, 4, 5, 5, 6, 6};
    static constexpr uint8_t kBytesByType[7] = {0, 1, 2, 3, 4, 6, 8};
    const uint64_t magnitude = static_cast<uint64_t>(value < 0 ? ~value : value);
    const uint8_t type = kTypeBySize[(std::bit_width(magnitude) + 8) / 8];
    types_[types_used_++] = type;
    put_bytes(static_cast<uint64_t>(value), kBytesByType[type]);
    return *this;
  }

  SqliteRecord& real(double value) {
    if (value != value) return null();  // SQLite has no NaN
    types_[types_used_++] = 7;
    put_bytes(std::bit_cast<uint64_t>(value), 8);
    return *this;
  }

  SqliteRecord& text(std::string_view value) {
    types_used_ =
        static_cast<size_t>(put_varint(types_ + types_used_, 13 + 2 * uint64_t{value.size()}) - types_);
    if (body_used_ + value.size() + kSpare > body_.size())
      body_.resize(2 * (body_used_ + value.size() + kSpare));
    if (!value.empty()) std::memcpy(body_.data() + body_used_, value.data(), value.size());
    body_used_ += value.size();
    return *this;
  }

  SqliteRecord& blob(std::string_view value) {
    const size_t first = types_used_;
    text(value);
    put_varint(types_ + first, 12 + 2 * uint64_t{value.size()});  // as long as that of a text
    return *this;
  }

  // What a table stores: a header (its own length as a varint, then the types), then the values.
  std::string_view types() const { return {reinterpret_cast<const char*>(types_), types_used_}; }
  std::string_view body() const { return {reinterpret_cast<const char*>(body_.data()), body_used_}; }

 private:
  static constexpr size_t kSpare = 8 * kMaxColumns;  // numbers are added without asking for room

  void put_bytes(uint64_t value, int bytes) {  // the low bytes, big-endian; may scribble on up to 8 bytes
    const uint64_t swapped = __builtin_bswap64(value << (64 - 8 * bytes));
    std::memcpy(body_.data() + body_used_, &swapped, 8);
    body_used_ += static_cast<size_t>(bytes);
  }

  uint8_t types_[9 * kMaxColumns];
  size_t types_used_ = 0;
  std::vector<uint8_t> body_;
  size_t body_used_ = 0;
};

}  // namespace sextant::exporters
