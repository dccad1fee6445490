// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Names for addresses.
#include <fmt/format.h>

#include "doctor/checks/all.h"

namespace sextant::doctor {

namespace {

constexpr Remedy kRemedies[] = {
    {"kptr-restrict", kAnywhere, "Let every user see kernel addresses", "sysctl -w kernel.kptr_restrict=0",
     "where the kernel lies in memory, to every user of the machine", "the machine's administrator", ""},
};

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  Verdict verdict = allow(Capability::kSymbols, "symbols are read from the programs' own files");
  const bool separate = !seen.environment.list("/usr/lib/debug/.build-id").empty();
  if (!separate)
    verdict.notes.emplace_back(
        "no separate debug files under /usr/lib/debug: functions of stripped libraries will have no names");
  if (seen.environment.variable("DEBUGINFOD_URLS"))
    verdict.notes.emplace_back("DEBUGINFOD_URLS is set; Sextant asks no server");
  // the kernel shows zeros instead of addresses to who may not see them
  const auto first = words_of(seen.environment.read("/proc/kallsyms", 256).value_or(""));
  if (first.empty() || first[0].find_first_not_of('0') == std::string::npos) {
    verdict.notes.emplace_back("names of kernel functions are hidden (kernel.kptr_restrict, CAP_SYSLOG)");
    offer(&verdict, seen, kRemedies, {"kptr-restrict"});
  }
  diagnosis->verdicts.push_back(std::move(verdict));
}

}  // namespace

const Check kSymbolsCheck = {
    "symbols", "/usr/lib/debug/.build-id; the first line of /proc/kallsyms; DEBUGINFOD_URLS",
    "Allowed: a program's own file is enough. Says which names will be missing", kRemedies, run};

}  // namespace sextant::doctor
