// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/opencl_loader.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

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
    const std::string path = list.substr(at, end - at) + "/" + kFile;
    if (end > at && list[at] == '/' && ::access(path.c_str(), R_OK) == 0) return path;
    at = end + 1;
  }
  return "";
}

/// The cache is a list of texts that end with NUL, paths among them; the first one is of this machine's kind.
std::string in_cache() {
  const std::string cache = contents("/etc/ld.so.cache");
  const std::string name = std::string("/") + kFile + '\0';
  const size_t found = cache.find(name);
  if (found == std::string::npos) return "";
  const size_t begin = cache.rfind('\0', found);
  return begin == std::string::npos ? "" : cache.substr(begin + 1, found + name.size() - begin - 2);
}

}  // namespace

OpenclLoader find_opencl_loader(const std::string& library_path) {
  OpenclLoader loader;
  loader.path = in_library_path(library_path);
  if (loader.path.empty()) loader.path = in_cache();
  // It reads this variable: one that has not its name in it knows no layers.
  if (!loader.path.empty())
    loader.takes_layers = contents(loader.path).find("OPENCL_LAYERS") != std::string::npos;
  return loader;
}

}  // namespace sextant::recording
