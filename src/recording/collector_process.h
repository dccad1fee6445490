// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The collector as a process of its own: own session and process group, /dev/null as 0-2, none of the
// caller's descriptors, not our child (so that a SIGKILL of the tool leaves it alone and the tool can wait
// for the program's orphans).
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "collector/loop.h"
#include "report/writer.h"
#include "spool/run_folder.h"

namespace sextant::recording {

struct CollectorSetup {
  collector::LoopOptions loop;
  collector::Collector::Options options;
  std::vector<std::pair<std::string, std::string>> meta;   // written first
  std::vector<std::pair<std::string, std::string>> notes;  // diagnostics of the recording: code, text
  /// For several reports, one behind the other: the next one, and the manifest that names it.
  std::function<Result<report::Writer>(uint32_t number)> next_report;
  std::function<std::string(uint32_t number)> next_manifest;
};

/// Descriptors from 3 on that are open now: the caller's, if called first of all.
std::vector<int> open_descriptors();

/// Forks it; `folder` and `writer` go on there (the caller's copies must only be dropped). Returns our end of
/// the socket. `close_there`: what it must not keep.
Result<base::Fd> start_collector(spool::RunFolder folder, report::Writer writer, CollectorSetup setup,
                                 const std::vector<int>& close_there);

}  // namespace sextant::recording
