// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/recover.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "collector/restore.h"
#include "recording/manifest.h"
#include "recording/output_name.h"
#include "recording/spool_place.h"
#include "report/reader.h"
#include "spool/bus_guard.h"
#include "text/log.h"

namespace sextant::recording {

namespace {

constexpr useconds_t kPauseUs = 1000;
constexpr int kMostNames = 100;  // tried for a report whose own name is taken

bool same_run(const report::FileHeader& header, const spool::ControlPage& control) {
  return std::memcmp(header.run_id, control.run_id, sizeof header.run_id) == 0;
}

struct Opened {
  std::string path;
  std::optional<report::Writer> writer;  // none where the report is complete
  collector::Restored restored;
  bool complete = false;  // only the run folder was left over
  bool moved = false;     // `path` is not the name that the recording was to have
};

enum class Place { kFree, kOurs, kForeign };

/// Whose report lies at `path`: nobody's (free, or an empty file), this run's (then `reader` is set), or
/// another's.
Place look_at(const std::string& path, const spool::ControlPage& control,
              std::optional<report::Reader>* reader) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || (S_ISREG(info.st_mode) && info.st_size == 0)) return Place::kFree;
  auto opened = report::Reader::open(path);
  if (!opened || !same_run(opened->header(), control)) return Place::kForeign;
  reader->emplace(std::move(*opened));
  return Place::kOurs;
}

/// The report as far as it was written; made anew where the collector did not come so far. What lies at
/// `path` and is not this run's (a collector that was to replace it was killed first, or it is newer) stays:
/// the report goes beside it then.
Result<Opened> open_report(const std::string& path, const spool::ControlPage& control) {
  const std::string suffix = kReportSuffix;
  const std::string stem = path.ends_with(suffix) ? path.substr(0, path.size() - suffix.size()) : path;
  Opened opened;
  opened.path = path;
  std::optional<report::Reader> reader;
  Place place = look_at(path, control, &reader);
  for (int n = 1; place == Place::kForeign && n < kMostNames; ++n) {
    opened.path = stem + "-recovered" + (n > 1 ? std::to_string(n) : "") + suffix;
    place = look_at(opened.path, control, &reader);
  }
  if (place == Place::kForeign)
    return fail(ErrorCode::kDenied,
                path + ": belongs to another recording, as do all names beside it; move them away");
  opened.moved = opened.path != path;
  if (reader) {
    opened.complete = reader->complete();
    opened.restored = collector::read_restored(*reader);
    if (opened.complete) return Result<Opened>(std::move(opened));
    std::vector<report::Provenance> done;
    SEXTANT_ASSIGN(opened.writer, report::Writer::reopen(opened.path, &done));
    for (const report::Provenance& p : done) {
      uint64_t& next = opened.restored.rings[{p.instance, p.ring}].next;
      next = std::max(next, p.first_sequence + p.count);
    }
    return Result<Opened>(std::move(opened));
  }
  report::Writer::Options options;
  std::memcpy(options.run_id.data(), control.run_id, options.run_id.size());
  options.clock_kind = control.clock_kind;
  options.replace = true;  // an empty file at most
  SEXTANT_ASSIGN(opened.writer, report::Writer::create(opened.path, options));
  return Result<Opened>(std::move(opened));
}

RecoverOutcome outcome_of(const std::string& report, const collector::Totals& totals) {
  RecoverOutcome outcome;
  outcome.report = report;
  outcome.processes = totals.processes;
  outcome.ranges = totals.events;
  outcome.runtime_calls = totals.osrt_calls;
  outcome.records_lost = totals.lost + totals.damaged;
  outcome.open_ranges = totals.open_ranges;
  return outcome;
}

}  // namespace

Result<RecoverOutcome> recover(const std::string& run_folder, const RecoverOptions& options) {
  spool::guard_bus_errors();
  if (spool::RunFolder::remove_remains(run_folder))
    return fail(ErrorCode::kNotFound, run_folder +
                                          ": nothing to recover: the recording had not begun or its report "
                                          "was complete; the folder is gone");
  SEXTANT_ASSIGN(spool::RunFolder folder, spool::RunFolder::open(run_folder));
  SEXTANT_TRY(folder.lock());
  SEXTANT_ASSIGN(std::string text, folder.read_file(kManifestName, kMaxManifestBytes));
  SEXTANT_ASSIGN(Manifest manifest, parse_manifest(text));
  struct stat info {};
  if (::stat(manifest.report.c_str(), &info) != 0 &&
      folder.path().ends_with(kRunSuffix)) {  // both were moved
    std::string beside = folder.path().substr(0, folder.path().size() - std::strlen(kRunSuffix));
    if (::stat(beside.c_str(), &info) == 0) manifest.report = beside;
  }
  SEXTANT_ASSIGN(Opened opened, open_report(manifest.report, folder.control()));
  if (opened.complete) {
    RecoverOutcome outcome;
    outcome.report = opened.path;
    for (const auto& [process, events] : opened.restored.events) outcome.ranges += events;
    for (const auto& [process, calls] : opened.restored.osrt_calls) outcome.runtime_calls += calls;
    outcome.notes.push_back("the report was complete already; only its run folder was left");
    if (!options.keep_folder) folder.remove();
    return outcome;
  }
  collector::Collector::Options how;
  how.recovering = true;
  collector::Collector collector(std::move(folder), std::move(*opened.writer), how);
  uint64_t before = 0;
  for (const auto& [process, events] : opened.restored.events) before += events;
  collector.adopt(std::move(opened.restored));
  collector.diagnostics().set("recovered", 0, 1,
                              "the collector was killed; the rest was recovered from the run folder");
  collector.pass();
  if (!collector.all_gone() && !options.quiet)
    text::info("{} processes still run and record into {}: waiting for their end",
               collector.processes().alive_count(), run_folder);
  while (!collector.all_gone()) {
    collector.pass();
    ::usleep(kPauseUs * static_cast<useconds_t>(std::max(1, collector.wait_ms())));
  }
  SEXTANT_TRY(collector.finish(false));
  RecoverOutcome outcome = outcome_of(opened.path, collector.totals());
  outcome.records_recovered = outcome.ranges - std::min(before, outcome.ranges);
  if (opened.moved)
    outcome.notes.push_back("another recording's report has the name " + manifest.report +
                            ": it was left as it is");
  if (outcome.records_lost != 0) outcome.notes.push_back("see the diagnostics of the report (sextant info)");
  if (!options.keep_folder) collector.folder().remove();
  return outcome;
}

std::optional<std::string> report_of(const std::string& run_folder) {
  struct stat info {};
  const auto is_there = [&](const std::string& path) {
    return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
  };
  const std::string beside = run_folder.substr(0, run_folder.size() - std::strlen(kRunSuffix));
  if (run_folder.ends_with(kRunSuffix) && is_there(beside)) return beside;
  const auto folder = spool::RunFolder::open(run_folder);
  const auto text = folder ? folder->read_file(kManifestName, kMaxManifestBytes)
                           : Result<std::string>(fail(ErrorCode::kNotFound, ""));
  const auto manifest = text ? parse_manifest(*text) : tl::unexpected(text.error());
  if (manifest && is_there(manifest->report)) return manifest->report;
  return std::nullopt;
}

}  // namespace sextant::recording
