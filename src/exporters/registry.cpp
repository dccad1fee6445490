// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/registry.h"

#include "exporters/chrome.h"
#include "exporters/flame_graph.h"
#include "exporters/nvtx_paths.h"
#include "exporters/plain_text.h"
#include "exporters/sqlite.h"

namespace sextant::exporters {

namespace {

Status write_sqlite(const query::Source& source, const std::string& output, const ExportOptions& options) {
  return export_sqlite(source, output, {options.replace, options.progress});
}

constexpr Format kFormats[] = {
    {"sqlite", ".sqlite", "an SQLite database with nsys's tables", write_sqlite, false},
    {"jsonlines", ".jsonl", "a JSON object for each row of each table; -o - is standard output",
     export_jsonlines},
    {"chrome", ".json", "Chrome trace events, for Perfetto and chrome://tracing; -o - is standard output",
     export_chrome},
    {"folded", ".folded",
     "NVTX push/pop time by thread and path, own time, for flame graphs; -o - is standard output",
     export_folded},
    {"flame", ".svg", "a picture of NVTX push/pop time by path; -o - is standard output", export_flame},
    {"csv", "_csv", "a folder with a CSV file for each table", export_csv, false},
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
