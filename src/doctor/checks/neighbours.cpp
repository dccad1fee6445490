// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Who else is here: processes on each GPU, and who may hold the counters.
#include <fmt/format.h>

#include "doctor/checks/all.h"
#include "doctor/holders.h"

namespace sextant::doctor {

namespace {

std::string name_of(const Surroundings& seen, uint64_t pid) {
  for (const Process& process : seen.processes)
    if (process.pid == pid) return process.name;
  return "a process that cannot be seen from here";
}

/// What of profilers a process has loaded; "" nothing, or not to be seen.
std::string profiler_in(const Surroundings& seen, uint64_t pid) {
  const auto maps = seen.environment.read(fmt::format("/proc/{}/maps", pid), 4 << 20);
  if (!maps) return "";
  if (maps->find("libcupti") != std::string::npos || maps->find("libnvperf") != std::string::npos)
    return ", with CUPTI loaded: a second profiler of the same process gets nothing";
  return "";
}

void add_gpu_users(const Surroundings& seen, Diagnosis* diagnosis) {
  for (size_t i = 0; i < seen.gpus.size(); ++i)
    for (const GpuProcess& process : seen.gpus[i].processes)
      diagnosis->neighbours.push_back(
          {name_of(seen, process.pid), process.pid,
           fmt::format("uses GPU {} ({}){}", i, process.kind, profiler_in(seen, process.pid)),
           "sure: NVML lists it", ""});
}

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  for (size_t i = 0; i < seen.gpus.size(); ++i) {
    const Gpu& gpu = seen.gpus[i];
    diagnosis->facts.push_back(
        {"gpus", fmt::format("GPU {}", i),
         fmt::format("{}, {}{}{}", gpu.name, generation_name(gpu.generation), gpu.mig ? ", MIG mode" : "",
                     gpu.virtualization == Virtualization::kVgpu ? ", vGPU" : "")});
  }
  if (!seen.nvml_problem.empty())
    diagnosis->facts.push_back({"gpus", "NVML", "no answer: " + seen.nvml_problem});
  if (seen.driver && !seen.driver_version.empty())
    diagnosis->facts.push_back({"gpus", "driver", seen.driver_version});
  if (seen.mps) diagnosis->facts.push_back({"gpus", "MPS", "runs, or this process is told to use it"});
  add_gpu_users(seen, diagnosis);
  for (const Holder& holder : find_holders(seen))
    diagnosis->neighbours.push_back({holder.name, holder.pid, holder.rule, holder.how_sure, holder.to_do});
  if (seen.driver && seen.in_container())
    diagnosis->facts.push_back(
        {"gpus", "not to be seen",
         "processes and sockets outside of this container, so neither a DCGM of the machine"});
  if (!seen.all_processes)
    diagnosis->facts.push_back({"gpus", "processes", "too many to look at all: others may be here"});
}

}  // namespace

const Check kNeighboursCheck = {"neighbours",
                                "processes on each GPU by NVML; names of all processes, and what GPU users "
                                "have loaded (/proc/PID/comm, maps); "
                                "/proc/net/tcp, tcp6 and unix for DCGM's port 5555 and socket",
                                "nv-hostengine, dcgm-exporter (with the engine inside, or a client) and "
                                "other profilers may hold the counters. DCGM "
                                "excludes other users before Hopper; from Hopper on its documents name no "
                                "conflict; it does not profile GeForce cards",
                                {},
                                run};

}  // namespace sextant::doctor
