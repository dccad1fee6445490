// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Command lines as they go into reports: values that look like secrets are blanked. Better one harmless value
// too many.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant::collector {

/// Arguments joined by spaces; those with spaces, quotes or control characters are quoted as a shell would
/// need them.
std::string join_arguments(const std::vector<std::string>& arguments);

/// Blanks to "***": the value of --password X, --api-key=X and the like, of KEY=VALUE with a secret-looking
/// KEY, user:pass@ in URLs.
std::vector<std::string> redact_arguments(const std::vector<std::string>& arguments);

/// Splits NUL-terminated strings.
std::vector<std::string> split_arguments(std::string_view text);

/// Splits a line as join_arguments made it (plain words and '...').
std::vector<std::string> split_words(std::string_view line);

}  // namespace sextant::collector
