// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports that are one stream of text: a file that appears when it is whole, or standard output.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "exporters/registry.h"
#include "text/output.h"

namespace sextant::exporters {

/// Calls write(out) for the file `output` ("-": standard output). Errors: those of `write` and of OutputFile;
/// then there is no file.
Status write_text_file(const std::string& output, bool replace,
                       const std::function<Status(text::Output&)>& write);

}  // namespace sextant::exporters
