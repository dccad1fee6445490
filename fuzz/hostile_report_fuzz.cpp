// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports that are sound as files and whose rows say anything at all: every table of `sextant stats`, also by
// group, and every export that is text. Bytes of the input become rows: a table's number, how many rows, and
// for each column how its values are made. What comes out is an answer or an error.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "exporters/registry.h"
#include "query/query.h"
#include "report/writer.h"
#include "stats/report_set.h"
#include "text/output.h"

namespace {

using namespace sextant;

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool left() const { return at_ < size_; }
  uint8_t next() { return at_ < size_ ? data_[at_++] : 0; }
  uint64_t number() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | next();
    return value;
  }

 private:
  const uint8_t* data_;
  size_t size_;
  size_t at_ = 0;
};

const std::string& path() {
  static const std::string file = [] {
    const char* folder = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    return std::string(folder) + "/sextant-hostile-" + std::to_string(::getpid());
  }();
  return file;
}

/// Small numbers, which join, or the ends of what a number can be.
uint64_t value(Bytes& in, uint8_t mode, uint64_t row) {
  constexpr std::array<uint64_t, 8> kEdges = {
      0, 1, UINT64_MAX, uint64_t{1} << 63, (uint64_t{1} << 63) - 1, UINT32_MAX, 59, 0x0000'ffff'ffff'ffff};
  switch (mode % 6) {
    case 0:
      return row;
    case 1:
      return in.next();
    case 2:
      return kEdges[in.next() % kEdges.size()];
    case 3:
      return in.number();
    case 4:
      return 1000 + row * 16 + in.next();
    default:
      return 1;
  }
}

void add_rows(Bytes& in, report::Writer& writer) {
  const auto tables = event::tables();
  const event::Table& table = tables[in.next() % tables.size()];
  const size_t count = 1 + in.next() % 32;
  report::Rows rows(table);
  for (const event::Column& column : table.columns) {
    const uint8_t mode = in.next();
    if (mode == 255) continue;  // left out
    for (size_t row = 0; row < count; ++row) rows.column(column.id).push_back(value(in, mode, row));
  }
  const report::Rows* parts[] = {&rows};
  (void)writer.write_group(parts, {});
}

bool write_report(Bytes in) {
  report::Writer::Options options;
  options.replace = true;
  auto writer = report::Writer::create(path(), options);
  if (!writer) std::abort();
  for (const char* name :
       {"a", "=cmd|' /C calc'!A1", "\x1b[31mred", "<script>", "x\ny\tz;", "\xff\xfe", "RANK=3"})
    writer->string_id(name);
  (void)writer->write_meta("host.name", "\x1b]0;title\x07<b>");
  while (in.left()) add_rows(in, *writer);
  return writer->finish().has_value();
}

void print(const text::Table& table) {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  text::Output out(nowhere, "nowhere");
  text::print_table(&out, table, text::TableFormat::kColumn);
  text::print_table(&out, table, text::TableFormat::kJson);
  (void)out.finish();
  ::close(nowhere);
}

void print_all(query::Source& source) {
  const std::vector<stats::SetMember> members = {{path(), &source}, {path(), &source}};
  for (const stats::Report& report : stats::reports()) {
    if (const auto table = report.make(source, {})) print(*table);
    for (const stats::By by : {stats::By::kRank, stats::By::kGpu, stats::By::kProcess, stats::By::kHost}) {
      const auto grouping = stats::group_set(members, by);
      const auto tables = grouping ? stats::make_by_group(report, {}, members, *grouping)
                                   : Result<std::vector<text::Table>>(std::vector<text::Table>());
      if (tables)
        for (const text::Table& table : *tables) print(table);
    }
  }
}

void export_all(const query::Source& source) {
  for (const char* name : {"chrome", "folded", "flame", "jsonlines", "sqlite"}) {
    const std::string output = path() + ".out";
    (void)exporters::find_format(name)->write(source, output, {.replace = true, .progress = {}});
    ::unlink(output.c_str());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMost = 8192;  // longer inputs say nothing new
  if (write_report({data, std::min(size, kMost)})) {
    if (auto source = query::Source::open(path())) {
      print_all(*source);
      export_all(*source);
      stats::align_clocks({{path(), &*source}, {path(), &*source}});
    }
  }
  ::unlink(path().c_str());
  return 0;
}
