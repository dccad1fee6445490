// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// From addresses in the memory of a process to lines of source, by the debug information (DWARF) of the file
// that the code was in. Reports of samples have no load addresses and no build-ids: where the file was loaded
// follows from the functions that the addresses are in. Nothing is executed, nothing is fetched from
// elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace sextant::symbols {

struct CodeAddress {
  std::string function;  // as the profiler named it, mangled or not; empty or an address: unknown
  uint64_t address = 0;
  bool is_return = false;  // of a calling function: what runs is before it
};

struct SourcePlace {
  std::string file;
  uint64_t line = 0;
  bool exact = true;  // false: the address could not be placed; this is where the function begins
};

/// Whether this build has the library for it.
bool reads_debug_info();

/// The place of frames[which]. All frames are of one call stack and in one file: `module`, open for reading,
/// and called `name` in messages. What it has no debug information for itself is looked for in `debug_folder`
/// by build-id. kNotFound: there is none. kCorrupt: the file's functions do not lie where the addresses say.
/// kUnsupported: a build without the library, or the file is too large.
Result<SourcePlace> find_source(int module, const std::string& name, std::span<const CodeAddress> frames,
                                size_t which, const std::string& debug_folder = "/usr/lib/debug");

}  // namespace sextant::symbols
