// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What the commands share that show reports in a browser: serve, view, demo.
#pragma once

#include "base/result.h"
#include "cli/arguments.h"
#include "serve/run.h"

namespace sextant::cli {

/// Paths are the words of the command line.
Result<serve::ServeOptions> serve_options(const Arguments& arguments);

/// Serves until a signal ends it; prints the address. The exit code.
int serve_until_ended(const serve::ServeOptions& options);

}  // namespace sextant::cli
