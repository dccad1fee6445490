// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// report_sample write FILE   a report with every table, type, transform and codec
// report_sample dump FILE    what the reader finds in it, in the form of tools/read_report.py
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "event/schema_cuda.h"
#include "event/schema_system.h"
#include "report/reader.h"
#include "report/writer.h"

namespace {

using namespace sextant::report;
namespace event = sextant::event;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Some rows in every table: small and large numbers, negative ones, awkward strings.
void write_every_table(Writer* writer) {
  const std::string_view texts[] = {
      "", "plain", "with \"quotes\"", "comma, and\nnewline", "\xff\xfe no utf-8", "\r"};
  std::vector<Rows> tables;
  for (const event::Table& table : event::tables()) {
    Rows rows(table);
    for (size_t c = 0; c < table.columns.size(); ++c) {
      for (uint64_t i = 0; i < 9; ++i) {
        uint64_t value = (i * 2654435761u * (c + 1)) >> (c * 3 % 30);
        if (table.columns[c].type == event::Type::kInt) value = i - 4;
        if (table.columns[c].type == event::Type::kString)
          value = writer->string_id(texts[(i + c) % std::size(texts)]);
        if (table.columns[c].type == event::Type::kBits) value = ~(i << 60);
        rows.columns[c].push_back(value);
      }
    }
    tables.push_back(std::move(rows));
  }
  std::vector<const Rows*> parts;
  for (const Rows& rows : tables) parts.push_back(&rows);
  require(writer->write_group(parts, {}).has_value());
}

/// More than a chunk of ranges, each fourth around the three before.
void write_ranges(Writer* writer, uint64_t seed) {
  Rows rows(*event::find_table(event::kNvtxRange));
  std::mt19937_64 random(seed);
  uint64_t end = 1'000'000'000'000 * seed;
  for (int i = 0; i < 40'000; ++i) {
    const bool outer = i % 4 == 3;
    const uint64_t length = random() % 5000 + (outer ? 15'000 : 0);
    end += outer ? 30 : length + random() % 7;
    rows.column(event::nvtx::kStart).push_back(end - length);
    rows.column(event::nvtx::kDuration).push_back(length);
    rows.column(event::nvtx::kName).push_back(writer->string_id("operator " + std::to_string(random() % 40)));
    rows.column(event::nvtx::kPayload).push_back(random());
    rows.column(event::nvtx::kLevel).push_back(outer ? 0 : 1);
    rows.column(event::nvtx::kTid).push_back(seed);
  }
  const Rows* parts[] = {&rows};
  const Provenance from[] = {{1, static_cast<uint32_t>(seed), 0, 80'000}};
  require(writer->write_group(parts, from).has_value());
}

/// Calls of several threads: each begins when the one before ends, but where the thread changes.
void write_calls(Writer* writer) {
  Rows rows(*event::find_table(event::kSyscall)), kernels(*event::find_table(event::kCudaKernel));
  std::mt19937_64 random(9);
  uint64_t numbers[3] = {1'000, 5'000'000, 70}, names[30];
  for (size_t i = 0; i < std::size(names); ++i) names[i] = writer->string_id("kernel " + std::to_string(i));
  uint64_t ends[3] = {1'000'000'000, 2'000'000, 500'000'000'000};
  for (int i = 0; i < 20'000; ++i) {
    uint64_t& end = ends[i / 500 % 3];
    const uint64_t start = end + random() % 100, length = random() % 60'000;
    end = start + length;
    rows.column(event::syscall::kStart).push_back(start);
    rows.column(event::syscall::kDuration).push_back(length);
    // and kernels of three processes in turn, each with numbers of its own
    const auto process = static_cast<uint64_t>(random() % 3);
    kernels.column(event::cuda_kernel::kProcess).push_back(process + 1);
    kernels.column(event::cuda_kernel::kDevice).push_back(process * 2);
    kernels.column(event::cuda_kernel::kCorrelation).push_back(numbers[process] += 1 + random() % 2);
    kernels.column(event::cuda_kernel::kName).push_back(names[numbers[process] % std::size(names)]);
    kernels.column(event::cuda_kernel::kRegistersPerThread)
        .push_back(numbers[process] % std::size(names) * 8);
  }
  const Rows* parts[] = {&rows, &kernels};
  require(writer->write_group(parts, {}).has_value());
}

/// Of 9 rows in every table: one summary that holds, one that does not.
void write_summaries(Writer* writer) {
  const uint64_t name = writer->string_id("plain");
  const Writer::NamedDuration whole[] = {{0, 700, 2}, {name, 300, 3}, {name, 70'000, 4}};
  require(writer->write_summary(*event::find_table(event::kCudaMemcpy), whole).has_value());
  require(writer->write_summary(*event::find_table(event::kCudaApi), std::span(whole).first(2)).has_value());
}

int write(const char* path) {
  auto writer = Writer::create(path, {.clock_kind = 1});
  require(writer.has_value() && writer->write_meta("host", "somewhere").has_value());
  write_every_table(&*writer);
  for (uint64_t seed = 1; seed <= 3; ++seed) write_ranges(&*writer, seed);
  write_calls(&*writer);
  write_summaries(&*writer);
  require(writer->finish().has_value());
  return 0;
}

void print_field(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::putchar('"');
  for (char c : text) {
    if (c == '"') std::putchar('"');
    std::putchar(c);
  }
  std::putchar('"');
}

void print_rows(const Reader& reader, const TableInfo& table) {
  std::vector<uint16_t> ids;
  for (const ColumnInfo& column : table.columns) ids.push_back(column.id);
  std::vector<std::vector<uint64_t>> values(ids.size());
  for (const ChunkRef& chunk : reader.chunks()) {
    if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kData) || chunk.header.table != table.id)
      continue;
    require(reader.read_columns(chunk, ids, values).has_value());
    for (size_t i = 0; i < chunk.header.rows; ++i) {
      for (size_t c = 0; c < values.size(); ++c) {
        const uint64_t v = values[c][i];
        if (c > 0) std::putchar(',');
        if (table.columns[c].type == "string")
          print_field(reader.string(v));
        else if (table.columns[c].type == "int")
          print_field(std::to_string(static_cast<int64_t>(v)));
        else
          print_field(std::to_string(v));
      }
      std::putchar('\n');
    }
  }
}

/// The summary of a table, if it is of all its rows.
void print_summary(const Reader& reader, const TableInfo& table) {
  uint64_t rows = 0, counted = 0;
  std::string out = "# summary of " + table.name + "\n";
  for (const ChunkRef& chunk : reader.chunks()) {
    if (chunk.header.table != table.id) continue;
    if (chunk.header.kind == static_cast<uint16_t>(ChunkKind::kData)) rows += chunk.header.rows;
    if (chunk.header.kind != static_cast<uint16_t>(ChunkKind::kSummary)) continue;
    constexpr uint16_t kColumns[] = {kSummaryName, kSummaryDuration, kSummaryCount};
    std::vector<uint64_t> values[3];
    require(reader.read_columns(chunk, kColumns, values).has_value());
    for (size_t i = 0; i < chunk.header.rows; ++i) {
      counted += values[2][i];
      out += std::string(reader.string(values[0][i])) + "," + std::to_string(values[1][i]) + "," +
             std::to_string(values[2][i]) + "\n";
    }
  }
  if (counted > 0 && counted == rows) std::fputs(out.c_str(), stdout);
}

int dump(const char* path) {
  auto reader = Reader::open(path);
  require(reader.has_value());
  for (const TableInfo& table : reader->tables()) {
    std::printf("# %s\n", table.name.c_str());
    for (size_t c = 0; c < table.columns.size(); ++c)
      std::printf("%s%s", c > 0 ? "," : "", table.columns[c].name.c_str());
    std::putchar('\n');
    print_rows(*reader, table);
    print_summary(*reader, table);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view verb = argc == 3 ? argv[1] : "";
  if (verb == "write") return write(argv[2]);
  if (verb == "dump") return dump(argv[2]);
  std::fprintf(stderr, "usage: report_sample write|dump FILE\n");
  return 1;
}
