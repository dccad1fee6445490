// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// --status-file: how a recording went, as a JSON object for machines. Written under a temporary name and
// renamed.
#pragma once

#include <string>

#include "recording/waiting.h"

namespace sextant::recording {

/// Says on stderr if it could not be written.
void write_status_file(const std::string& path, const std::string& report, const WaitOutcome& outcome,
                       bool report_in_place, const std::string& verdict);

}  // namespace sextant::recording
