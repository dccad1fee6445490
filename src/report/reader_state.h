// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a Reader holds; shared by reader.cpp and verify.cpp only. Unchanged once it is open.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/fd.h"
#include "report/dictionary.h"
#include "report/directory.h"
#include "report/reader.h"

namespace sextant::report {

struct Reader::State {
  std::string path;
  base::Fd fd;
  Directory directory;
  Dictionary dictionary;
  std::map<std::string, std::string> meta;
  std::vector<TableInfo> tables;
  uint64_t unknown_chunks = 0;
};

}  // namespace sextant::report
