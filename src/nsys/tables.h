// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which table and column of nsys's exports goes where, in both directions: imports read by these and exports
// write by them; docs/formats/nsys-sqlite-import.md is made from them.
// One part for each group of the vocabulary. Nothing is keyed on a version: what a file has is taken.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sextant::nsys {

/// Stamps of an imported report are nanoseconds of nsys's session plus this, so that earlier ones keep their
/// order.
inline constexpr uint64_t kSessionStartRaw = uint64_t{1} << 62;

/// A globalTid has the thread's id in its lowest 24 bits, a globalPid has zeros there.
inline constexpr uint64_t kTidBits = 0xFFFFFF;

/// Of a value in a table that is kept as it is: four bits in its columns `types:N`, one word for 16 columns.
enum class Kept : uint8_t { kOwn = 0, kNone = 1, kInteger = 2, kReal = 3, kText = 4, kBlob = 5 };
inline constexpr size_t kKeptColumnsAWord = 16;

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
  kConstant,         // Source::constant
  kTableName,        // name of the source's table
};

struct Column {
  uint16_t to;  // column number in the vocabulary
  From from;
  std::string_view source;
};

struct Source {
  std::string_view table;  // a trailing * stands for anything
  uint64_t constant = 0;
  std::string_view only_with;  // taken only if it has this column
};

struct Table {
  uint16_t to;  // table number in the vocabulary
  std::span<const Source> sources;
  std::span<const Column> columns;
};

std::span<const Table> nvtx_tables();
std::span<const Table> cuda_tables();
std::span<const Table> system_tables();
std::span<const Table> target_tables();
std::span<const Table> parallel_tables();

/// Tables of our own, in nsys's manner: nsys has none for OpenCL. They are written and can be asked by SQL;
/// an import keeps them as they are.
std::span<const Table> opencl_tables();

/// Where a table of nsys goes; nullptr: nowhere, it is kept as it is. `has_column` tells which columns it
/// has.
struct Target {
  const Table* table = nullptr;
  const Source* source = nullptr;
};
template <typename HasColumn>
Target find_target(std::string_view name, HasColumn has_column) {
  for (const auto part :
       {nvtx_tables(), cuda_tables(), system_tables(), target_tables(), parallel_tables()}) {
    for (const Table& table : part) {
      for (const Source& source : table.sources) {
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

}  // namespace sextant::nsys
