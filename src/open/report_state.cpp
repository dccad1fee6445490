// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "open/report_state.h"

#include <sys/stat.h>
#include <time.h>

#include <algorithm>

#include "spool/bus_guard.h"
#include "spool/run_folder.h"
#include "spool/run_places.h"

namespace sextant::open {

namespace {

constexpr time_t kStillWrittenSeconds = 120;  // a recording writes at least every ten seconds

bool written_lately(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && ::time(nullptr) - status.st_mtime < kStillWrittenSeconds;
}

std::string named_folder(const report::Reader& reader) {
  const auto named = reader.meta().find("run_folder");
  return named != reader.meta().end() ? named->second : std::string();
}

std::vector<std::string> left_of(const std::vector<std::string>& candidates) {
  std::vector<std::string> out;
  for (const std::string& candidate : candidates) {
    struct stat status {};
    if (std::find(out.begin(), out.end(), candidate) != out.end()) continue;
    if (::lstat(candidate.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
    spool::guard_bus_errors();  // whose folder it is has not been looked at
    auto folder = spool::RunFolder::open(candidate);
    if (folder && folder->lock()) out.push_back(candidate);
  }
  return out;
}

}  // namespace

std::vector<std::string> find_leftovers(const report::Reader& reader) {
  std::vector<std::string> candidates = spool::candidate_folders(reader.path(), reader.header().run_id);
  if (std::string named = named_folder(reader); !named.empty()) candidates.push_back(std::move(named));
  return left_of(candidates);
}

std::vector<std::string> find_leftovers(const std::string& report_path) {
  if (const auto reader = report::Reader::open(report_path)) return find_leftovers(*reader);
  return left_of({report_path + spool::kRunSuffix});
}

Standing standing_of(const report::Reader& reader) {
  if (reader.complete()) return {};
  const auto leftovers = find_leftovers(reader);
  if (!leftovers.empty()) return {ReportState::kAbandoned, leftovers.front()};
  // A run folder that is no leftover has a collector, or cannot be asked.
  std::string folder = named_folder(reader);
  if (folder.empty()) folder = reader.path() + spool::kRunSuffix;
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return {ReportState::kCut};
  const bool can_ask = spool::RunFolder::open(folder).has_value();
  const bool growing = can_ask || written_lately(reader.path());
  return {growing ? ReportState::kGrowing : ReportState::kAbandoned, std::move(folder)};
}

}  // namespace sextant::open
