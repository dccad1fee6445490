// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/agent_version.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/agent_version.h"

namespace sextant::recording {

namespace {

constexpr std::string_view kMark = SEXTANT_AGENT_MARK, kOurs = SEXTANT_VERSION;
constexpr size_t kLongestVersion = 64;
constexpr std::string_view kRemedy = "install the program and its libraries together";

}  // namespace

Status check_agent_version(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.empty()) return fail(ErrorCode::kNotFound, path + ": cannot be read");
  const size_t at = bytes.find(kMark);
  if (at == std::string::npos)
    return fail(ErrorCode::kNotFound, path + " is no agent of this release; " + std::string(kRemedy));
  const std::string_view rest = std::string_view(bytes).substr(at + kMark.size(), kLongestVersion);
  const std::string_view version = rest.substr(0, rest.find('\0'));
  if (version == kOurs) return {};
  return fail(ErrorCode::kNotFound, path + " is of version " + std::string(version) + ", this program of " +
                                        std::string(kOurs) + "; " + std::string(kRemedy));
}

}  // namespace sextant::recording
