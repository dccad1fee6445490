// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "spool/run_places.h"

#include <algorithm>
#include <cstdlib>

namespace sextant::spool {

namespace {

constexpr size_t kIdBytes = 6;  // of the run's id, in a name

std::string hex_text(std::span<const uint8_t> bytes) {
  std::string out;
  for (const uint8_t byte : bytes) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

/// In a shared folder the name must be nobody else's.
std::string shared_name(const std::string& place, const std::string& report_path,
                        std::span<const uint8_t> run_id) {
  return place + "/" + base_name(report_path) + "." +
         hex_text(run_id.first(std::min(run_id.size(), kIdBytes))) + kRunSuffix;
}

}  // namespace

std::string base_name(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::vector<std::string> candidate_folders(const std::string& report_path, std::span<const uint8_t> run_id) {
  std::vector<std::string> out = {report_path + kRunSuffix};
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') out.push_back(shared_name(runtime, report_path, run_id));
  for (const char* place : {"/tmp", "/dev/shm"}) out.push_back(shared_name(place, report_path, run_id));
  return out;
}

}  // namespace sextant::spool
