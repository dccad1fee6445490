// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Manual pages and shell completion, made from the flag table.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/flags.h"

namespace sextant::cli {

/// man source (roff) of sextant(1), or of sextant-COMMAND(1).
std::string manual_page(const Command* command);

/// A script for bash, zsh or fish. kUsage: another shell.
Result<std::string> completion_script(std::string_view shell);

/// Writes all pages and scripts below `folder`, where an installation has them: share/man/man1 ... kIo.
Status write_pages(const std::string& folder);

}  // namespace sextant::cli
