// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests only: tables as lines of text, and reports with CUDA events written by nanosecond.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "event/schema_cuda.h"
#include "event/schema_nvtx.h"
#include "query/report_for_tests.h"
#include "text/table.h"

namespace sextant::stats::testing {

using Lines = std::vector<std::string>;

/// The rows of a table as "cell|cell|...", the columns that CSV has.
inline Lines lines_of(const text::Table& table) {
  Lines out;
  for (uint64_t row = 0; row < table.rows; ++row) {
    std::vector<text::Cell> cells(table.columns.size());
    table.fill(row, cells);
    std::string line;
    for (size_t c = 0; c < cells.size(); ++c) {
      const text::TableColumn& column = table.columns[c];
      if (!column.in_csv) continue;
      if (c > 0) line += '|';
      if (cells[c].empty) continue;
      if (column.type == text::CellType::kText) line += cells[c].text;
      if (column.type == text::CellType::kInteger) line += std::to_string(cells[c].integer);
      if (column.type == text::CellType::kReal && column.decimals == 1)
        line += text::one_decimal(cells[c].real);
      if (column.type == text::CellType::kReal && column.decimals != 1) {
        char digits[64];
        snprintf(digits, sizeof(digits), "%.*f", column.decimals, cells[c].real);
        line += digits;
      }
    }
    out.push_back(std::move(line));
  }
  return out;
}

/// A report in which everything is told in nanoseconds (even ones: a raw tick is two).
class CudaReport : public query::testing::TestReport {
 public:
  static uint64_t raw(int64_t ns) { return query::testing::kZero + static_cast<uint64_t>(ns / 2); }
  static uint64_t ticks(int64_t ns) { return static_cast<uint64_t>(ns / 2); }
  static uint64_t null(std::initializer_list<uint16_t> columns) {
    uint64_t bits = 0;
    for (const uint16_t column : columns) bits |= uint64_t{1} << column;
    return bits;
  }

  void api(std::string_view name, int64_t start, int64_t end, uint64_t correlation, uint64_t process = 1,
           uint64_t tid = 10) {
    using namespace event::cuda_api;
    row(event::kCudaApi, {{kStart, raw(start)},
                          {kDuration, ticks(end - start)},
                          {kProcess, process},
                          {kTid, tid},
                          {kCorrelation, correlation},
                          {kName, id(name)}});
  }
  void kernel(std::string_view name, int64_t start, int64_t end, uint64_t correlation, uint64_t process = 1,
              uint64_t device = 0, uint64_t context = 1) {
    using namespace event::cuda_kernel;
    const std::string base(name.substr(0, name.find('(')));
    row(event::kCudaKernel, {{kStart, raw(start)},
                             {kDuration, ticks(end - start)},
                             {kProcess, process},
                             {kDevice, device},
                             {kContext, context},
                             {kStream, 7},
                             {kCorrelation, correlation},
                             {kName, id(name)},
                             {kShortName, id(base)},
                             {kGridX, 1},
                             {kGridY, 2},
                             {kGridZ, 3},
                             {kBlockX, 128},
                             {kBlockY, 1},
                             {kBlockZ, 1},
                             {kNulls, null({kMangledName, kGreenContext})}});
  }
  void copy(int64_t start, int64_t end, uint64_t correlation, uint64_t bytes, uint64_t kind = 1,
            uint64_t from = 0, uint64_t to = 2, uint64_t process = 1) {
    using namespace event::cuda_memcpy;
    row(event::kCudaMemcpy, {{kStart, raw(start)},
                             {kDuration, ticks(end - start)},
                             {kProcess, process},
                             {kContext, 1},
                             {kStream, 7},
                             {kCorrelation, correlation},
                             {kBytes, bytes},
                             {kKind, kind},
                             {kSourceMemory, from},
                             {kTargetMemory, to},
                             {kNulls, null({kSourceDevice, kTargetDevice, kVirtualAddress})}});
  }
  void fill(int64_t start, int64_t end, uint64_t correlation, uint64_t bytes, uint64_t memory) {
    using namespace event::cuda_memset;
    row(event::kCudaMemset, {{kStart, raw(start)},
                             {kDuration, ticks(end - start)},
                             {kProcess, 1},
                             {kContext, 1},
                             {kStream, 7},
                             {kCorrelation, correlation},
                             {kBytes, bytes},
                             {kMemory, memory}});
  }
  /// An NVTX range as an import has it. end < 0: never closed.
  void imported_range(std::string_view text, int64_t start, int64_t end, uint64_t number,
                      bool start_end = false, uint64_t closed_by = 0, uint64_t domain = 0,
                      uint64_t process = 1, uint64_t tid = 10) {
    using namespace event::nvtx_event;
    uint64_t nulls = null({kTextRegistered});
    if (end < 0) nulls |= null({kDuration});
    if (closed_by == 0) nulls |= null({kEndProcess, kEndTid});
    row(event::kNvtxEvent, {{kStart, raw(start)},
                            {kDuration, end < 0 ? 0 : ticks(end - start)},
                            {kRow, number},
                            {kType, start_end ? 60u : 59u},
                            {kText, id(text)},
                            {kProcess, process},
                            {kTid, tid},
                            {kEndProcess, closed_by == 0 ? 0 : process},
                            {kEndTid, closed_by},
                            {kDomain, domain},
                            {kNulls, nulls}});
  }
  void imported_domain(std::string_view name, uint64_t number, uint64_t process = 1) {
    using namespace event::nvtx_event;
    row(event::kNvtxEvent, {{kStart, raw(0)},
                            {kType, 75},
                            {kText, id(name)},
                            {kProcess, process},
                            {kDomain, number},
                            {kNulls, null({kTextRegistered, kDuration})}});
  }
};

}  // namespace sextant::stats::testing
