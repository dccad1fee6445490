// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the run folder of a report goes: beside it if that file system can hold rings, else the next of
// several places.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "recording/user.h"
#include "spool/run_folder.h"

namespace sextant::recording {

struct PlacedFolder {
  spool::RunFolder folder;
  std::string note;  // which places were passed over and why; "" if the first would do
};

/// Tries, in order: `spool_dir` if given, the folder of `report_path`, $XDG_RUNTIME_DIR, /tmp, /dev/shm. A
/// left-over folder of an earlier run beside the report is an error (kDenied) unless `replace` and nobody
/// works on it. With `user` the folder becomes theirs, and places that they cannot reach are passed over.
Result<PlacedFolder> place_run_folder(const std::string& report_path, const std::string& spool_dir,
                                      const spool::RunFolder::Options& options, bool replace,
                                      const User* user = nullptr);

}  // namespace sextant::recording
