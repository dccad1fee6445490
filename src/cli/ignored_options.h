// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Options that this release ignores, with what the machine says about them: whoever asks for CPU samples in a
// container learns now that they would be denied there, not with the release that records them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "doctor/check.h"

namespace sextant::cli {

/// What an option of `profile` needs; for --trace the word decides, for --sample and --cpuctxsw the scope.
std::optional<doctor::Capability> capability_of(std::string_view long_name, std::string_view word);

/// One line for each of the warnings, in their order. Looks at the machine where one of them needs it.
std::vector<std::string> ignored_lines(const std::vector<std::string>& warnings);

}  // namespace sextant::cli
