// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// random_report FILE SEED RANGES: writes a report with three processes of two threads each, nested push/pop
// ranges in several domains with all attributes, start/end ranges (one in ten is never closed), marks, and
// open push/pop ranges. The same seed gives the same report.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "report/writer.h"

namespace {

using namespace sextant;

constexpr uint64_t kZero = 1'000'000'000;  // raw stamps are nanoseconds
constexpr uint64_t kProcesses = 3;

class Table {
 public:
  explicit Table(uint16_t id) : rows_(*event::find_table(id)) {}
  /// Columns that are not given are 0.
  void add(std::initializer_list<std::pair<uint16_t, uint64_t>> values) {
    for (size_t c = 0; c < rows_.columns.size(); ++c) {
      uint64_t value = 0;
      for (const auto& [column, v] : values)
        if (rows_.table->columns[c].id == column) value = v;
      rows_.columns[c].push_back(value);
    }
  }
  const report::Rows& rows() const { return rows_; }

 private:
  report::Rows rows_;
};

class RandomReport {
 public:
  RandomReport(report::Writer& writer, uint64_t seed) : writer_(writer), random_(seed) {}

  Status write(uint64_t ranges) {
    SEXTANT_TRY(clock_and_processes());
    for (uint64_t done = 0; done < ranges; done += 50'000)
      SEXTANT_TRY(push_pop(std::min<uint64_t>(50'000, ranges - done)));
    SEXTANT_TRY(start_end(ranges / 4));
    SEXTANT_TRY(marks_and_open());
    return writer_.finish();
  }

 private:
  uint64_t below(uint64_t n) { return random_() % n; }
  uint64_t text(const std::string& t) { return writer_.string_id(t); }
  Status put(const Table& table, std::span<const report::Provenance> provenance = {}) {
    const report::Rows* parts[] = {&table.rows()};
    return writer_.write_group(parts, provenance);
  }

  // No quotes and line ends: nsys's CSV does not escape them.
  uint64_t name() {
    switch (below(9)) {
      case 0:
        return text("");
      case 1:
        return text("with, comma");
      case 2:
        return text("not UTF-8: \xff\xfe.");
      case 3:
        return text("gr\xC3\xBC\xC3\x9F");
      case 4:
        return text(std::string(1000, 'n'));
      default:
        return text("name " + std::to_string(below(5)));
    }
  }
  uint64_t domain() { return below(3) == 0 ? 0 : text("domain." + std::to_string(below(3))); }

  Status clock_and_processes() {
    Table clock(event::kClockSync);
    using namespace event::clock_sync;
    for (const uint64_t at : {uint64_t{0}, uint64_t{2'000'000'000}})
      clock.add({{kRaw, kZero + at}, {kMonotonic, kZero + at}, {kRealtime, 1'700'000'000'000'000'000 + at}});
    SEXTANT_TRY(put(clock));
    Table processes(event::kProcess);
    using event::process::kId, event::process::kPid, event::process::kName;
    for (uint64_t p = 1; p <= kProcesses; ++p)
      processes.add({{kId, p},
                     {kPid, 100 * p},
                     {event::process::kStart, kZero + 10 * p},
                     {event::process::kEnd, kZero + 1'900'000'000 + p},
                     {kName, text("program")}});
    return put(processes);
  }

  Status push_pop(uint64_t ranges) {
    using namespace event::nvtx;
    Table table(event::kNvtxRange);
    for (uint64_t i = 0; i < ranges;) {
      const uint64_t thread = below(2 * kProcesses), process = 1 + thread % kProcesses;
      std::vector<uint64_t> starts(1 + below(4));
      for (uint64_t& start : starts) start = now_[thread] += 1 + below(500);
      for (; !starts.empty() && i < ranges; ++i, starts.pop_back()) {
        now_[thread] += 1 + below(3000);
        table.add({{kProcessId, process},
                   {kTid, 100 * process + thread / kProcesses},
                   {kStart, starts.back()},
                   {kDuration, now_[thread] - starts.back()},
                   {kName, name()},
                   {kDomain, domain()},
                   {kLevel, starts.size() - 1},
                   {kFlags, below(4)},
                   {kColor, below(uint64_t{1} << 32)},
                   {kCategory, below(3)},
                   {kPayloadType, below(7)},
                   {kPayload, random_()}});
      }
    }
    return put(table);
  }

  Status start_end(uint64_t ranges) {
    using namespace event::nvtx;
    Table starts(event::kNvtxStart), ends(event::kNvtxEnd);
    for (uint64_t i = 1; i <= ranges; ++i) {
      const uint64_t process = 1 + below(kProcesses), start = kZero + 100 + below(1'800'000'000);
      starts.add({{kProcessId, process},
                  {kTid, 100 * process},
                  {kStart, start},
                  {kName, name()},
                  {kDomain, domain()},
                  {kRangeId, i},
                  {kFlags, below(4)}});
      if (below(10) != 0)
        ends.add({{kProcessId, process},
                  {kTid, 100 * process + below(2)},
                  {kStart, start + below(100'000)},
                  {kRangeId, i}});
    }
    SEXTANT_TRY(put(starts));
    return put(ends);
  }

  Status marks_and_open() {
    using namespace event::nvtx;
    Table marks(event::kNvtxMark), open(event::kNvtxOpen);
    for (uint64_t i = 0; i < 20; ++i)
      marks.add(
          {{kProcessId, 1}, {kTid, 100}, {kStart, kZero + 50 + i}, {kName, name()}, {kDomain, domain()}});
    for (uint64_t i = 0; i < 3; ++i)
      open.add({{kProcessId, 2},
                {kTid, 200},
                {kStart, kZero + 1'890'000'000 + i},
                {kName, name()},
                {kDomain, domain()},
                {kLevel, i},
                {kInstance, 5},
                {kRing, 1}});
    SEXTANT_TRY(put(marks));
    const report::Provenance provenance[] = {{.instance = 5, .ring = 1, .first_sequence = 0, .count = 6}};
    return put(open, provenance);
  }

  report::Writer& writer_;
  std::mt19937_64 random_;
  std::array<uint64_t, 2 * kProcesses> now_ = {kZero + 1000, kZero + 1000, kZero + 1000,
                                               kZero + 1000, kZero + 1000, kZero + 1000};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "random_report FILE SEED RANGES\n");
    return 1;
  }
  auto writer = report::Writer::create(argv[1], {});
  const Status written = writer ? RandomReport(*writer, std::strtoull(argv[2], nullptr, 10))
                                      .write(std::strtoull(argv[3], nullptr, 10))
                                : Status(tl::unexpected(writer.error()));
  if (!written) std::fprintf(stderr, "random_report: %s\n", written.error().message.c_str());
  return written ? 0 : 2;
}
