// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>
#include <xxhash.h>

#include <set>

#include "event/schema_target.h"
#include "serve/collection.h"
#include "text/units.h"

namespace sextant::serve {

namespace {

constexpr int64_t kStillGrowingNs = 120'000'000'000;  // a recording writes at least every ten seconds

std::string iso_time(uint64_t realtime_ns) {
  if (realtime_ns == 0) return "";
  const auto seconds = static_cast<time_t>(realtime_ns / 1'000'000'000);
  tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, realtime_ns % 1'000'000'000);
}

bool has_run_folder(const report::Reader& reader) {
  const auto named = reader.meta().find("run_folder");
  const std::string folder = named != reader.meta().end() ? named->second : reader.path() + ".run";
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

void add_state(const query::Source& source, const Item& item, Summary* summary) {
  const report::Reader& reader = source.reader();
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const int64_t age_ns = now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec - item.stamp.modified_ns;
  if (reader.complete()) {
    summary->state = "complete";
    summary->verdict = summary->lost == 0 ? "complete, nothing lost"
                                          : fmt::format("complete, {} lost",
                                                        text::counted(summary->lost, "event", "events"));
  } else if (has_run_folder(reader) && age_ns < kStillGrowingNs) {
    summary->state = "growing", summary->growing = true;
    summary->verdict = "still being recorded";
  } else {
    summary->state = "cut";
    summary->verdict = has_run_folder(reader) ? "the recording was killed: `sextant recover` brings the rest"
                                              : "the end of the file is missing; this is what is there";
  }
  if (!reader.damage().empty())
    summary->verdict +=
        fmt::format("; damaged in {}", text::counted(reader.damage().size(), "place", "places"));
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
  add_state(source, item, &summary);
  XXH3_state_t* hash = XXH3_createState();
  XXH3_64bits_reset(hash);
  XXH3_64bits_update(hash, source.reader().header().run_id, sizeof(source.reader().header().run_id));
  XXH3_64bits_update(hash, &item.stamp, sizeof(item.stamp));
  summary.etag = fmt::format("{:016x}", XXH3_64bits_digest(hash));
  XXH3_freeState(hash);
  return summary;
}

}  // namespace sextant::serve
