// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// permissions_page           prints docs/permissions.md as it must be
// permissions_page FILE      exit code 1 where FILE is another text
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "doctor/permissions_page.h"

int main(int argc, char** argv) {
  const std::string page = sextant::doctor::permissions_page();
  if (argc == 1) return std::fputs(page.c_str(), stdout) < 0 ? 1 : 0;
  std::ifstream in(argv[1]);
  if (page == std::string(std::istreambuf_iterator<char>(in), {})) return 0;
  std::fprintf(stderr, "%s is not what the checks say: %s > %s writes it anew\n", argv[1], argv[0], argv[1]);
  return 1;
}
