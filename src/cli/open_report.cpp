// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/open_report.h"

#include <sys/stat.h>

#include "cli/commands.h"
#include "open/open.h"
#include "text/log.h"
#include "text/progress.h"
#include "text/units.h"

namespace sextant::cli {

namespace {

constexpr size_t kMostDamageLines = 3;
constexpr int kMostReopenings = 3;  // a file that changes all the time is no ending recording

/// Whether there is more in the file than when it was opened. A recording may end between the opening and the
/// look for its run folder; then the folder is gone, and the end of the report is there after all.
bool grew_since_opened(const report::Reader& reader) {
  struct stat status {};
  return ::stat(reader.path().c_str(), &status) == 0 &&
         static_cast<uint64_t>(status.st_size) != reader.file_bytes();
}

int warn_of_damage(const std::string& path, std::span<const report::Damage> damage) {
  for (size_t i = 0; i < damage.size() && i < kMostDamageLines; ++i)
    text::error("{}: damaged at byte {}: {} ({} skipped)", path, damage[i].offset, damage[i].what,
                text::bytes(damage[i].bytes));
  if (damage.size() > kMostDamageLines)
    text::error("{}: {} more damaged places; `sextant verify` lists all", path,
                damage.size() - kMostDamageLines);
  return damage.empty() ? kExitOk : kExitIncomplete;
}

}  // namespace

std::string report_stem(const std::string& path) {
  for (const std::string_view known : {".sxt", ".sqlite", ".nsys-rep", ".qdrep", ".qdstrm"})
    if (path.ends_with(known)) return path.substr(0, path.size() - known.size());
  return path;
}

std::string_view state_word(ReportState state) {
  switch (state) {
    case ReportState::kComplete:
      return "complete";
    case ReportState::kGrowing:
      return "growing";
    case ReportState::kAbandoned:
      return "abandoned";
    case ReportState::kCut:
      return "cut";
  }
  return "";
}

int OpenedReport::conclude() const {
  const report::Reader& reader = source.reader();
  const std::vector<report::Damage> skipped = source.skipped();
  const int known = warn_of_damage(path, reader.damage());
  const int found = warn_of_damage(path, skipped);
  const int code = known != kExitOk ? known : found;
  if (reader.unknown_chunks() > 0)
    text::warn("{}: {} of a later release skipped; a newer sextant reads them", path,
               text::counted(reader.unknown_chunks(), "part", "parts"));
  switch (state) {
    case ReportState::kComplete:
      return code;
    case ReportState::kGrowing:
      text::info("{}: still being recorded; this is what is there so far", path);
      return code;
    case ReportState::kAbandoned:
      text::error("{}: the recording was killed; `sextant recover {}` brings the rest", path, run_folder);
      return kExitIncomplete;
    case ReportState::kCut:
      text::error(
          "{}: the end of the report is missing ({} after the last whole part); this is what is there", path,
          text::bytes(reader.unfinished_bytes()));
      return kExitIncomplete;
  }
  return code;
}

std::optional<OpenedReport> open_report(const Arguments& arguments, const std::string& path, int* exit_code) {
  open::OpenOptions options;
  options.no_cache = arguments.flag("no-cache");
  options.with_nsys = arguments.flag("with-nsys");
  options.notice = [](const std::string& text) { text::info("{}", text); };
  std::optional<text::ProgressBar> bar;
  options.progress = [&](uint64_t done, uint64_t total) {
    if (!bar) bar.emplace("importing " + path, total);
    bar->update(done);
  };
  auto opened_file = open::open_file(path, options);
  open::Standing standing;
  for (int again = 0; opened_file; ++again) {
    standing = open::standing_of(opened_file->source.reader());
    const bool final = standing.state == ReportState::kComplete || standing.state == ReportState::kGrowing;
    if (final || again == kMostReopenings || !grew_since_opened(opened_file->source.reader())) break;
    opened_file = open::open_file(path, options);
  }
  bar.reset();
  if (!opened_file) {
    const std::string& message = opened_file.error().message;
    const bool named = message.find(path) != std::string::npos;
    text::error("{}{}{}", named ? "" : path, named ? "" : ": ", message);
    *exit_code = kExitNoInput;
    return std::nullopt;
  }
  OpenedReport opened{std::move(opened_file->source), standing.state, opened_file->path,
                      std::move(standing.run_folder)};
  opened.stem = report_stem(opened.path);
  *exit_code = kExitOk;
  return opened;
}

}  // namespace sextant::cli
