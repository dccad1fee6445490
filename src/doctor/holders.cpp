// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/holders.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sextant::doctor {

namespace {

constexpr std::string_view kPause =
    "dcgmi profile --pause, and dcgmi profile --resume afterwards (nothing resumes by itself); meanwhile the "
    "DCGM_FI_PROF_* values of all GPUs of the machine are blank on dashboards";
constexpr std::string_view kStopPod =
    "its engine is inside and has no port, so it must be stopped: kubectl label node NODE "
    "nvidia.com/gpu.deploy.dcgm-exporter=false (GPU Operator), or stop its container; meanwhile all GPU "
    "metrics of "
    "the machine are missing on dashboards. Afterwards the same with =true";

struct Rule {
  bool conflicts = false;
  std::string words;
};

/// DCGM's rule for these GPUs.
Rule rule_of(const Surroundings& seen) {
  bool old = false, unknown = seen.gpus.empty(), all_geforce = !seen.gpus.empty();
  for (const Gpu& gpu : seen.gpus) {
    unknown = unknown || gpu.generation == Generation::kUnknown;
    old = old ||
          (gpu.generation != Generation::kUnknown && gpu.generation < Generation::kHopper && !gpu.geforce);
    all_geforce = all_geforce && gpu.geforce;
  }
  if (all_geforce)
    return {false, "DCGM's profiling does not support GeForce cards, so it does not hold their counters"};
  if (old)
    return {true,
            "before Hopper DCGM's profiling and other users of the counters exclude each other, on all GPUs "
            "of the machine"};
  if (unknown)
    return {false, "the GPUs' generation is unknown: before Hopper they would exclude each other; try"};
  return {false, "from Hopper on DCGM's documents name no conflict: try"};
}

/// True if some row of a table of sockets listens at this port.
bool listens(const Environment& environment, const char* table, unsigned port) {
  const std::string text = environment.read(table, 1 << 20).value_or("");
  const std::string wanted = fmt::format(":{:04X}", port);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const auto words = words_of(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (words.size() > 3 && words[1].ends_with(wanted) && words[3] == "0A") return true;
  }
  return false;
}

bool maps_have(const Surroundings& seen, uint64_t pid, std::string_view part) {
  const auto maps = seen.environment.read(fmt::format("/proc/{}/maps", pid), 4 << 20);
  return maps && maps->find(part) != std::string::npos;
}

std::string certainty(const Surroundings& seen, uint64_t pid, const Rule& rule) {
  if (maps_have(seen, pid, "libdcgmmoduleprofiling")) return "sure: its profiling module is loaded";
  return rule.conflicts ? "likely: it runs; whether it watches profiling fields only dcgmi tells"
                        : "it runs; whether it watches profiling fields only dcgmi tells";
}

/// An exporter that is told to use an engine elsewhere has none inside.
bool has_engine_elsewhere(const Surroundings& seen, uint64_t pid) {
  std::string line = seen.environment.read(fmt::format("/proc/{}/cmdline", pid), 64 << 10).value_or("");
  std::replace(line.begin(), line.end(), '\0', ' ');
  for (const std::string& word : words_of(line))
    if (word == "-r" || word.starts_with("--remote-hostengine-info")) return true;
  return false;
}

struct Profiler {
  std::string_view name, rule;
};
constexpr std::array kProfilers = {
    Profiler{"nsys", "nsys holds the counters while it samples GPU metrics"},
    Profiler{"nsys-launcher", "nsys holds the counters while it samples GPU metrics"},
    Profiler{"ncu",
             "ncu holds the counters of the GPU it profiles, locks its clocks and runs kernels one by one"},
    Profiler{"nv-nsight-cu-cl",
             "ncu holds the counters of the GPU it profiles, locks its clocks and runs kernels one by one"},
    Profiler{"nvprof", "nvprof holds the counters of the GPU it profiles"},
    Profiler{"dcgmproftester", "holds the counters through DCGM"},
    Profiler{"dynolog", "dynolog reads counters through DCGM"},
};

}  // namespace

std::vector<Holder> find_holders(const Surroundings& seen) {
  std::vector<Holder> found;
  const Rule rule = rule_of(seen);
  bool engine = false;
  for (const Process& process : seen.processes)
    if (process.name == "nv-hostengine") {
      engine = true;
      found.push_back({"nv-hostengine (DCGM)", process.pid, rule.conflicts,
                       certainty(seen, process.pid, rule), rule.words, std::string(kPause)});
    }
  const bool port =
      listens(seen.environment, "/proc/net/tcp", 5555) || listens(seen.environment, "/proc/net/tcp6", 5555);
  const std::string sockets = seen.environment.read("/proc/net/unix", 1 << 20).value_or("");
  const bool domain_socket = sockets.find("/nv-hostengine") != std::string::npos;
  if (!engine && (port || domain_socket)) {
    engine = true;
    found.push_back(
        {"nv-hostengine (DCGM)", 0, rule.conflicts,
         port ? "likely: something listens at TCP port 5555, DCGM's" : "likely: its socket is there",
         rule.words, std::string(kPause)});
  }
  for (const Process& process : seen.processes) {
    if (process.name == "dcgm-exporter") {
      const bool elsewhere = has_engine_elsewhere(seen, process.pid) ||
                             (engine && !maps_have(seen, process.pid, "libdcgmmoduleprofiling"));
      found.push_back({elsewhere ? "dcgm-exporter (a client of nv-hostengine)"
                                 : "dcgm-exporter (with DCGM's engine inside)",
                       process.pid, rule.conflicts, certainty(seen, process.pid, rule), rule.words,
                       std::string(elsewhere ? kPause : kStopPod)});
    }
    for (const Profiler& profiler : kProfilers)
      if (process.name == profiler.name)
        found.push_back({process.name, process.pid, false, "it runs; what it collects cannot be seen",
                         std::string(profiler.rule), "wait for it, or ask whoever runs it"});
  }
  return found;
}

}  // namespace sextant::doctor
