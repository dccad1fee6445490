// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// golden_csv_compare WANTED GOT: exit 0 if the tables are alike (csv_compare.h), else 1 with what is
// different.
#include <stdio.h>

#include <fstream>
#include <sstream>

#include "golden/csv_compare.h"

namespace {

std::string read_file(const char* path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const golden::Rows wanted = golden::parse_csv(read_file(argv[1]));
  const golden::Rows got = golden::parse_csv(read_file(argv[2]));
  const std::string why = golden::difference(wanted, got, wanted.empty() ? -1 : golden::sort_column(wanted));
  if (why.empty()) return 0;
  printf("%s\n", why.c_str());
  return 1;
}
