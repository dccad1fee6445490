// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// cuda_api_sync: calls that block the host until the GPU is done.
#include <fmt/format.h>

#include <map>

#include "analysis/waiting_calls.h"
#include "stats/cuda_names.h"
#include "text/units.h"

namespace sextant::analysis {

namespace {

bool is_wait(std::string_view name) {
  return begins_with(name, "cudadevicesynchronize") || begins_with(name, "cudastreamsynchronize");
}

std::vector<Finding> find(const query::Source& source, WaitingCalls& calls) {
  std::vector<Finding> findings;
  for (const auto& [key, group] : group_waits(calls)) {
    const auto& [process, tid, string] = key;
    const std::string name(stats::api_name(stats::display(source, string)));
    findings.push_back(
        {fmt::format("{} kept a thread waiting for the GPU for {}.", name, text::duration(group.total)),
         waited_where(calls, process, tid, group), waited_how(group), group.total,
         "Wait for less: cudaStreamWaitEvent lets a stream wait instead of the thread, cudaEventSynchronize "
         "or cudaStreamSynchronize waits "
         "for what is needed only; and wait later, when there is nothing else to do.",
         waited_places(calls, process, tid, group, event::kCudaApi)});
  }
  keep_best(&findings);
  return findings;
}

}  // namespace

Result<Outcome> run_cuda_api_sync(const query::Source& source, const RuleArguments& arguments) {
  SEXTANT_ASSIGN(const std::shared_ptr<WaitingCalls> calls,
                 WaitingCalls::load(source, query::DeviceApi::kCuda));
  std::map<uint32_t, bool> waits;  // by name
  for (uint32_t call = 0; call < calls->all.size(); ++call) {
    const auto [at, is_new] = waits.try_emplace(calls->all.name[call]);
    if (is_new) at->second = is_wait(source.reader().string(calls->all.name[call]));
    if (at->second && calls->asked_for(call, arguments)) calls->waits.push_back(call);
  }
  calls->sort();
  Outcome outcome;
  outcome.findings = find(source, *calls);
  outcome.no_data = calls->all.size() == 0;
  outcome.table = waits_table(source, calls, arguments);
  outcome.table.why_empty = outcome.no_data
                                ? stats::why_nothing(source, "CUDA calls", "CUDA")
                                : "No thread waited in cudaDeviceSynchronize or cudaStreamSynchronize.";
  return outcome;
}

}  // namespace sextant::analysis
