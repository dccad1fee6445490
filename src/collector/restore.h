// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What an unfinished report says about the rings it was made from: where each was left and its open stack,
// domains, counts.
#pragma once

#include <string>

#include "base/result.h"
#include "collector/collector.h"
#include "report/reader.h"

namespace sextant::collector {

/// Strings in stacks are ids of the report, which its reopened writer keeps. Damaged chunks are passed over.
Restored read_restored(const report::Reader& reader);

}  // namespace sextant::collector
