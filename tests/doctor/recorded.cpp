// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recorded.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace doctor_cases {

namespace {

namespace fs = std::filesystem;
using sextant::ErrorCode;
using sextant::fail;

constexpr int kDeepest = 8;

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path)) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

int error_number(const std::string& word) {
  static const std::map<std::string, int> kErrors = {{"ok", 0},          {"EPERM", EPERM},
                                                     {"EACCES", EACCES}, {"ENOSYS", ENOSYS},
                                                     {"ENOENT", ENOENT}, {"EMFILE", EMFILE}};
  const auto found = kErrors.find(word);
  return found == kErrors.end() ? EINVAL : found->second;
}

const char* perf_word(sextant::doctor::PerfUse use) {
  using enum sextant::doctor::PerfUse;
  return use == kOwn             ? "own"
         : use == kOwnWithKernel ? "kernel"
         : use == kSwitches      ? "switches"
         : use == kSystemWide    ? "system-wide"
                                 : "hardware";
}

std::vector<std::string> words(const nlohmann::json& array) {
  return array.is_array() ? array.get<std::vector<std::string>>() : std::vector<std::string>();
}

/// The members of an object; none where there is no such key.
template <typename Value>
std::map<std::string, Value> members(const nlohmann::json& json, const char* key) {
  return json.contains(key) ? json[key].get<std::map<std::string, Value>>() : std::map<std::string, Value>();
}

}  // namespace

sextant::Result<Recorded> Recorded::open(const std::string& cases, const std::string& name) {
  Recorded out;
  SEXTANT_TRY(out.add(cases, name, 0));
  return out;
}

sextant::Status Recorded::add(const std::string& cases, const std::string& name, int depth) {
  const auto text = read_file(cases + "/" + name + "/answers.json");
  if (!text || depth > kDeepest)
    return fail(ErrorCode::kNotFound, name + ": no answers.json, or like itself");
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object()) return fail(ErrorCode::kCorrupt, name + "/answers.json: no JSON object");
  roots_.push_back(cases + "/" + name + "/root");
  if (json.contains("like")) SEXTANT_TRY(add(cases, json["like"], depth + 1));
  // what it is like was read first: this case's own answers come on top
  case_.name = name;
  case_.what = json.value("what", "");
  case_.must = members<std::string>(json, "must");
  case_.goals = members<int>(json, "goals");
  for (const auto& [key, value] : members<std::string>(json, "variables")) variables_[key] = value;
  for (const auto& [key, value] : members<std::string>(json, "links")) links_[key] = value;
  for (const auto& [key, value] : members<std::string>(json, "perf")) perf_[key] = error_number(value);
  for (const auto& [key, value] : members<std::string>(json, "attach")) attach_[key] = error_number(value);
  for (const std::string& path : words(json.value("absent", nlohmann::json()))) absent_.insert(path);
  for (const std::string& path : words(json.value("unreadable", nlohmann::json()))) unreadable_.insert(path);
  for (const std::string& path : words(json.value("writable", nlohmann::json()))) writable_.insert(path);
  for (const std::string& path : words(json.value("unwritable", nlohmann::json()))) writable_.erase(path);
  current_folder_ = json.value("current_folder", current_folder_);
  agent_problem_ = json.value("agent_problem", agent_problem_);
  osrt_agent_problem_ = json.value("osrt_agent_problem", osrt_agent_problem_);
  for (const std::string& line : words(json.value("counters", nlohmann::json()))) counters_ += line + "\n";
  if (json.contains("nvml")) {
    nvml_.clear();
    for (const std::string& line : words(json["nvml"])) nvml_ += line + "\n";
  }
  return {};
}

/// The file that stands for `path`, "" where there is none.
std::string Recorded::file_of(const std::string& path) const {
  for (fs::path above = path; above.has_relative_path(); above = above.parent_path())
    if (absent_.count(above.string()) != 0) return "";
  for (const std::string& root : roots_)
    if (fs::exists(root + path)) return root + path;
  return "";
}

std::optional<std::string> Recorded::read(const std::string& path, size_t most) const {
  const std::string real = real_path(path).value_or(path);
  if (unreadable_.count(real) != 0) return std::nullopt;
  auto text = read_file(file_of(real));
  if (text && text->size() > most) text->resize(most);
  return text;
}

std::vector<std::string> Recorded::list(const std::string& folder) const {
  std::set<std::string> names;
  if (unreadable_.count(folder) != 0) return {};
  for (const std::string& root : roots_) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root + folder, error))
      if (!file_of(folder + "/" + entry.path().filename().string()).empty())
        names.insert(entry.path().filename().string());
  }
  for (const auto& [path, target] : links_)
    if (fs::path(path).parent_path() == folder) names.insert(fs::path(path).filename().string());
  return {names.begin(), names.end()};
}

bool Recorded::exists(const std::string& path) const {
  return real_path(path).has_value();
}

bool Recorded::may(const std::string& path, sextant::doctor::Access access) const {
  if (access == sextant::doctor::Access::kWrite) return writable_.count(path) != 0;
  return exists(path) && unreadable_.count(path) == 0;
}

std::optional<std::string> Recorded::link(const std::string& path) const {
  const auto found = links_.find(path);
  return found == links_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> Recorded::real_path(const std::string& path) const {
  const auto target = link(path);
  if (target) return file_of(*target).empty() ? std::nullopt : target;
  return file_of(path).empty() && writable_.count(path) == 0 ? std::nullopt : std::optional(path);
}

std::optional<std::string> Recorded::variable(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
}

int Recorded::try_perf(sextant::doctor::PerfUse use) const {
  const auto found = perf_.find(perf_word(use));
  return found == perf_.end() ? ENOSYS : found->second;
}

int Recorded::try_attach(sextant::doctor::AttachUse use) const {
  const auto found = attach_.find(use == sextant::doctor::AttachUse::kPtrace ? "ptrace" : "read-memory");
  return found == attach_.end() ? ENOSYS : found->second;
}

}  // namespace doctor_cases
