// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Where this is: machine, container, scheduler; what of it goes away by itself.
#include <fmt/format.h>

#include "doctor/checks/all.h"

namespace sextant::doctor {

namespace {

std::string first_line(std::string text) {
  text.resize(std::min(text.find('\n'), text.size()));
  return text;
}

std::string system_of(const Environment& environment) {
  const std::string release = environment.read("/etc/os-release", 8192).value_or("");
  std::string name;
  if (const size_t at = ("\n" + release).find("\nPRETTY_NAME="); at != std::string::npos)
    name = first_line(release.substr(at + std::string_view("PRETTY_NAME=").size()));
  std::erase(name, '"');
  const auto words = words_of(environment.read("/proc/version", 1024).value_or(""));
  const std::string kernel = words.size() > 2 ? words[2] : "?";
  return fmt::format("Linux {}{}{}, {}", kernel, name.empty() ? "" : ", ", name, environment.architecture());
}

std::string place_words(const Surroundings& seen) {
  std::string words;
  switch (seen.place) {
    case kDocker:
      words = "a Docker container";
      break;
    case kPodman:
      words = "a podman container";
      break;
    case kKubernetes:
      words = "a pod of Kubernetes";
      break;
    case kEnroot:
      words = "an Enroot container";
      break;
    case kOtherContainer:
      words = "a container";
      break;
    default:
      words = "no container";
  }
  if (seen.wsl) words += ", WSL2";
  if (seen.slurm) words += ", a Slurm job";
  if (seen.colab) words += ", a notebook like Colab's";
  if (!seen.hypervisor.empty()) words += fmt::format(", a virtual machine ({})", seen.hypervisor);
  return words;
}

/// Pod Security's level cannot be asked from inside; what the container got tells which one it fits.
std::string pod_security(const Rights& rights) {
  constexpr uint64_t kAllCapabilities = 0x1ffffffff;  // the first 33: what every kernel since 2009 has
  if ((rights.bounding & kAllCapabilities) == kAllCapabilities) return "privileged (all capabilities)";
  if (rights.user != 0 && rights.no_new_privileges && rights.seccomp == 2 && rights.bounding == 0)
    return "restricted (no capabilities, a seccomp filter, no root)";
  constexpr uint64_t kBeyondBaseline =
      1ull << kCapSysAdmin | 1ull << kCapSysPtrace | 1ull << kCapPerfmon | 1ull << kCapSyslog;
  if ((rights.bounding & kBeyondBaseline) != 0)
    return "privileged (capabilities that baseline does not admit)";
  return "baseline or restricted (no capability beyond the usual ones)";
}

std::string lifetime(const Mount& mount) {
  if (mount.type == "tmpfs") return "in memory: it counts against the memory limit, and goes away";
  if (mount.root.find("kubernetes.io~empty-dir") != std::string::npos)
    return "an emptyDir: it goes away with the pod";
  if (mount.type == "overlay") return "the container's own layer: it goes away with the container";
  return "";
}

void add_places(const Surroundings& seen, Diagnosis* diagnosis) {
  const std::vector<Mount> all = mounts(seen.environment);
  const std::string here = seen.environment.current_folder();
  for (const auto& [name, path] :
       {std::pair<std::string, std::string>{"/tmp", "/tmp"}, {"current folder", here}}) {
    const Mount* mount = mount_of(all, path);
    if (mount == nullptr) continue;
    const std::string words = lifetime(*mount);
    if (words.empty() || (!seen.in_container() && mount->type != "tmpfs")) continue;
    diagnosis->facts.push_back({"where", name, words});
  }
}

std::string rights_words(const Rights& rights) {
  std::string words = rights.user == 0 ? "root" : fmt::format("user {}", rights.user);
  if (!rights.first_user_namespace) words += " in a user namespace of its own";
  std::string capabilities;
  for (const auto& [number, name] : {std::pair{kCapSysAdmin, "CAP_SYS_ADMIN"},
                                     {kCapPerfmon, "CAP_PERFMON"},
                                     {kCapSysPtrace, "CAP_SYS_PTRACE"},
                                     {kCapSyslog, "CAP_SYSLOG"}})
    if ((rights.effective >> number & 1) != 0)
      capabilities += fmt::format("{}{}", capabilities.empty() ? "" : ", ", name);
  return words + ", " + (capabilities.empty() ? "none of the capabilities that matter" : capabilities);
}

void run(const Surroundings& seen, Diagnosis* diagnosis) {
  const auto add = [&](const char* topic, const char* name, std::string value) {
    diagnosis->facts.push_back({topic, name, std::move(value)});
  };
  add("where", "system", system_of(seen.environment));
  add("where", "place", place_words(seen));
  if (seen.place == kKubernetes) {
    add("where", "Pod Security", "fits " + pod_security(seen.rights));
    add("where", "grace period",
        "not to be seen from inside; 30 s unless the pod says otherwise, then SIGKILL");
  }
  add_places(seen, diagnosis);
  add("rights", "this process", rights_words(seen.rights));
  add("rights", "seccomp",
      seen.rights.seccomp == 2   ? "a filter"
      : seen.rights.seccomp == 1 ? "strict"
                                 : "none");
}

}  // namespace

const Check kWhereCheck = {
    "where",
    "/proc/version, /etc/os-release, /proc/cpuinfo, /sys/class/dmi/id/product_name; /proc/self/cgroup, "
    "mountinfo, status and "
    "uid_map; /.dockerenv, /run/.containerenv; variables of Kubernetes, Enroot, Slurm and Colab",
    "Host, virtual machine, container and of which kind, Slurm job, WSL2; which Pod Security level it fits; "
    "what lies in "
    "memory or goes away with the container",
    {},
    run};

}  // namespace sextant::doctor
