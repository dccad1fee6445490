// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/opencl_loader.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/libraries.h"
#include "spool/opencl.h"

namespace sextant::recording {

namespace {

constexpr const char* kFile = "libOpenCL.so.1";
constexpr size_t kMostBytes = 16u << 20;

/// "" where it cannot be read or is larger than such files are.
std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  if (!file) return bytes;
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  if (size <= 0 || static_cast<size_t>(size) > kMostBytes) return bytes;
  file.seekg(0);
  bytes.resize(static_cast<size_t>(size));
  file.read(bytes.data(), size);
  bytes.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

std::string in_library_path(const std::string& list) {
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find_first_of(":;", at), list.size());
    std::string path = list.substr(at, end - at) + "/" + kFile;
    if (end > at && list[at] == '/' && ::access(path.c_str(), R_OK) == 0) return path;
    at = end + 1;
  }
  return "";
}

}  // namespace

OpenclLoader find_opencl_loader(const std::string& library_path) {
  OpenclLoader loader;
  loader.path = in_library_path(library_path);
  if (loader.path.empty()) {
    const auto cached = base::paths_in_cache(contents("/etc/ld.so.cache"), kFile);
    if (!cached.empty()) loader.path = cached.front();
  }
  loader.takes_layers = !loader.path.empty() && base::takes_opencl_layers(contents(loader.path));
  return loader;
}

Result<std::string> find_opencl_exports(const std::string& agent) {
  const std::string path = agent.substr(0, agent.rfind('/') + 1) + spool::kOpenclExports;
  if (::access(path.c_str(), R_OK) == 0) return path;
  return fail(ErrorCode::kNotFound, path + " is not there");
}

}  // namespace sextant::recording
