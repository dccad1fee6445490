// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// osrt_error_sum: calls of the C library that failed, by function and error. What only says that something is
// not ready yet, or that a time limit came, is told apart from real errors, which come first.
#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <tuple>

#include "event/schema_system.h"
#include "stats/cuda_names.h"
#include "stats/duration_groups.h"
#include "stats/osrt.h"
#include "stats/parallel.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using Groups = KeyedGroups<2, Durations>;  // name, error; error 0: did not fail

enum class Kind : uint8_t { kError, kNotReady, kTimeLimit, kInterrupted };

Kind kind_of(uint64_t error) {
  switch (error) {
    case EAGAIN:
    case EINPROGRESS:
    case EALREADY:
    case EBUSY:
      return Kind::kNotReady;
    case ETIMEDOUT:
    case ETIME:
      return Kind::kTimeLimit;
    case EINTR:
      return Kind::kInterrupted;
    default:
      return Kind::kError;
  }
}

std::string_view kind_text(Kind kind) {
  static constexpr std::string_view kTexts[] = {"Error", "Not ready", "Time limit", "Interrupted"};
  return kTexts[static_cast<size_t>(kind)];
}

struct Line {
  Kind kind;
  uint64_t function = 0, error = 0;
  uint64_t calls = 0;  // of the function, failed or not
  std::string name, error_name, meaning;
  Figures figures;
};

void fill_row(const Line& line, std::span<text::Cell> cells) {
  cells[0].set(static_cast<int64_t>(line.figures.count));
  cells[1].set(100.0 * static_cast<double>(line.figures.count) / static_cast<double>(line.calls));
  cells[2].set(line.figures.total);
  cells[3].set(line.figures.average);
  cells[4].set(line.figures.min);
  cells[5].set(line.figures.max);
  cells[6].set(kind_text(line.kind));
  cells[7].set(std::string_view(line.name));
  cells[8].set(std::string_view(line.error_name));
  cells[9].set(std::string_view(line.meaning));
}

Status gather(const query::Source& source, Groups* all) {
  using namespace event::osrt_call;
  const uint16_t columns[] = {kDuration, kName, kErrno, kClass, kNulls};
  std::vector<Groups> workers(all_workers());
  SEXTANT_TRY(
      source.scan_table(event::kOsrtCall, columns, workers.size(), [&](size_t worker, query::TableBatch& b) {
        const auto& c = b.columns;
        for (size_t i = 0; i < b.rows; ++i)
          if (is_osrt_call(c[3][i], c[4][i]))
            workers[worker].at({c[1][i], c[2][i]}).add(static_cast<int64_t>(c[0][i]));
      }));
  for (Groups& groups : workers)
    for (auto& [key, durations] : groups.all()) all->at(key).merge(std::move(durations));
  return {};
}

}  // namespace

Result<text::Table> make_osrt_error_sum(const query::Source& source, const ReportArguments&) {
  using enum text::CellType;
  Groups groups;
  SEXTANT_TRY(gather(source, &groups));
  std::map<uint64_t, uint64_t> calls;  // by name
  auto lines = std::make_shared<std::vector<Line>>();
  for (auto& [key, durations] : groups.all()) {
    const Figures figures = durations.figures();
    calls[key[0]] += figures.count;
    if (key[1] != 0)
      lines->push_back({kind_of(key[1]), key[0], key[1], 0, display(source, key[0]), error_name(key[1]),
                        error_meaning(key[1]), figures});
  }
  for (Line& line : *lines) line.calls = calls[line.function];
  std::sort(lines->begin(), lines->end(), [](const Line& a, const Line& b) {
    return std::tuple(a.kind != Kind::kError, b.figures.count, std::string_view(a.name), a.error) <
           std::tuple(b.kind != Kind::kError, a.figures.count, std::string_view(b.name), b.error);
  });
  text::Table table;
  table.columns = {{"Errors", "", kInteger}, {"Share", "%", kReal},   {"Total Time", "ns", kInteger},
                   {"Avg", "ns", kReal},     {"Min", "ns", kInteger}, {"Max", "ns", kInteger},
                   {"Kind", "", kText},      {"Name", "", kText},     {"Error", "", kText},
                   {"Meaning", "", kText}};
  table.rows = lines->size();
  if (table.rows == 0)
    table.why_empty = groups.all().empty()
                          ? why_nothing(source, "calls of the C library", "osrt")
                          : "No call of the C library failed (imported recordings do not say).";
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) { fill_row((*lines)[row], cells); };
  return table;
}

}  // namespace sextant::stats
