// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <time.h>
#include <xxhash.h>

#include <set>

#include "event/schema_target.h"
#include "open/report_state.h"
#include "serve/collection.h"
#include "text/units.h"

namespace sextant::serve {

namespace {

std::string iso_time(uint64_t realtime_ns) {
  if (realtime_ns == 0) return "";
  const auto seconds = static_cast<time_t>(realtime_ns / 1'000'000'000);
  tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, realtime_ns % 1'000'000'000);
}

/// Processes that ran and of which nothing is in the report, as the recording counted them.
uint64_t processes_left_out(const query::Source& source) {
  for (const query::Diagnostic& d : source.diagnostics())
    if (d.code == "processes_dropped") return d.count;
  return 0;
}

void add_state(const query::Source& source, Summary* summary) {
  const report::Reader& reader = source.reader();
  const uint64_t left_out = processes_left_out(source);
  const size_t damaged = reader.damage().size() + source.skipped().size();
  switch (open::standing_of(reader).state) {
    case open::ReportState::kComplete:
      summary->state = "complete";
      summary->verdict = "complete";
      if (summary->lost != 0)
        summary->verdict += fmt::format(", {} lost", text::counted(summary->lost, "event", "events"));
      else if (damaged == 0 && left_out == 0)
        summary->verdict += ", nothing lost";
      break;
    case open::ReportState::kGrowing:
      summary->state = "growing", summary->growing = true;
      summary->verdict = "still being recorded";
      break;
    case open::ReportState::kAbandoned:
      summary->state = "cut",
      summary->verdict = "the recording was killed: `sextant recover` brings the rest";
      break;
    case open::ReportState::kCut:
      summary->state = "cut", summary->verdict = "the end of the file is missing; this is what is there";
      break;
  }
  if (left_out != 0)
    summary->verdict += fmt::format("; {} not recorded", text::counted(left_out, "process", "processes"));
  if (damaged != 0)
    summary->verdict += fmt::format("; damaged in {}", text::counted(damaged, "place", "places"));
}

}  // namespace

Summary summary_of(const query::Source& source, const Item& item) {
  Summary summary;
  const auto& meta = source.reader().meta();
  if (const auto at = meta.find("host.name"); at != meta.end()) summary.host = at->second;
  if (const auto at = meta.find("program.command_line"); at != meta.end()) summary.program = at->second;
  std::set<uint64_t> ranks;
  for (const query::Process& process : source.processes()) {
    summary.lost += process.lost;
    if (process.rank) ranks.insert(*process.rank);
    if (summary.program.empty())
      summary.program = process.command_line.empty() ? process.name : process.command_line;
  }
  if (ranks.size() == 1) summary.rank = fmt::format("{}", *ranks.begin());
  if (ranks.size() > 1) summary.rank = fmt::format("{}-{}", *ranks.begin(), *ranks.rbegin());
  constexpr uint16_t kColumns[] = {event::gpu::kName};
  if (const auto gpus = source.read_table(event::kGpu, kColumns); gpus)
    for (size_t i = 0; i < gpus->rows && i < 64; ++i)
      summary.gpus.emplace_back(source.reader().string(gpus->columns[0][i]));
  summary.started = iso_time(source.start_realtime_ns());
  summary.length_ns = source.duration_ns();
  add_state(source, &summary);
  XXH3_state_t* hash = XXH3_createState();
  XXH3_64bits_reset(hash);
  XXH3_64bits_update(hash, source.reader().header().run_id, sizeof(source.reader().header().run_id));
  XXH3_64bits_update(hash, &item.stamp, sizeof(item.stamp));
  summary.etag = fmt::format("{:016x}", XXH3_64bits_digest(hash));
  XXH3_freeState(hash);
  return summary;
}

}  // namespace sextant::serve
