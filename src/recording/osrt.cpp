// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/osrt.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "event/osrt_functions.h"
#include "recording/agent_version.h"

namespace sextant::recording {

namespace {

constexpr const char* kAgentFile = "libsextant-agent-osrt.so";
constexpr useconds_t kCalibration = 10'000;

std::string list_of_families() {
  std::string list;
  for (int family = 1; !event::family_name(static_cast<event::OsrtFamily>(family)).empty(); ++family)
    list += fmt::format("{}{}", list.empty() ? "" : ", ",
                        event::family_name(static_cast<event::OsrtFamily>(family)));
  return list;
}

}  // namespace

Result<std::string> find_osrt_agent(const std::string& agent) {
  const std::string path = agent.substr(0, agent.rfind('/') + 1) + kAgentFile;
  if (::access(path.c_str(), R_OK) == 0) {
    SEXTANT_TRY(check_agent_version(path));
    return path;
  }
  return fail(ErrorCode::kNotFound,
              path + " is not there: -t osrt needs it; record without (-t nvtx), or install Sextant whole");
}

Result<std::array<uint8_t, spool::kOsrtBitmapBytes>> excluded_functions(const std::string& list) {
  std::array<uint8_t, spool::kOsrtBitmapBytes> bits{};
  const auto functions = event::osrt_functions();
  for (size_t at = 0; at < list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    const std::string_view word = std::string_view(list).substr(at, comma - at);
    at = comma + 1;
    bool any = word.empty();
    for (size_t i = 0; i < functions.size(); ++i) {
      const event::OsrtFunction& f = functions[i];
      if (word != f.name && word != f.symbol && word != event::family_name(f.family)) continue;
      bits[i / 8] |= static_cast<uint8_t>(1u << (i % 8));
      any = true;
    }
    if (!any)
      return fail(ErrorCode::kUsage,
                  fmt::format("--osrt-exclude {}: neither a function that is recorded nor a family ({})",
                              word, list_of_families()));
  }
  return bits;
}

uint64_t stamps_of(uint64_t ns, base::ClockKind clock) {
  if (ns == 0 || clock == base::ClockKind::kMonotonic) return ns;
  const base::ClockSync first = base::take_clock_sync(clock);
  ::usleep(kCalibration);
  const base::ClockSync second = base::take_clock_sync(clock);
  const auto elapsed = static_cast<double>(second.monotonic_ns - first.monotonic_ns);
  return static_cast<uint64_t>(static_cast<double>(ns) * static_cast<double>(second.raw - first.raw) /
                               elapsed);
}

}  // namespace sextant::recording
