// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The options that say which NVTX events are wanted, in nsys's syntax:
//   --capture-range nvtx, --nvtx-capture RANGE[@DOMAIN|@*] (\@ is an @ of the name)
//   --capture-range-end none | stop | stop-shutdown | repeat[:N] | repeat-shutdown:N, the repeating ones with
//   :sync, :async or :defer behind
//   --nvtx-domain-include, --nvtx-domain-exclude: names with commas between; \, is a comma of a name,
//   "default" is the default domain and \default a domain of that name
#pragma once

#include <string>

#include "base/result.h"
#include "collector/capture_windows.h"

namespace sextant::recording {

struct CaptureOptions {
  bool nvtx = false;   // --capture-range nvtx
  std::string range;   // --nvtx-capture
  std::string at_end;  // --capture-range-end; "": stop-shutdown
  std::string include, exclude;
  bool include_given = false, exclude_given = false;
};

/// Errors: kUsage.
Result<collector::FilterRequest> filter_request(const CaptureOptions& options);

/// The report of one of several capture windows: NAME.sxt becomes NAME.2.sxt.
std::string numbered_report(const std::string& path, uint32_t number);

}  // namespace sextant::recording
