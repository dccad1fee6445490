// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "text/utf8.h"

#include <fmt/format.h>

#include <cstdint>

namespace sextant::text {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_tail(char c) {
  return (static_cast<uint8_t>(c) & 0xC0) == 0x80;
}

uint32_t decode(std::string_view sequence) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(sequence[i])); };
  switch (sequence.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3:
      return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    default:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  }
}

bool unsafe_to_print(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029 || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

void append_escaped(std::string* out, uint32_t c) {
  switch (c) {
    case '\n':
      *out += "\\n";
      return;
    case '\t':
      *out += "\\t";
      return;
    case '\r':
      *out += "\\r";
      return;
    default:
      break;
  }
  *out += c < 0x80 ? fmt::format("\\x{:02x}", c) : fmt::format("\\u{:04x}", c);
}

}  // namespace

size_t utf8_sequence(std::string_view bytes) {
  const auto first = static_cast<uint8_t>(bytes[0]);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || bytes.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if (!is_tail(bytes[i])) return 0;
  const uint32_t c = decode(bytes.substr(0, length));
  if (length == 3 && (c < 0x800 || (c >= 0xD800 && c <= 0xDFFF))) return 0;
  if (length == 4 && (c < 0x10000 || c > 0x10FFFF)) return 0;
  return length;
}

void append_valid_utf8(std::string* out, std::string_view bytes) {
  size_t good = 0;  // start of the run of valid bytes not yet appended
  for (size_t i = 0; i < bytes.size();) {
    const size_t length = utf8_sequence(bytes.substr(i));
    if (length != 0) {
      i += length;
      continue;
    }
    out->append(bytes.substr(good, i - good));
    out->append(kReplacement);
    good = ++i;
  }
  out->append(bytes.substr(good));
}

std::string valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  append_valid_utf8(&out, bytes);
  return out;
}

std::string printable(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size();) {
    const size_t length = utf8_sequence(bytes.substr(i));
    if (length == 0) {
      out += kReplacement;
      ++i;
      continue;
    }
    const std::string_view sequence = bytes.substr(i, length);
    const uint32_t c = decode(sequence);
    if (unsafe_to_print(c)) {
      append_escaped(&out, c);
    } else {
      out += sequence;
    }
    i += length;
  }
  return out;
}

size_t code_points(std::string_view utf8) {
  size_t n = 0;
  for (const char c : utf8) n += is_tail(c) ? 0 : 1;
  return n;
}

}  // namespace sextant::text
