// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/seccomp_profile.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sextant::doctor {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCall = "perf_event_open";
constexpr size_t kMostBytes = 4 << 20;
constexpr int kMostDepth = 64;  // of values within values; the library copies and prints them by recursion

/// Discarded where it is no JSON, or too deep for a profile.
Json parse_shallow(const std::string& json) {
  bool too_deep = false;
  Json parsed = Json::parse(
      json,
      [&](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kMostDepth;
        return !too_deep;  // what is too deep is not kept
      },
      false);
  return too_deep ? Json(Json::value_t::discarded) : std::move(parsed);
}

bool names_call(const Json& rule) {
  const auto names = rule.find("names");
  return names != rule.end() && names->is_array() &&
         std::find(names->begin(), names->end(), kCall) != names->end();
}

bool is_empty(const Json& rule, const char* key) {
  const auto value = rule.find(key);
  return value == rule.end() || value->is_null() || value->empty();
}

bool allows_always(const Json& rule) {
  return rule.value("action", "") == "SCMP_ACT_ALLOW" && is_empty(rule, "args") &&
         is_empty(rule, "includes") && is_empty(rule, "excludes");
}

}  // namespace

Result<std::string> find_seccomp_profile(const Environment& environment) {
  // podman and CRI-O: the administrator's before the package's
  for (const char* path : {"/etc/containers/seccomp.json", "/usr/share/containers/seccomp.json"})
    if (environment.may(path, Access::kRead)) return std::string(path);
  return fail(ErrorCode::kNotFound,
              "no runtime of this machine has its seccomp profile as a file (podman's would be "
              "/usr/share/containers/seccomp.json; Docker's is inside of the program): name one with --from");
}

Result<std::string> with_perf_event_open(const std::string& json, const std::string& name) {
  if (json.size() >= kMostBytes) return fail(ErrorCode::kCorrupt, name + ": too large for a seccomp profile");
  Json profile = parse_shallow(json);
  if (profile.is_discarded()) return fail(ErrorCode::kCorrupt, name + ": no JSON, or nested too deeply");
  if (!profile.is_object() || !profile["defaultAction"].is_string() || !profile["syscalls"].is_array())
    return fail(ErrorCode::kCorrupt, name + ": no seccomp profile: it lacks defaultAction and syscalls");
  Json kept = Json::array();
  for (Json& rule : profile["syscalls"]) {
    if (!rule.is_object()) return fail(ErrorCode::kCorrupt, name + ": a rule is no object");
    if (names_call(rule)) {
      if (rule.contains("action") && !rule["action"].is_string())
        return fail(ErrorCode::kCorrupt, name + ": an action is no text");
      if (allows_always(rule))
        return fail(ErrorCode::kUsage, name + " allows perf_event_open already: use it as it is");
      Json& names = rule["names"];
      names.erase(std::remove(names.begin(), names.end(), kCall), names.end());
      if (names.empty()) continue;
    }
    kept.push_back(std::move(rule));
  }
  kept.push_back(Json{{"names", Json::array({kCall})},
                      {"action", "SCMP_ACT_ALLOW"},
                      {"args", Json::array()},
                      {"comment", "CPU sampling; the kernel's perf_event_paranoid still applies"},
                      {"includes", Json::object()},
                      {"excludes", Json::object()}});
  profile["syscalls"] = std::move(kept);
  return profile.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sextant::doctor
