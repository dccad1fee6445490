// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// mpi_event_trace: every MPI call with its message. mpi_msg_size_sum: bytes of messages by function.
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "event/schema_parallel.h"
#include "stats/cuda_names.h"
#include "stats/reports.h"
#include "stats/summary.h"

namespace sextant::stats {

namespace {

using enum text::CellType;
using namespace event::mpi_call;
using event::is_null;

constexpr uint64_t kPointToPoint = 0, kCollective = 1;
constexpr double kMegabyte = 1e6;

/// Ranks by thread; a thread without one has its process's.
class Ranks {
 public:
  static Result<Ranks> load(const query::Source& source) {
    namespace col = event::mpi_rank;
    const uint16_t columns[] = {col::kProcess, col::kTid, col::kRank};
    SEXTANT_ASSIGN(const query::TableBatch b, source.read_table(event::kMpiRank, columns));
    Ranks ranks;
    for (size_t i = 0; i < b.rows; ++i) {
      ranks.threads_[{b.columns[0][i], b.columns[1][i]}] = static_cast<int64_t>(b.columns[2][i]);
      ranks.processes_.try_emplace(b.columns[0][i], static_cast<int64_t>(b.columns[2][i]));
    }
    return ranks;
  }

  const int64_t* find(uint64_t process, uint64_t tid) const {
    if (const auto thread = threads_.find({process, tid}); thread != threads_.end()) return &thread->second;
    const auto of_process = processes_.find(process);
    return of_process == processes_.end() ? nullptr : &of_process->second;
  }

 private:
  std::map<std::pair<uint64_t, uint64_t>, int64_t> threads_;
  std::map<uint64_t, int64_t> processes_;
};

struct Trace {
  query::TableBatch calls;
  std::vector<uint32_t> order;
  Ranks ranks;
  std::map<uint64_t, int64_t> pids;
  std::string name;  // of the row at hand
};

namespace at {
enum : size_t {
  kStart,
  kDuration,
  kKind,
  kProcess,
  kTid,
  kName,
  kTag,
  kRemote,
  kRoot,
  kSize,
  kReceive,
  kNulls
};
}

void fill_row(Trace* trace, uint64_t row, const query::Source& source, std::span<text::Cell> cells) {
  const auto& c = trace->calls.columns;
  const uint32_t i = trace->order[row];
  const uint64_t nulls = c[at::kNulls][i], kind = c[at::kKind][i];
  const auto set = [&](size_t cell, size_t column, uint16_t number) {
    if (!is_null(nulls, number)) cells[cell].set(static_cast<int64_t>(c[column][i]));
  };
  const auto set_bytes = [&](size_t cell, size_t column, uint16_t number) {
    if (!is_null(nulls, number)) cells[cell].set(static_cast<double>(c[column][i]) / kMegabyte);
  };
  cells[0].set(static_cast<int64_t>(c[at::kStart][i]));
  if (!is_null(nulls, kDuration)) {
    cells[1].set(static_cast<int64_t>(c[at::kStart][i] + c[at::kDuration][i]));
    cells[2].set(static_cast<int64_t>(c[at::kDuration][i]));
  }
  trace->name = display(source, c[at::kName][i]);
  cells[3].set(std::string_view(trace->name));
  cells[4].set(trace->pids[c[at::kProcess][i]]);
  cells[5].set(static_cast<int64_t>(c[at::kTid][i]));
  if (const int64_t* rank = trace->ranks.find(c[at::kProcess][i], c[at::kTid][i])) cells[7].set(*rank);
  if (kind == kPointToPoint) {
    set(6, at::kTag, kTag);
    set(8, at::kRemote, kRemoteRank);
    set_bytes(10, at::kSize, kSize);
  } else if (kind == kCollective) {
    set(9, at::kRoot, kRootRank);
    set_bytes(11, at::kSize, kSize);
    set_bytes(12, at::kReceive, kReceiveSize);
  }
}

}  // namespace

Result<text::Table> make_mpi_event_trace(const query::Source& source, const ReportArguments&) {
  auto trace = std::make_shared<Trace>();
  const uint16_t columns[] = {kStart, kDuration,   kKind,     kProcess, kTid,         kName,
                              kTag,   kRemoteRank, kRootRank, kSize,    kReceiveSize, kNulls};
  SEXTANT_ASSIGN(trace->calls, source.read_table(event::kMpiCall, columns));
  if (trace->calls.rows >= UINT32_MAX)
    return fail(ErrorCode::kUnsupported, "a trace of more than 4294967294 calls cannot be printed");
  SEXTANT_ASSIGN(trace->ranks, Ranks::load(source));
  trace->pids = pids(source);
  trace->order.resize(trace->calls.rows);
  std::iota(trace->order.begin(), trace->order.end(), 0u);
  const std::vector<uint64_t>& start = trace->calls.columns[at::kStart];
  std::stable_sort(trace->order.begin(), trace->order.end(), [&](uint32_t a, uint32_t b) {
    return static_cast<int64_t>(start[a]) < static_cast<int64_t>(start[b]);
  });
  text::Table table;
  table.columns = {{"Start", "ns", kInteger},       {"End", "ns", kInteger},
                   {"Duration", "ns", kInteger},    {"Event", "", kText},
                   {"Pid", "", kInteger},           {"Tid", "", kInteger},
                   {"Tag", "", kInteger},           {"Rank", "", kInteger},
                   {"PeerRank", "", kInteger},      {"RootRank", "", kInteger},
                   {"Size", "MB", kReal, 3},        {"CollSendSize", "MB", kReal, 3},
                   {"CollRecvSize", "MB", kReal, 3}};
  table.rows = trace->calls.rows;
  if (table.rows == 0) table.why_empty = why_nothing(source, "MPI calls", "MPI");
  table.fill = [trace, &source](uint64_t row, std::span<text::Cell> cells) {
    fill_row(trace.get(), row, source, cells);
  };
  return table;
}

Result<text::Table> make_mpi_msg_size_sum(const query::Source& source, const ReportArguments&) {
  Summary summary;
  const uint16_t columns[] = {kKind, kName, kSize, kReceiveSize, kNulls};
  SEXTANT_TRY(source.scan_table(event::kMpiCall, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i) {
      const auto add = [&](std::string_view kind, size_t column, uint16_t number) {
        if (!is_null(c[4][i], number))
          summary[{std::string(kind), display(source, c[1][i])}].add(static_cast<int64_t>(c[column][i]));
      };
      if (c[0][i] == kPointToPoint) add("p2p", 2, kSize);
      if (c[0][i] == kCollective) add("coll_send", 2, kSize), add("coll_recv", 3, kReceiveSize);
    }
  }));
  text::Table table =
      size_table(lines_by_total(std::move(summary)), "MB", kMegabyte, "Instances", {"Source", "Name"});
  table.columns[0].name = "Total Message Volume";
  if (table.rows == 0) table.why_empty = why_nothing(source, "MPI messages", "MPI");
  return table;
}

}  // namespace sextant::stats
