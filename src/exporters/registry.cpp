// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/registry.h"

#include "exporters/sqlite.h"

namespace sextant::exporters {

namespace {

Status write_sqlite(const query::Source& source, const std::string& output, const ExportOptions& options) {
  return export_sqlite(source, output, {options.replace, options.progress});
}

constexpr Format kFormats[] = {
    {"sqlite", ".sqlite", "an SQLite database with nsys's tables", write_sqlite},
};

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

}  // namespace sextant::exporters
