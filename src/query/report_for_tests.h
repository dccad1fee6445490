// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests only: writes small reports, row by row. One raw tick is two nanoseconds; time 0 is raw stamp
// 1000.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/writer.h"

namespace sextant::query::testing {

inline constexpr uint64_t kZero = 1000;  // raw stamp of time 0
inline constexpr uint64_t kMonotonicZero = 50'000;
inline constexpr uint64_t kRealtimeZero = 1'700'000'000'000'000'000;

class TestReport {
 public:
  TestReport() {
    char folder[] = "/tmp/sextant-test-XXXXXX";
    EXPECT_NE(::mkdtemp(folder), nullptr);
    folder_ = folder;
    path_ = folder_ + "/t.sxt";
    auto writer = report::Writer::create(path_, {});
    EXPECT_TRUE(writer) << writer.error().message;
    writer_.emplace(std::move(*writer));
    clock(kZero, kMonotonicZero);
  }
  ~TestReport() {
    ::unlink(path_.c_str());
    ::rmdir(folder_.c_str());
  }

  using Values = std::vector<std::pair<uint16_t, uint64_t>>;  // column and value

  uint64_t id(std::string_view text) { return writer_->string_id(text); }

  /// A row of `table`, waiting for group().
  void row(uint16_t table, const Values& values) {
    for (report::Rows& rows : waiting_)
      if (rows.table->id == table) return add(&rows, values);
    waiting_.emplace_back(*event::find_table(table));
    add(&waiting_.back(), values);
  }

  /// Writes the waiting rows as one group that holds records of (instance, ring).
  void group(uint32_t instance = 1, uint32_t ring = 1) {
    std::vector<const report::Rows*> parts;
    for (const report::Rows& rows : waiting_) parts.push_back(&rows);
    const report::Provenance provenance{instance, ring, sequence_, 1};
    ++sequence_;
    ASSERT_TRUE(writer_->write_group(parts, {&provenance, 1}));
    waiting_.clear();
  }

  void clock(uint64_t raw, uint64_t monotonic) {
    using namespace event::clock_sync;
    row(event::kClockSync, {{kRaw, raw},
                            {kMonotonic, monotonic},
                            {kRealtime, kRealtimeZero + monotonic - kMonotonicZero},
                            {kError, 20}});
    group(0, 0);
  }

  void process(uint64_t number, uint64_t pid, std::string_view name, uint64_t end_raw = 0,
               uint64_t parent = 0) {
    using namespace event::process;
    row(event::kProcess, {{kId, number},
                          {kPid, pid},
                          {kParent, parent},
                          {kStart, kZero + 10 * number},
                          {kEnd, end_raw},
                          {kExitKind, end_raw == 0 ? 0u : 1u},
                          {kName, id(name)},
                          {kCommandLine, id(std::string(name) + " -x")}});
  }

  void range(std::string_view name, uint64_t start, uint64_t duration, std::string_view domain = "",
             uint64_t process = 1, uint64_t tid = 100) {
    using namespace event::nvtx;
    row(event::kNvtxRange, {{kProcessId, process},
                            {kTid, tid},
                            {kStart, kZero + start},
                            {kDuration, duration},
                            {kName, id(name)},
                            {kDomain, id(domain)}});
  }

  void start_range(std::string_view name, uint64_t range_id, uint64_t start, uint64_t process = 1,
                   uint64_t tid = 100) {
    using namespace event::nvtx;
    row(event::kNvtxStart, {{kProcessId, process},
                            {kTid, tid},
                            {kStart, kZero + start},
                            {kName, id(name)},
                            {kRangeId, range_id}});
  }

  void end_range(uint64_t range_id, uint64_t at, uint64_t process = 1, uint64_t tid = 100) {
    using namespace event::nvtx;
    row(event::kNvtxEnd, {{kProcessId, process}, {kTid, tid}, {kStart, kZero + at}, {kRangeId, range_id}});
  }

  void open(std::string_view name, uint64_t start, uint32_t instance, uint32_t ring, uint64_t process = 1) {
    using namespace event::nvtx;
    row(event::kNvtxOpen, {{kProcessId, process},
                           {kTid, 100},
                           {kStart, kZero + start},
                           {kName, id(name)},
                           {kInstance, instance},
                           {kRing, ring}});
  }

  /// Writes what waits, a last clock point, and the end.
  const std::string& finish(uint64_t last_raw = kZero + 10'000'000) {
    if (!waiting_.empty()) group();
    clock(last_raw, kMonotonicZero + 2 * (last_raw - kZero));
    EXPECT_TRUE(writer_->finish());
    return path_;
  }

  const std::string& path() const { return path_; }
  report::Writer& writer() { return *writer_; }

 private:
  static void add(report::Rows* rows, const Values& values) {
    const size_t count = rows->count() + 1;
    for (const auto& [column, value] : values)
      rows->column(column).resize(count - 1), rows->column(column).push_back(value);
    for (const event::Column& column : rows->table->columns) rows->column(column.id).resize(count);
  }

  std::string folder_, path_;
  std::optional<report::Writer> writer_;
  std::vector<report::Rows> waiting_;
  uint64_t sequence_ = 0;
};

}  // namespace sextant::query::testing
