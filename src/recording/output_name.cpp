// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/output_name.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace sextant::recording {

namespace {

std::string host_name() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return "localhost";
  return name;
}

/// One expansion with a given %n.
Result<std::string> expand(const std::string& pattern, int pid, uint64_t number, bool* numbered) {
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      out += pattern[i];
      continue;
    }
    const char letter = ++i < pattern.size() ? pattern[i] : '\0';
    if (letter == '%') {
      out += '%';
    } else if (letter == 'p') {
      out += std::to_string(pid);
    } else if (letter == 'h') {
      out += host_name();
    } else if (letter == 'n') {
      out += std::to_string(number);
      *numbered = true;
    } else if (letter == 'q') {
      size_t end = pattern.find('}', i);
      if (i + 1 >= pattern.size() || pattern[i + 1] != '{' || end == std::string::npos)
        return fail(ErrorCode::kUsage,
                    "-o " + pattern + ": %q needs the name of an environment variable, as in %q{USER}");
      std::string variable = pattern.substr(i + 2, end - i - 2);
      const char* value = std::getenv(variable.c_str());
      if (value == nullptr)
        return fail(ErrorCode::kUsage,
                    "-o " + pattern + ": the environment variable " + variable + " is not set");
      out += value;
      i = end;
    } else {
      return fail(ErrorCode::kUsage, "-o " + pattern + ": only %p %h %n %q{VAR} and %% are known");
    }
  }
  if (out.empty() || out.back() == '/') return fail(ErrorCode::kUsage, "-o " + pattern + ": names no file");
  if (!out.ends_with(kReportSuffix)) out += kReportSuffix;
  return out;
}

}  // namespace

bool name_taken(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 || ::lstat((path + kRunSuffix).c_str(), &info) == 0;
}

Result<std::string> output_name(const std::string& pattern, int pid,
                                const std::function<bool(const std::string&)>& taken) {
  for (uint64_t number = 1;; ++number) {
    bool numbered = false;
    Result<std::string> name = expand(pattern, pid, number, &numbered);
    if (!name || !numbered || !taken(*name)) return name;
  }
}

}  // namespace sextant::recording
