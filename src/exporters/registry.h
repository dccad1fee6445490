// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The formats that `sextant export -t NAME` knows. A new one is a file with its function and a line in
// registry.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "query/query.h"

namespace sextant::exporters {

struct ExportOptions {
  bool replace = false;  // an existing output is replaced (when the new one is whole)
  std::function<void(uint64_t done, uint64_t total)> progress;  // rows of the report; may be empty
  bool by_thread = false;  // flame: processes and threads above the ranges
};

struct Format {
  std::string_view name;       // after -t; "flame" is a command of its own
  std::string_view extension;  // of the default output, with its dot
  std::string_view meaning;    // half a sentence for --help
  Status (*write)(const query::Source& source, const std::string& output, const ExportOptions& options);
  bool streams = true;  // "-" as its output is standard output
};

std::span<const Format> formats();
const Format* find_format(std::string_view name);

}  // namespace sextant::exporters
