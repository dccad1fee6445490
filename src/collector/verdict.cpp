// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The line that every recording ends with.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "collector/collector.h"
#include "collector/collector_page.h"
#include "collector/untraced_text.h"

namespace sextant::collector {

namespace {

constexpr size_t kNamedProcesses = 3;

std::string grouped(uint64_t n) {
  std::string text = std::to_string(n);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string counted(uint64_t n, const char* one, const char* many) {
  return grouped(n) + " " + (n == 1 ? one : many);
}

/// "python3[12] 1,000; worker[13] 20; 4 others 7"
std::string per_process(std::vector<const Process*> recorded) {
  std::stable_sort(recorded.begin(), recorded.end(),
                   [](const Process* a, const Process* b) { return a->events > b->events; });
  std::string text;
  uint64_t rest = 0;
  for (size_t i = 0; i < recorded.size(); ++i) {
    if (i < kNamedProcesses)
      text += fmt::format("{}{}[{}] {}", i == 0 ? "" : "; ", recorded[i]->name, recorded[i]->pid,
                          grouped(recorded[i]->events));
    else
      rest += recorded[i]->events;
  }
  if (rest != 0)
    text +=
        fmt::format("; {} {}", counted(recorded.size() - kNamedProcesses, "other", "others"), grouped(rest));
  return text;
}

}  // namespace

std::string Collector::verdict() const {
  const Totals t = totals();
  std::string text = counted(t.processes, "process", "processes") + ", " +
                     counted(t.events, "range or mark", "ranges and marks");
  std::vector<const Process*> recorded;
  for (const auto& p : processes_.all())
    if (p->events != 0) recorded.push_back(p.get());
  if (recorded.size() > 1) text += " (" + per_process(recorded) + ")";
  if (t.osrt_calls != 0) text += ", " + counted(t.osrt_calls, "runtime call", "runtime calls");
  if (t.opencl_calls != 0)
    text += ", " + counted(t.opencl_commands, "OpenCL command", "OpenCL commands") + " in " +
            counted(t.opencl_calls, "call", "calls");
  if (t.opencl_unfinished != 0) text += " (" + grouped(t.opencl_unfinished) + " of them unfinished)";
  if (t.open_ranges != 0) text += ", " + counted(t.open_ranges, "range", "ranges") + " never closed";
  if (t.lost != 0) {
    uint32_t reasons = 0;
    for (uint32_t index = 0; index < next_page_; ++index) {
      spool::PageCopy copy;
      if (spool::copy_page(*folder_.page(index), &copy)) reasons |= copy.loss_reasons;
    }
    text += ", " + counted(t.lost, "record", "records") + " LOST: " + loss_text(reasons);
  } else {
    text += ", none lost";
  }
  if (windows_ != nullptr) text += windows_->verdict();
  if (t.damaged != 0) text += ", " + counted(t.damaged, "damaged record", "damaged records") + " skipped";
  if (t.dropped_processes != 0)
    text += ", " + counted(t.dropped_processes, "process", "processes") +
            " NOT recorded: the table of processes was full";
  if (diagnostics_.count("run_folder_gone") != 0)
    text += "; the run folder was REMOVED or moved: programs started after that are not recorded";
  const Process* blind = nullptr;
  for (const auto& p : processes_.all())
    if (t.events + t.opencl_calls == 0 && (windows_ == nullptr || !windows_->request().capture) &&
        (p->pid == processes_.target_pid() || processes_.all().size() == 1))
      blind = p.get();
  // that there are calls of the C library says nothing about NVTX
  if (blind != nullptr && (t.osrt_calls == 0 || (folder_.control().flags & spool::kTraceNvtx) != 0))
    text += fmt::format("; {} in {}: {}", t.osrt_calls == 0 ? "nothing seen" : "no NVTX", blind->name,
                        processes_.reason(*blind));
  for (const auto& p : processes_.all()) {
    if (p.get() == blind || ProcessTable::traced(*p) != event::process::Traced::kUntraced) continue;
    const uint64_t more =
        t.untraced - 1 -
        (blind != nullptr && ProcessTable::traced(*blind) == event::process::Traced::kUntraced ? 1 : 0);
    text += fmt::format("; not traced: {}{}: {}", p->name,
                        more != 0 ? fmt::format(" (and {} more)", more) : "", processes_.reason(*p));
    break;
  }
  return text;
}

}  // namespace sextant::collector
