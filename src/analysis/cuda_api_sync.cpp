// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// cuda_api_sync: calls that block the host until the GPU is done.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <tuple>

#include "analysis/rules.h"
#include "query/launches.h"
#include "query/sums.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

struct Calls {
  query::Launches all;
  std::vector<uint32_t> waits;  // numbers of the calls, the longest first
  std::map<uint64_t, int64_t> pids;
  std::string name;  // of the row at hand

  int64_t duration(uint32_t call) const { return query::difference(all.end_ns[call], all.start_ns[call]); }
};

bool is_wait(std::string_view name) {
  return begins_with(name, "cudadevicesynchronize") || begins_with(name, "cudastreamsynchronize");
}

std::vector<Finding> find(const query::Source& source, Calls& calls) {
  struct Group {
    uint64_t count = 0;
    int64_t total = 0, longest = 0, first = INT64_MAX, last = INT64_MIN;
    uint32_t call = query::Launches::kNone;  // the longest
  };
  std::map<std::tuple<uint32_t, uint64_t, uint32_t>, Group> groups;  // process, thread, name
  for (const uint32_t call : calls.waits) {
    Group& group = groups[{calls.all.process[call], calls.all.tid[call], calls.all.name[call]}];
    if (group.count++ == 0) group.call = call;
    group.total = query::sum(group.total, calls.duration(call));
    group.longest = std::max(group.longest, calls.duration(call));
    group.first = std::min(group.first, calls.all.start_ns[call]);
    group.last = std::max(group.last, calls.all.end_ns[call]);
  }
  std::vector<Finding> findings;
  for (const auto& [key, group] : groups) {
    const auto& [process, tid, string] = key;
    const std::string name(stats::api_name(stats::display(source, string)));
    findings.push_back(
        {fmt::format("{} kept a thread waiting for the GPU for {}.", name, text::duration(group.total)),
         fmt::format("process {}, thread {}, {}", calls.pids[process], tid,
                     span_text(group.first, group.last)),
         fmt::format("{}, the longest {}", text::counted(group.count, "call", "calls"),
                     text::duration(group.longest)),
         group.total,
         "Wait for less: cudaStreamWaitEvent lets a stream wait instead of the thread, cudaEventSynchronize "
         "or cudaStreamSynchronize waits "
         "for what is needed only; and wait later, when there is nothing else to do.",
         {{process, tid, std::nullopt, group.first, group.last},
          {process, tid, std::nullopt, calls.all.start_ns[group.call], calls.all.end_ns[group.call],
           event::kCudaApi}}});
  }
  keep_best(&findings);
  return findings;
}

}  // namespace

Result<Outcome> run_cuda_api_sync(const query::Source& source, const RuleArguments& arguments) {
  using enum text::CellType;
  auto calls = std::make_shared<Calls>();
  SEXTANT_ASSIGN(calls->all, query::Launches::load(source));
  calls->pids = stats::pids(source);
  std::map<uint32_t, bool> waits;  // by name
  for (uint32_t call = 0; call < calls->all.size(); ++call) {
    const auto [at, is_new] = waits.try_emplace(calls->all.name[call]);
    if (is_new) at->second = is_wait(source.reader().string(calls->all.name[call]));
    if (!at->second) continue;
    if (arguments.process >= 0 && calls->pids[calls->all.process[call]] != arguments.process) continue;
    if (arguments.thread >= 0 && static_cast<int64_t>(calls->all.tid[call]) != arguments.thread) continue;
    calls->waits.push_back(call);
  }
  std::stable_sort(calls->waits.begin(), calls->waits.end(),
                   [&](uint32_t a, uint32_t b) { return calls->duration(a) > calls->duration(b); });
  Outcome outcome;
  outcome.findings = find(source, *calls);
  outcome.no_data = calls->all.size() == 0;
  text::Table& table = outcome.table;
  table.columns = {{"Duration", "ns", kInteger},
                   {"Start", "ns", kInteger},
                   {"PID", "", kInteger},
                   {"TID", "", kInteger},
                   {"API Name", "", kText}};
  table.rows = limited(calls->waits.size(), arguments.rows);
  table.why_empty = outcome.no_data ? stats::why_nothing(source, "CUDA calls", "CUDA")
                                    : "No thread waited in cudaDeviceSynchronize or cudaStreamSynchronize.";
  table.fill = [calls, &source](uint64_t row, std::span<text::Cell> cells) {
    const uint32_t call = calls->waits[row];
    cells[0].set(calls->duration(call));
    cells[1].set(calls->all.start_ns[call]);
    cells[2].set(calls->pids[calls->all.process[call]]);
    cells[3].set(static_cast<int64_t>(calls->all.tid[call]));
    calls->name = stats::display(source, calls->all.name[call]);
    cells[4].set(std::string_view(calls->name));
  };
  return outcome;
}

}  // namespace sextant::analysis
