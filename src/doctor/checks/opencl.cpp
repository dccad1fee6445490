// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// OpenCL: a loader that takes layers, and something behind it.
#include <fmt/format.h>

#include "base/libraries.h"
#include "doctor/checks/all.h"
#include "doctor/libraries.h"

namespace sextant::doctor {

namespace {

constexpr size_t kMostLoader = 8 << 20;

constexpr Remedy kRemedies[] = {
    {"opencl-loader", kAnywhere, "Install a loader that takes layers (2.3 or later)",
     "apt-get install ocl-icd-libopencl1", "nothing", "the machine's administrator, or the image's author",
     ""},
};

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  const Environment& environment = seen.environment;
  std::string with_layers, without;
  for (const std::string& path : find_libraries(environment, "libOpenCL.so")) {
    const auto file = environment.read(path, kMostLoader);
    if (!file) continue;
    const bool layers = base::takes_opencl_layers(*file);
    diagnosis->facts.push_back(
        {"opencl", "OpenCL loader", path + (layers ? ", takes layers" : ", takes no layers")});
    (layers ? with_layers : without) = path;
  }
  std::string devices;
  for (const std::string& name : environment.list("/etc/OpenCL/vendors"))
    devices += (devices.empty() ? "" : ", ") + name;
  if (!devices.empty()) diagnosis->facts.push_back({"opencl", "OpenCL implementations", devices});
  if (!with_layers.empty() && !devices.empty()) {
    diagnosis->verdicts.push_back(
        allow(Capability::kOpencl, "a loader that takes layers is there; no right is needed"));
  } else if (!with_layers.empty()) {
    diagnosis->verdicts.push_back(
        not_here(Capability::kOpencl, "a loader is there, but no implementation (/etc/OpenCL/vendors)"));
  } else if (!without.empty()) {
    Verdict verdict =
        allow(Capability::kOpencl, "a loader is there, which takes no layers; no right is needed");
    verdict.notes.emplace_back(
        "the loader takes no layers: what is linked to it is recorded, programs that open it themselves "
        "(dlopen) are not; one that takes layers (ocl-icd 2.3 or later) would do");
    offer(&verdict, seen, kRemedies, {"opencl-loader"});
    diagnosis->verdicts.push_back(std::move(verdict));
  } else {
    diagnosis->verdicts.push_back(not_here(Capability::kOpencl, "no OpenCL loader (libOpenCL.so)"));
  }
}

}  // namespace

const Check kOpenclCheck = {
    "opencl", "copies of libOpenCL.so, and whether the name OPENCL_LAYERS is in them; /etc/OpenCL/vendors",
    "Allowed with a loader that takes layers and an implementation behind it, or with one that takes none "
    "for "
    "what is linked to it: no right is needed",
    kRemedies, run};

}  // namespace sextant::doctor
