// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// --fix: a script for whoever may. The least remedy of each denied capability is a command; what cannot be
// one (options for a container's start, fields of a pod), and what does more than is needed, is a comment.
#include <fmt/format.h>

#include <set>

#include "doctor/print.h"

namespace sextant::doctor {

namespace {

/// Lines of a remedy that a shell can run as they are.
bool runs_as_it_is(std::string_view line) {
  return !line.starts_with("--") && line.find("...") == std::string_view::npos && line != "reboot" &&
         line.find("PROGRAM") == std::string_view::npos && line.find("/path/to") == std::string_view::npos;
}

template <typename Use>
void for_each_line(std::string_view lines, const Use& use) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    use(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void append_remedy(std::string* out, const Remedy& remedy, bool as_command) {
  *out += fmt::format("\n# {}{}\n#   opens besides: {}\n#   must agree: {}\n",
                      as_command ? "" : "Or: ", remedy.what, remedy.opens, remedy.who);
  for_each_line(remedy.command, [&](std::string_view line) {
    *out += fmt::format("{}{}\n", as_command && runs_as_it_is(line) ? "" : "#   ", line);
  });
  for_each_line(remedy.pod, [&](std::string_view line) { *out += fmt::format("#   {}\n", line); });
}

}  // namespace

std::string as_script(const Surroundings& seen, const Diagnosis& diagnosis, const PrintOptions& options) {
  std::string out =
      "#!/bin/sh\n# What would open what is denied here. Nothing of it has been run: read it, then run what "
      "you agree "
      "with.\nset -eu\n";
  std::set<std::string_view> told;
  for (const Verdict& verdict : diagnosis.verdicts) {
    if (verdict.state != State::kDenied) continue;
    if (options.goal != nullptr && !holds(options.goal->capabilities, verdict.capability)) continue;
    out += fmt::format("\n# == {}: {}\n", words_for(verdict.capability).name, in_words(seen, verdict));
    bool first = true, any = false;
    for (const Remedy* remedy : verdict.remedies) {
      const bool is_new = told.insert(remedy->id).second;
      if (is_new) append_remedy(&out, *remedy, first);
      any = any || is_new;
      first = false;
    }
    if (!any && !verdict.remedies.empty()) out += "# as above\n";
    if (verdict.remedies.empty()) out += "# no command opens it; `sextant doctor` tells more\n";
  }
  if (told.empty()) out += "\n# nothing is denied here\n";
  return out;
}

}  // namespace sextant::doctor
