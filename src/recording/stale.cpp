// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/stale.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "collector/exit_status.h"
#include "recording/manifest.h"
#include "recording/output_name.h"
#include "recording/recover.h"
#include "report/reader.h"
#include "spool/bus_guard.h"
#include "spool/reader.h"
#include "spool/run_folder.h"

namespace sextant::recording {

namespace {

std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> names;
  DIR* dir = ::opendir(folder.c_str());
  if (dir == nullptr) return names;
  while (const dirent* entry = ::readdir(dir)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(dir);
  std::sort(names.begin(), names.end());
  return names;
}

uint64_t bytes_of(const std::string& folder) {
  uint64_t bytes = 0;
  for (const std::string& name : entries(folder)) {
    struct stat info {};
    if (::lstat((folder + "/" + name).c_str(), &info) == 0)
      bytes += static_cast<uint64_t>(info.st_blocks) * 512;
  }
  return bytes;
}

/// A process that may still record into the folder; 0: none.
uint32_t living_process(const spool::RunFolder& folder) {
  for (uint32_t index = 0; index < folder.pages(); ++index) {
    spool::PageCopy copy;
    if (!spool::copy_page(*folder.page(index), &copy) || copy.exit_kind != spool::ExitKind::kNone) continue;
    const auto stat = collector::read_stat(copy.pid);
    if (stat && (copy.start_time == 0 || stat->start_time == copy.start_time) && stat->state != 'Z')
      return copy.pid;
  }
  return 0;
}

bool report_has_all(const std::string& report, const spool::RunFolder& folder) {
  const auto reader = report::Reader::open(report);
  return reader && reader->complete() &&
         std::memcmp(reader->header().run_id, folder.control().run_id, sizeof reader->header().run_id) == 0;
}

/// As remains look: nothing but what a run folder has, and no valid control file.
bool looks_like_remains(const std::string& path) {
  const auto names = entries(path);
  return std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name == "control" || name == kManifestName || name == "watched" || name.ends_with(".new") ||
           name.ends_with(".ring") || name.starts_with("free-");
  });
}

StaleFolder examine(const std::string& path) {
  StaleFolder found;
  found.path = path;
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    found.note = "is no folder";
    return found;
  }
  if (info.st_uid != ::geteuid()) {
    found.note = "belongs to another user";
    return found;
  }
  found.bytes = bytes_of(path);
  auto folder = spool::RunFolder::open(path);
  if (!folder) {
    if (folder.error().code == ErrorCode::kCorrupt && looks_like_remains(path))
      found.staleness = Staleness::kRemains;
    else
      found.note = folder.error().message;
    return found;
  }
  if (const Status locked = folder->lock(); !locked) {
    found.staleness = Staleness::kAlive;
    found.note = "a collector works on it";
    return found;
  }
  found.report = report_of(path).value_or("");
  if (const uint32_t pid = living_process(*folder); pid != 0) {
    found.staleness = Staleness::kAlive;
    found.note = "process " + std::to_string(pid) + " still records into it";
    return found;
  }
  found.staleness = report_has_all(found.report, *folder) ? Staleness::kComplete : Staleness::kEvents;
  return found;
}

}  // namespace

std::vector<StaleFolder> find_run_folders(const std::vector<std::string>& folders) {
  spool::guard_bus_errors();
  std::vector<StaleFolder> found;
  std::vector<std::string> seen;
  for (const std::string& folder : folders) {
    char resolved[PATH_MAX];
    if (::realpath(folder.c_str(), resolved) == nullptr) continue;
    for (const std::string& name : entries(resolved)) {
      // in shared places an id stands between: NAME.sxt.0123456789ab.run
      if (!name.ends_with(kRunSuffix) || name.find(kReportSuffix) == std::string::npos) continue;
      const std::string path = std::string(resolved) + "/" + name;
      if (std::find(seen.begin(), seen.end(), path) != seen.end()) continue;
      seen.push_back(path);
      found.push_back(examine(path));
    }
  }
  return found;
}

Status remove_run_folder(const StaleFolder& stale) {
  if (stale.staleness == Staleness::kAlive || stale.staleness == Staleness::kForeign)
    return fail(ErrorCode::kDenied, stale.path + ": " + stale.note);
  if (stale.staleness == Staleness::kRemains) {
    if (spool::RunFolder::remove_remains(stale.path)) return {};
    return fail(ErrorCode::kDenied, stale.path + ": cannot be removed, or is in use again");
  }
  SEXTANT_ASSIGN(spool::RunFolder folder, spool::RunFolder::open(stale.path));
  SEXTANT_TRY(folder.lock());
  folder.remove();
  struct stat info {};
  if (::lstat(stale.path.c_str(), &info) == 0)
    return fail(ErrorCode::kIo, stale.path + ": could not be removed");
  return {};
}

}  // namespace sextant::recording
