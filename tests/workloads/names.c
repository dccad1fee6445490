// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// names WHAT: ranges with difficult names.
//   odd        invalid UTF-8, quotes, commas, newlines, tabs, control characters, 10 KB, empty, null
//   many N     N distinct names
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvtx_client.h"

static void range(const char* name) {
  nvtxRangePushA(name);
  nvtxRangePop();
}

int main(int argc, char** argv) {
  if (argc > 2 && !strcmp(argv[1], "many")) {
    for (long i = 0, n = atol(argv[2]); i < n; ++i) {
      char name[40];
      snprintf(name, sizeof name, "name number %ld", i);
      range(name);
    }
    return 0;
  }
  range("bad \xff\xfe utf \xc3( end");
  range("lone surrogate \xed\xa0\x80 and overlong \xc0\xaf");
  range("say \"hi\"");
  range("a,b;c");
  range("line one\nline two\r\nline three");
  range("tab\tbell\x07 escape\x1b[31m");
  range("back\\slash 'single' `tick`");
  range("\xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80");
  range("=1+1");
  range(" leading and trailing ");
  range("colon:inside");
  range("");
  range(0);
  char* big = malloc(10241);
  memset(big, 'x', 10240);
  big[10240] = 0;
  range(big);
  big[10239] = 'y';  // differs from the one before in the last byte only
  range(big);
  char* huge = malloc(1 << 20);
  memset(huge, 'h', (1 << 20) - 1);
  huge[(1 << 20) - 1] = 0;
  range(huge);
  return 0;
}
