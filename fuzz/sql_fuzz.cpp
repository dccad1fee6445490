// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Any text as statements of `sextant sql`: rows or an error within the limits, and nothing anywhere is made,
// opened or changed. Everything is run in an empty folder, which must be empty afterwards.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "query/query.h"
#include "report/writer.h"
#include "sql/database.h"

namespace {

using namespace sextant;

struct Place {
  std::string folder, report;

  Place() {
    std::string name =
        ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/sextant-sql-XXXXXX" : "/tmp/sextant-sql-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder = name + "/empty";
    report = name + "/report.sxt";
    if (::mkdir(folder.c_str(), 0700) != 0 || ::chdir(folder.c_str()) != 0) std::abort();
  }
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(std::filesystem::path(folder).parent_path(), ignored);
  }
};

/// A few ranges in one process.
void write_report(const std::string& path) {
  auto writer = report::Writer::create(path, {});
  if (!writer) std::abort();
  report::Rows processes(*event::find_table(event::kProcess));
  processes.column(event::process::kId).push_back(1);
  processes.column(event::process::kPid).push_back(41);
  processes.column(event::process::kName).push_back(writer->string_id("train"));
  report::Rows ranges(*event::find_table(event::kNvtxRange));
  for (uint64_t i = 0; i < 10; ++i) {
    ranges.column(event::nvtx::kProcessId).push_back(1);
    ranges.column(event::nvtx::kTid).push_back(41);
    ranges.column(event::nvtx::kStart).push_back(1000 + 10 * i);
    ranges.column(event::nvtx::kDuration).push_back(5 + i);
    ranges.column(event::nvtx::kName).push_back(writer->string_id(i % 2 == 0 ? "even" : "odd"));
  }
  const report::Rows* parts[] = {&processes, &ranges};
  if (!writer->write_group(parts, {}) || !writer->finish()) std::abort();
}

struct Opened {
  Place place;
  query::Source source;
  off_t bytes;

  Opened() : source(open(place)) {
    struct stat status {};
    if (::stat(place.report.c_str(), &status) != 0) std::abort();
    bytes = status.st_size;
  }
  static query::Source open(const Place& place) {
    write_report(place.report);
    auto source = query::Source::open(place.report);
    if (!source) std::abort();
    return std::move(*source);
  }
};

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Opened opened;
  constexpr size_t kMostRows = 1000;
  sql::Limits limits;
  limits.time_ns = 500'000'000;
  limits.memory_bytes = 64u << 20;
  auto database = sql::Database::open(opened.source, limits);
  must(database.has_value(), "a sound report cannot be asked");
  size_t rows = 0;
  const sql::Receiver receiver{.begin = [](const auto&) {},
                               .row = [&](const auto&) { return ++rows < kMostRows; },
                               .end = [] {},
                               .note = [](std::string_view) {},
                               .command = {}};
  (void)database->run({reinterpret_cast<const char*>(data), size}, {{"a", "1"}}, receiver);
  // the connection is still what it was
  bool told = false;
  const sql::Receiver count{.begin = [](const auto&) {},
                            .row =
                                [&](const std::vector<sql::Datum>& row) {
                                  told = row.size() == 1 && row[0].integer == 10;
                                  return true;
                                },
                            .end = [] {},
                            .note = [](std::string_view) {},
                            .command = {}};
  const Status counted =
      database->run("SELECT count(*) FROM main.NVTX_EVENTS WHERE eventType = 59", {}, count);
  must(counted && told, "the report reads differently after the statements");
  struct stat status {};
  must(::stat(opened.place.report.c_str(), &status) == 0 && status.st_size == opened.bytes,
       "the report was changed");
  must(std::filesystem::is_empty(opened.place.folder), "a file was made");
  return 0;
}
