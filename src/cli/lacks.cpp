// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/lacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "stats/nvtx_names.h"
#include "text/log.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::cli {

namespace {

constexpr size_t kNamedRanges = 3;

constexpr std::array<std::pair<std::string_view, std::string_view>, 28> kAdvice = {{
    {"lost_records",
     "record again with --block, which lets the program wait, or, if it was used up, with more "
     "--buffer-size"},
    {"budget_full", "where records were lost: give more --buffer-size, or --block"},
    {"names_dropped", "use fewer different names: put what varies into payloads instead of names"},
    {"names_cut", "use names below 60000 bytes"},
    {"no_pages", "record fewer processes in one recording"},
    {"processes_dropped", "record fewer processes in one recording"},
    {"no_arena", "give more --buffer-size, or another place with --spool-dir"},
    {"untraced_process", "its figures are missing; `sextant doctor` says what is in the way"},
    {"version", "let one version of sextant record everything"},
    {"damaged_arena", "what could be read is here; report it if no program wrote into the run folder"},
    {"damaged_record", "what could be read is here; report it if no program wrote into the run folder"},
    {"pop_without_push", "look for an nvtxRangePop too many, or one in another thread than its push"},
    {"too_deep", "close ranges: pushes without pops fill the stack of a thread"},
    {"unknown_domain", "look for a domain handle that is used after it was destroyed"},
    {"write_failed", "make room where the report is written"},
    {"run_folder_gone", "leave NAME.sxt.run alone while a recording goes on"},
    {"unfinished_call",
     "osrt_blocking_sum names them; threads that waited for work when the program ended are among them"},
    {"shared_thread", "give children of clone thread-local storage of their own (CLONE_SETTLS)"},
    {"survivors", "what they did later is not here: --wait=all records to their end"},
    {"spool_fallback", "--spool-dir names the place for the run folder"},
    {"other_nvtx_tool", "unset NVTX_INJECTION64_PATH to record NVTX"},
    {"capture_never_opened", "name a range of the list with -p, with its domain behind @"},
    {"payload_incomplete", "where records were lost: give more --buffer-size, or --block"},
    {"payload_schema_unknown", "look for a payload whose schema is registered later, or in another domain"},
    {"unknown_nvtx_call", "a newer release of sextant may know them"},
    {"cut_unread", "`sextant verify` of the original says where"},
    {"damage", "`sextant verify` lists every place; what could be read is here"},
    {"never_closed",
     "they are shown to the end of their process; look for a missing pop or end, or a process "
     "that was killed within them"},
}};

/// "epoch (2), loader:read shard (1) and 3 other names"
std::string listed(const std::map<std::string, uint64_t>& names) {
  std::vector<std::pair<std::string, uint64_t>> most(names.begin(), names.end());
  std::stable_sort(most.begin(), most.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string out;
  for (size_t i = 0; i < most.size() && i < kNamedRanges; ++i)
    out += fmt::format("{}{} ({})", i == 0 ? "" : ", ", text::printable(most[i].first), most[i].second);
  if (most.size() > kNamedRanges)
    out += fmt::format(" and {}", text::counted(most.size() - kNamedRanges, "other name", "other names"));
  return out;
}

void add_never_closed(const OpenedReport& report, std::vector<Lack>* lacks) {
  std::map<uint64_t, std::map<std::string, uint64_t>> open;  // by process, by name
  query::NvtxScan scan;
  scan.closed_push_pop = false;
  scan.whole = true;
  const Status scanned = report.source.scan_nvtx(scan, [&](const query::NvtxBatch& batch) {
    if (!batch.unfinished) return;
    for (size_t i = 0; i < batch.rows; ++i)
      ++open[batch.process[i]][stats::range_name(report.source, batch.domain[i], batch.name[i])];
  });
  if (!scanned) text::warn("{}: {}", report.path, scanned.error().message);
  std::set<uint64_t> running;
  for (const query::Process& process : report.source.processes())
    if (process.running) running.insert(process.number);
  for (const auto& [process, names] : open) {
    uint64_t count = 0;
    for (const auto& [name, times] : names) count += times;
    const bool goes_on = report.state == ReportState::kGrowing && running.contains(process);
    const char* verb = goes_on ? "open just now" : "never closed";
    lacks->push_back({goes_on ? "open" : "never_closed", process, count,
                      fmt::format("{} {}: {}", text::counted(count, "range", "ranges"), verb, listed(names)),
                      ""});
  }
}

}  // namespace

std::string_view advice(std::string_view code) {
  for (const auto& [known, text] : kAdvice)
    if (known == code) return text;
  return "";
}

std::vector<Lack> find_lacks(const OpenedReport& report) {
  std::vector<Lack> lacks;
  std::set<std::pair<uint64_t, std::string>> told;
  for (const query::Diagnostic& d : report.source.diagnostics()) {
    lacks.push_back({d.code, d.process, d.count, d.text, ""});
    told.emplace(d.process, d.text);
  }
  using event::process::Traced;
  for (const query::Process& p : report.source.processes()) {
    if (p.reason.empty() || told.contains({p.number, p.reason})) continue;
    const auto traced = static_cast<Traced>(p.traced);
    const char* code = traced == Traced::kUntraced   ? "untraced_process"
                       : traced == Traced::kNoEvents ? "no_events"
                                                     : "no_nvtx";  // but events of other sources
    lacks.push_back({code, p.number, 1, p.reason, ""});
  }
  add_never_closed(report, &lacks);
  const auto add_damage = [&](const report::Damage& d) {
    lacks.push_back(
        {"damage", 0, 1,
         fmt::format("damaged at byte {}: {} ({} skipped)", d.offset, d.what, text::bytes(d.bytes)), ""});
  };
  for (const report::Damage& d : report.source.reader().damage()) add_damage(d);
  for (const report::Damage& d : report.source.skipped()) add_damage(d);
  for (Lack& lack : lacks) lack.to_do = advice(lack.code);
  if (report.state == ReportState::kAbandoned)
    lacks.push_back({"abandoned", 0, 1, "the recording was killed: events are still in its run folder",
                     fmt::format("sextant recover {}", report.run_folder)});
  return lacks;
}

}  // namespace sextant::cli
