// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/libraries.h"

#include <algorithm>
#include <charconv>

#include "base/libraries.h"

namespace sextant::doctor {

namespace {

constexpr size_t kMostCache = 4 << 20;

/// The absolute folders of a list.
std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> folders;
  while (!list.empty()) {
    const size_t colon = std::min(list.find(':'), list.size());
    if (list[0] == '/') folders.emplace_back(list.substr(0, colon));
    list.remove_prefix(std::min(colon + 1, list.size()));
  }
  return folders;
}

void add_from_folder(const Environment& environment, const std::string& folder, std::string_view name,
                     std::vector<std::string>* out) {
  for (const std::string& entry : environment.list(folder))
    if (entry == name || (entry.starts_with(name) && entry[name.size()] == '.'))
      out->push_back(std::string(folder).append("/").append(entry));
}

std::vector<std::string> toolkit_folders(const Environment& environment) {
  std::vector<std::string> folders;
  for (const std::string& entry : environment.list("/usr/local"))
    if (entry.starts_with("cuda"))
      for (const char* below : {"/lib64", "/extras/CUPTI/lib64", "/targets/x86_64-linux/lib"})
        folders.push_back("/usr/local/" + entry + below);
  for (const std::string& entry : environment.list("/opt/nvidia/nsight-systems"))
    folders.push_back("/opt/nvidia/nsight-systems/" + entry + "/target-linux-x64");
  return folders;
}

}  // namespace

std::string absolute_only(std::string_view list) {
  std::string out;
  for (const std::string& folder : split(list)) out += (out.empty() ? "" : ":") + folder;
  return out;
}

std::vector<std::string> find_libraries(const Environment& environment, std::string_view name) {
  std::vector<std::string> candidates;
  for (const std::string& folder : split(environment.variable("LD_LIBRARY_PATH").value_or("")))
    add_from_folder(environment, folder, name, &candidates);
  const std::string cache = environment.read("/etc/ld.so.cache", kMostCache).value_or("");
  for (std::string& path : base::paths_in_cache(cache, name)) candidates.push_back(std::move(path));
  for (const std::string& folder :
       {std::string("/usr/lib/" + environment.architecture() + "-linux-gnu"), std::string("/usr/lib64"),
        std::string("/usr/lib"), std::string("/usr/local/lib"), std::string("/usr/local/nvidia/lib64"),
        std::string("/usr/lib/wsl/lib")})
    add_from_folder(environment, folder, name, &candidates);
  for (const std::string& folder : toolkit_folders(environment))
    add_from_folder(environment, folder, name, &candidates);
  std::vector<std::string> found, files;
  for (std::string& path : candidates) {
    auto file = environment.real_path(path);
    if (!file || std::find(files.begin(), files.end(), *file) != files.end()) continue;
    files.push_back(std::move(*file));
    found.push_back(std::move(path));
  }
  return found;
}

std::vector<std::string> find_programs(const Environment& environment, std::string_view name) {
  std::vector<std::string> found, files;
  for (const std::string& folder : split(environment.variable("PATH").value_or(""))) {
    std::string path = folder + "/" + std::string(name);
    auto file = environment.real_path(path);
    if (!file || !environment.may(path, Access::kExecute) ||
        std::find(files.begin(), files.end(), *file) != files.end())
      continue;
    files.push_back(std::move(*file));
    found.push_back(std::move(path));
  }
  return found;
}

std::string library_version(const Environment& environment, const std::string& path) {
  const std::string file = environment.real_path(path).value_or(path);
  std::string best;
  for (const std::string& name : {file, path}) {
    const size_t so = name.rfind(".so.");
    if (so != std::string::npos && name.size() - so - 4 > best.size()) best = name.substr(so + 4);
  }
  return best.find_first_not_of("0123456789.") == std::string::npos ? best : "";
}

int cuda_release(const std::string& version) {
  int value = 0;
  std::from_chars(version.data(), version.data() + version.size(), value);
  // 2024.3.1 is the way in which CUDA 12 numbers the file itself: 2020 to 2022.3 belong to 11
  if (value >= 2000)
    return value >= 2025 && version > "2025.3" ? 13 : value >= 2023 || version >= "2022.4" ? 12 : 11;
  return value;
}

}  // namespace sextant::doctor
