// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_file_sum: what was done with each file: calls, bytes, time, errors. One line a path, whoever opened it
// how often; what was opened before it could be seen is told by its descriptor.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <tuple>

#include "event/schema_system.h"
#include "query/sums.h"
#include "stats/cuda_names.h"
#include "stats/osrt.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

struct Use {
  int64_t time_ns = 0;
  uint64_t calls = 0, opens = 0, closes = 0, reads = 0, writes = 0, others = 0;
  uint64_t bytes_read = 0, bytes_written = 0, errors = 0;

  void add(uint64_t type, uint64_t bytes) {
    switch (static_cast<event::OsrtAccess>(type)) {
      case event::OsrtAccess::kOpen:
        ++opens;
        break;
      case event::OsrtAccess::kClose:
        ++closes;
        break;
      case event::OsrtAccess::kRead:
        ++reads;
        bytes_read += bytes;
        break;
      case event::OsrtAccess::kWrite:
        ++writes;
        bytes_written += bytes;
        break;
      default:
        ++others;
    }
  }
};

using Line = std::pair<std::string, Use>;

/// By path as it is displayed.
Result<std::map<std::string, Use>> gather(const query::Source& source) {
  using namespace event::osrt_file_access;
  SEXTANT_ASSIGN(const FilePaths files, FilePaths::load(source));
  std::map<std::pair<uint64_t, uint64_t>, Use> by_strings;  // path, else context
  const uint16_t columns[] = {kDuration, kFile, kType, kBytes, kContext, kErrno};
  SEXTANT_TRY(source.scan_table(event::kOsrtFileAccess, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i) {
      const uint64_t path = files.path(c[1][i]);
      Use& use = by_strings[{path, path == 0 ? c[4][i] : 0}];
      use.time_ns = query::sum(use.time_ns, static_cast<int64_t>(c[0][i]));
      ++use.calls;
      use.add(c[2][i], c[3][i]);
      if (c[5][i] != 0) ++use.errors;
    }
  }));
  std::map<std::string, Use> by_text;
  for (const auto& [strings, use] : by_strings) {
    Use& sum = by_text[display(source, strings.first != 0 ? strings.first : strings.second)];
    sum.time_ns = query::sum(sum.time_ns, use.time_ns);
    for (const auto member : {&Use::calls, &Use::opens, &Use::closes, &Use::reads, &Use::writes, &Use::others,
                              &Use::bytes_read, &Use::bytes_written, &Use::errors})
      sum.*member += use.*member;
  }
  return by_text;
}

void fill_row(const Line& line, double whole, std::span<text::Cell> cells) {
  const Use& use = line.second;
  if (whole > 0) cells[0].set(100.0 * static_cast<double>(use.time_ns) / whole);
  size_t at = 1;
  cells[at++].set(use.time_ns);
  for (const uint64_t number : {use.calls, use.opens, use.closes, use.reads, use.bytes_read, use.writes,
                                use.bytes_written, use.others, use.errors})
    cells[at++].set(static_cast<int64_t>(number));
  cells[at].set(std::string_view(line.first));
}

std::string why_no_files(const query::Source& source) {
  if (source.rows(event::kOsrtCall) > 0 && source.rows(event::kOsrtFileAccess) == 0)
    return "No files: the report was recorded without --osrt-file-access.";
  return why_nothing(source, "calls about files", "osrt with --osrt-file-access");
}

}  // namespace

Result<text::Table> make_osrt_file_sum(const query::Source& source, const ReportArguments&) {
  using enum text::CellType;
  SEXTANT_ASSIGN(const auto files, gather(source));
  auto lines = std::make_shared<std::vector<Line>>(files.begin(), files.end());
  std::stable_sort(lines->begin(), lines->end(),
                   [](const Line& a, const Line& b) { return a.second.time_ns > b.second.time_ns; });
  double whole = 0;
  for (const Line& line : *lines) whole += static_cast<double>(line.second.time_ns);
  text::Table table;
  table.columns = {
      {"Time", "%", kReal},         {"Total Time", "ns", kInteger}, {"Num Calls", "", kInteger},
      {"Opens", "", kInteger},      {"Closes", "", kInteger},       {"Reads", "", kInteger},
      {"Bytes Read", "", kInteger}, {"Writes", "", kInteger},       {"Bytes Written", "", kInteger},
      {"Others", "", kInteger},     {"Errors", "", kInteger},       {"File", "", kText}};
  table.rows = lines->size();
  if (table.rows == 0) table.why_empty = why_no_files(source);
  table.fill = [lines, whole](uint64_t row, std::span<text::Cell> cells) {
    fill_row((*lines)[row], whole, cells);
  };
  return table;
}

}  // namespace sextant::stats
