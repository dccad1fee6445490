// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "agent/core/names.h"

namespace sextant::agent {

size_t to_utf8(const wchar_t* text, char* to, size_t room) {
  size_t n = 0;
  for (; *text != 0; ++text) {
    uint32_t c = static_cast<uint32_t>(*text);  // NOLINT(bugprone-signed-char-misuse): no char
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = 0xfffd;
    size_t bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (bytes > room - n) break;
    if (bytes == 1) {
      to[n] = static_cast<char>(c);
    } else {
      static constexpr uint8_t kLead[] = {0, 0, 0xc0, 0xe0, 0xf0};
      for (size_t i = bytes - 1; i > 0; --i, c >>= 6) to[n + i] = static_cast<char>(0x80 | (c & 0x3f));
      to[n] = static_cast<char>(kLead[bytes] | c);
    }
    n += bytes;
  }
  return n;
}

}  // namespace sextant::agent
