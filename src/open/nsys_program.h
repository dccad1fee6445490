// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Asking an installed nsys to export its own files. Only a program on an absolute entry of PATH is ever run,
// and it runs in an empty folder, since nsys executes Python files that it finds in the current one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace sextant::open {

/// "2023.4.4.54" -> {2023, 4, 4, 54}; of two versions the larger vector is the later one.
std::vector<unsigned> version_numbers(const std::string& version);

struct NsysProgram {
  std::string path;
  std::string version;
};

/// The first nsys on `search_path` (as PATH has it) that is at least `version`; others are passed over.
/// kNotFound says what was found instead.
Result<NsysProgram> find_nsys(const std::string& search_path, const std::string& version);

/// Writes `sqlite_path`. `scratch` is an empty folder of ours; `is_stream`: a .qdstrm, which becomes a report
/// first.
Status export_with_nsys(const NsysProgram& nsys, const std::string& file, bool is_stream,
                        const std::string& sqlite_path, const std::string& scratch);

}  // namespace sextant::open
