// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Profilers and their libraries that are installed.
#include <fmt/format.h>

#include "doctor/checks/all.h"
#include "doctor/libraries.h"

namespace sextant::doctor {

namespace {

/// "2024.5.1" out of a path such as /opt/nvidia/nsight-systems/2024.5.1/bin/nsys.
std::string version_in(const std::string& path) {
  for (size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    const std::string part = path.substr(at + 1, path.find('/', at + 1) - at - 1);
    const size_t digits = part.find_first_of("0123456789");
    if (digits == std::string::npos) continue;
    std::string tail = part.substr(digits);
    if (tail.find('.') != std::string::npos && tail.find_first_not_of("0123456789.") == std::string::npos)
      return tail;
  }
  return "";
}

void add_programs(const Environment& environment, const char* name, Diagnosis* diagnosis) {
  bool first = true;
  for (const std::string& path : find_programs(environment, name)) {
    const std::string version = version_in(environment.real_path(path).value_or(path));
    diagnosis->facts.push_back({"tools", name,
                                fmt::format("{}{}{}", path, version.empty() ? "" : ", version " + version,
                                            first ? "" : ", hidden by the one before it on PATH")});
    first = false;
  }
  for (const std::string& folder : {std::string("nsight-systems"), std::string("nsight-compute")}) {
    if ((folder == "nsight-systems") != (std::string_view(name) == "nsys") || !first) continue;
    for (const std::string& entry : environment.list("/opt/nvidia/" + folder))
      diagnosis->facts.push_back(
          {"tools", name, fmt::format("/opt/nvidia/{}/{}, not on PATH", folder, entry)});
  }
}

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  const Environment& environment = seen.environment;
  for (const char* name : {"nsys", "ncu", "dcgmi", "nvidia-smi"}) add_programs(environment, name, diagnosis);
  for (const char* name : {"libcupti.so", "libdcgm.so"})
    for (const std::string& path : find_libraries(environment, name)) {
      const std::string version = library_version(environment, path);
      diagnosis->facts.push_back({"tools", std::string(name).substr(0, std::string(name).size() - 3),
                                  version.empty() ? path : fmt::format("{}, version {}", path, version)});
    }
}

}  // namespace

const Check kToolsCheck = {
    "tools",
    "PATH for nsys, ncu, dcgmi and nvidia-smi; /opt/nvidia; LD_LIBRARY_PATH, the loader's cache and folders, "
    "and CUDA "
    "toolkits for libcupti and libdcgm. Nothing of them is run",
    "Which copies there are, of which version by their paths, and which one is found first",
    {},
    run};

}  // namespace sextant::doctor
