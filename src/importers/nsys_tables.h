// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which table and column of nsys's exports goes where: docs/formats/nsys-sqlite-import.md is made from these.
// One part for each group of the vocabulary. Nothing is keyed on a version: what a file has is taken.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sextant::importers {

enum class From : uint8_t {
  kInteger,          // an integer as it is
  kReal,             // a number as the bits of a double
  kText,             // text
  kStringId,         // number of a string in StringIds
  kProcess,          // a globalPid: number of the process
  kProcessOfThread,  // a globalTid: number of its process
  kTid,              // a globalTid: its thread id
  kTime,             // a time stamp
  kEnd,              // the end of what begins at the first kTime column: its duration
  kRowid,            // number of the row
  kConstant,         // NsysSource::constant
  kTableName,        // name of the source's table
};

struct NsysColumn {
  uint16_t to;  // column number in the vocabulary
  From from;
  std::string_view source;
};

struct NsysSource {
  std::string_view table;  // a trailing * stands for anything
  uint64_t constant = 0;
  std::string_view only_with;  // taken only if it has this column
};

struct NsysTable {
  uint16_t to;  // table number in the vocabulary
  std::span<const NsysSource> sources;
  std::span<const NsysColumn> columns;
};

std::span<const NsysTable> nsys_nvtx_tables();
std::span<const NsysTable> nsys_cuda_tables();
std::span<const NsysTable> nsys_system_tables();
std::span<const NsysTable> nsys_target_tables();
std::span<const NsysTable> nsys_parallel_tables();

/// Where a table of nsys goes; nullptr: nowhere, it is kept as it is. `has_column` tells which columns it
/// has.
struct NsysTarget {
  const NsysTable* table = nullptr;
  const NsysSource* source = nullptr;
};
template <typename HasColumn>
NsysTarget find_nsys_target(std::string_view name, HasColumn has_column) {
  for (const auto part : {nsys_nvtx_tables(), nsys_cuda_tables(), nsys_system_tables(), nsys_target_tables(),
                          nsys_parallel_tables()}) {
    for (const NsysTable& table : part) {
      for (const NsysSource& source : table.sources) {
        const bool prefix = source.table.ends_with('*');
        if (prefix ? !name.starts_with(source.table.substr(0, source.table.size() - 1))
                   : name != source.table)
          continue;
        if (source.only_with.empty() || has_column(source.only_with)) return {&table, &source};
      }
    }
  }
  return {};
}

}  // namespace sextant::importers
