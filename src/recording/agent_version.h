// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether an agent belongs to this release: another one may lie where parts of two were installed.
#pragma once

#include <string>

#include "base/result.h"

namespace sextant::recording {

/// Error: the file cannot be read, is no agent, or is one of another version, and what to do.
Status check_agent_version(const std::string& path);

}  // namespace sextant::recording
