// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// The clock of events.
#include "doctor/checks/all.h"

namespace sextant::doctor {

namespace {

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  const Environment& environment = seen.environment;
  const std::string source = trimmed(
      environment.read("/sys/devices/system/clocksource/clocksource0/current_clocksource", 64).value_or(""));
  diagnosis->facts.push_back({"clock", "clock source", source.empty() ? "not to be seen" : source});
  if (environment.architecture() != "x86_64") return;
  const auto line = line_value(environment.read("/proc/cpuinfo", 8192).value_or(""), "flags");
  if (!line) {
    diagnosis->facts.push_back({"clock", "time stamp counter", "not to be seen"});
    return;
  }
  const std::string flags = " " + *line + " ";
  const bool invariant =
      flags.find(" constant_tsc ") != std::string::npos && flags.find(" nonstop_tsc ") != std::string::npos;
  std::string value = invariant ? "invariant" : "not invariant";
  if (invariant && source != "tsc")
    value +=
        ", but the kernel does not use it: events are stamped by clock_gettime, at about 3 times the cost";
  if (!invariant) value += ": events are stamped by clock_gettime, at about 3 times the cost";
  diagnosis->facts.push_back({"clock", "time stamp counter", value});
}

}  // namespace

const Check kClockCheck = {
    "clock",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource; flags of /proc/cpuinfo",
    "Whether events are stamped by the processor's counter or by the kernel's clock, which costs more",
    {},
    run};

}  // namespace sextant::doctor
