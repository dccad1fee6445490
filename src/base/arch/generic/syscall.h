// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The portable fallback of system_call(): through the C library, with errno kept.
#pragma once

#include <errno.h>
#include <unistd.h>

namespace sextant::base::arch {

inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  int saved = errno;
  long result = ::syscall(number, a, b, c, d, e, f);
  if (result == -1) result = -errno;
  errno = saved;
  return result;
}

}  // namespace sextant::base::arch
