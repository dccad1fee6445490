// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/spool_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "recording/output_name.h"

namespace sextant::recording {

namespace {

Status clear_leftover(const std::string& path, bool replace) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return {};
  if (spool::RunFolder::remove_remains(path)) return {};
  auto old = spool::RunFolder::open(path);
  if (!old && old.error().code != ErrorCode::kUnsupported)
    return fail(ErrorCode::kDenied,
                path + ": in the way, and not a run folder; -o or --spool-dir name another place");
  const std::string advice = path + ": left by an earlier recording; `sextant recover " + path +
                             "` saves its events, -f discards them";
  if (!replace) return fail(ErrorCode::kDenied, advice);
  if (!old) return tl::unexpected<Error>(std::move(old).error());
  SEXTANT_TRY(old->lock());
  old->remove();
  return {};
}

/// The folder is that user's from now on, who must be able to reach it; else it is gone.
Status give_to(const User& user, spool::RunFolder* folder) {
  Status status = folder->give_to(user.uid, user.gid);
  if (status && !can_open(user, folder->path() + "/control", true))
    status = fail(ErrorCode::kDenied, folder->path() + ": cannot be reached by the user of --run-as");
  if (!status) folder->remove();
  return status;
}

}  // namespace

Result<PlacedFolder> place_run_folder(const std::string& report_path, const std::string& spool_dir,
                                      const spool::RunFolder::Options& options, bool replace,
                                      const User* user) {
  std::vector<std::string> places = spool::candidate_folders(report_path, options.run_id);
  if (!spool_dir.empty()) {
    char resolved[4096];
    if (::realpath(spool_dir.c_str(), resolved) == nullptr)
      return fail_errno(errno, "--spool-dir " + spool_dir);
    places.insert(places.begin(), std::string(resolved) + "/" + spool::base_name(report_path) + kRunSuffix);
  }
  std::string note;
  for (const std::string& place : places) {
    if (Status clear = clear_leftover(place, replace); !clear)
      return tl::unexpected<Error>(std::move(clear).error());
    auto folder = spool::RunFolder::create(place, options);
    if (folder && user != nullptr) {
      if (const Status given = give_to(*user, &*folder); !given)
        folder = tl::unexpected<Error>(given.error());
    }
    if (folder)
      return PlacedFolder{std::move(*folder), note.empty() ? "" : note + "; events go through " + place};
    note += (note.empty() ? "" : "; ") + folder.error().message;
  }
  return fail(ErrorCode::kIo, "no file system for the run folder: " + note + "; name one with --spool-dir");
}

}  // namespace sextant::recording
