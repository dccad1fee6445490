// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/surroundings.h"

#include <algorithm>
#include <charconv>

#include "doctor/libraries.h"

namespace sextant::doctor {

namespace {

constexpr size_t kMostProcesses = 4096;  // a look at more would take longer than the rest

std::optional<int> read_number(const Environment& environment, const std::string& path) {
  const auto text = environment.read(path, 64);
  int value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc())
    return std::nullopt;
  return value;
}

uint64_t number(std::string_view text, int base) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

Rights rights_of(const Environment& environment) {
  Rights rights;
  const std::string status = environment.read("/proc/self/status").value_or("");
  if (const auto ids = line_value(status, "Uid")) {
    const auto words = words_of(*ids);  // real, effective, saved, file system
    if (words.size() > 1) rights.user = static_cast<uint32_t>(number(words[1], 10));
  }
  rights.effective = number(line_value(status, "CapEff").value_or("0"), 16);
  rights.bounding = number(line_value(status, "CapBnd").value_or("0"), 16);
  rights.no_new_privileges = line_value(status, "NoNewPrivs") == "1";
  rights.seccomp = static_cast<int>(number(line_value(status, "Seccomp").value_or("0"), 10));
  const auto map = words_of(environment.read("/proc/self/uid_map").value_or(""));
  rights.first_user_namespace =
      map.empty() || (map.size() == 3 && map[0] == "0" && map[1] == "0" && map[2] == "4294967295");
  rights.paranoid = read_number(environment, "/proc/sys/kernel/perf_event_paranoid");
  rights.yama = read_number(environment, "/proc/sys/kernel/yama/ptrace_scope");
  return rights;
}

bool any_line_has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A virtual machine that was made from a container's image has its marks, too.
bool image_as_machine(const Environment& environment) {
  const std::vector<Mount> all = mounts(environment);
  const Mount* root = mount_of(all, "/");
  return root != nullptr && root->type != "overlay" && environment.read("/proc/2/comm", 64) == "kthreadd\n";
}

Place place_of(const Environment& environment) {
  const std::string groups = environment.read("/proc/self/cgroup").value_or("");
  const std::string mount_table = environment.read("/proc/self/mountinfo").value_or("");
  if (environment.variable("KUBERNETES_SERVICE_HOST") ||
      environment.exists("/var/run/secrets/kubernetes.io/serviceaccount") ||
      any_line_has(groups, "kubepods") || any_line_has(mount_table, "/kubelet/pods/"))
    return kKubernetes;
  if (environment.variable("ENROOT_ROOTFS") || environment.exists("/etc/enroot") ||
      any_line_has(mount_table, "/enroot/"))
    return kEnroot;
  if (image_as_machine(environment)) return kHost;
  const std::string container = environment.variable("container").value_or("");
  if (environment.exists("/run/.containerenv") || container == "podman" || any_line_has(groups, "libpod"))
    return kPodman;
  if (environment.exists("/.dockerenv") || any_line_has(groups, "/docker")) return kDocker;
  if (!container.empty() || any_line_has(groups, "containerd") || any_line_has(groups, "lxc"))
    return kOtherContainer;
  return kHost;
}

std::string hypervisor_of(const Environment& environment) {
  const std::string processor = environment.read("/proc/cpuinfo", 8192).value_or("");
  const auto flags = line_value(processor, "flags");
  if (!flags || (" " + *flags + " ").find(" hypervisor ") == std::string::npos) return "";
  std::string product = environment.read("/sys/class/dmi/id/product_name", 256).value_or("");
  while (!product.empty() && (product.back() == '\n' || product.back() == ' ')) product.pop_back();
  return product.empty() ? "of unknown make" : product;
}

void look_at_driver(Surroundings* seen) {
  const Environment& environment = seen->environment;
  const auto version = environment.read("/proc/driver/nvidia/version", 4096);
  seen->driver = version.has_value() || (seen->wsl && environment.exists("/dev/dxg"));
  if (!seen->driver) return;
  if (version)  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  date"
    for (const std::string& word : words_of(*version))
      if (seen->driver_version.empty() && word.find('.') != std::string::npos &&
          word.find_first_not_of("0123456789.") == std::string::npos)
        seen->driver_version = word;
  const std::string parameters = environment.read("/proc/driver/nvidia/params").value_or("");
  if (const auto value = line_value(parameters, "RmProfilingAdminOnly"))
    seen->admin_only = static_cast<int>(number(*value, 10));
  ProbeAnswer answer = parse_probe_answer(environment.ask_nvml());
  seen->nvml_problem = answer.problem;
  seen->gpus = std::move(answer.gpus);
  if (!answer.driver.empty()) seen->driver_version = answer.driver;
  if (!seen->gpus.empty()) return;
  for (const std::string& slot : environment.list("/proc/driver/nvidia/gpus")) {
    const auto text = environment.read("/proc/driver/nvidia/gpus/" + slot + "/information", 4096);
    Gpu gpu;
    gpu.name = line_value(text.value_or(""), "Model").value_or("a GPU");
    gpu.generation = generation_of_product(gpu.name);
    gpu.geforce = gpu.name.find("GeForce") != std::string::npos;
    seen->gpus.push_back(std::move(gpu));
  }
}

void look_at_processes(Surroundings* seen) {
  size_t looked = 0;
  for (const std::string& entry : seen->environment.list("/proc")) {
    if (entry.find_first_not_of("0123456789") != std::string::npos) continue;
    if (++looked > kMostProcesses) {
      seen->all_processes = false;
      return;
    }
    auto name = seen->environment.read("/proc/" + entry + "/comm", 64);
    if (!name) continue;
    while (!name->empty() && name->back() == '\n') name->pop_back();
    seen->processes.push_back({number(entry, 10), std::move(*name), {}});
  }
}

/// The newest libcupti: metrics over time came with CUDA 12.6.
std::string newest_cupti(const Environment& environment) {
  std::string newest;
  std::pair<int, std::string> best;
  for (const std::string& path : find_libraries(environment, "libcupti.so")) {
    const std::string version = library_version(environment, path);
    std::pair<int, std::string> other{cuda_release(version), version};
    if (!newest.empty() && other <= best) continue;
    newest = path;
    best = std::move(other);
  }
  return newest;
}

void try_counters(Surroundings* seen) {
  seen->counters_tried = true;
  const std::string cupti = newest_cupti(seen->environment);
  const std::string text = cupti.empty() ? "problem no libcupti.so; LD_LIBRARY_PATH may name its folder\n"
                                         : seen->environment.try_counters(cupti);
  seen->counters_problem = line_value(text, "problem").value_or("");
  for (size_t at = text.find("counters "); at != std::string::npos; at = text.find("counters ", at + 1)) {
    const auto words = words_of(std::string_view(text).substr(at, text.find('\n', at) - at));
    if (words.size() == 3) seen->counters_results.push_back(static_cast<int>(number(words[2], 10)));
  }
}

}  // namespace

std::optional<std::string> line_value(std::string_view text, std::string_view name) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(name) || line.size() == name.size()) continue;
    line.remove_prefix(name.size());
    if (line[0] != ':' && line[0] != ' ' && line[0] != '\t') continue;
    const size_t first = line.find_first_not_of(": \t");
    if (first == std::string_view::npos) return "";
    return std::string(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
  }
  return std::nullopt;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = text.find_first_not_of(" \t\n"); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(" \t\n", end);
  }
  return words;
}

std::vector<Mount> mounts(const Environment& environment) {
  std::vector<Mount> all;
  const std::string table = environment.read("/proc/self/mountinfo").value_or("");
  for (size_t at = 0; at < table.size();) {
    const size_t end = std::min(table.find('\n', at), table.size());
    const auto words = words_of(std::string_view(table).substr(at, end - at));
    at = end + 1;
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || dash == words.end() || dash + 1 == words.end()) continue;
    all.push_back({words[3], words[4], *(dash + 1)});
  }
  return all;
}

const Mount* mount_of(const std::vector<Mount>& all, std::string_view path) {
  const Mount* best = nullptr;
  for (const Mount& mount : all) {
    const std::string_view target = mount.target;
    const bool holds =
        target == "/" || path == target ||
        (path.starts_with(target) && path.size() > target.size() && path[target.size()] == '/');
    if (holds && (best == nullptr || target.size() >= best->target.size())) best = &mount;
  }
  return best;
}

Surroundings look_around(const Environment& environment, bool probe) {
  Surroundings seen{.environment = environment};
  seen.rights = rights_of(environment);
  seen.place = place_of(environment);
  const std::string kernel = environment.read("/proc/version", 1024).value_or("");
  seen.wsl = any_line_has(kernel, "icrosoft") && environment.exists("/dev/dxg");
  seen.slurm = environment.variable("SLURM_JOB_ID").has_value();
  seen.colab = environment.variable("COLAB_RELEASE_TAG") || environment.variable("COLAB_GPU");
  seen.hypervisor = hypervisor_of(environment);
  look_at_processes(&seen);
  look_at_driver(&seen);
  seen.mps = environment.variable("CUDA_MPS_PIPE_DIRECTORY").has_value();
  for (const Process& process : seen.processes)
    if (process.name.starts_with("nvidia-cuda-mps")) seen.mps = true;
  if (probe && seen.driver) try_counters(&seen);
  return seen;
}

}  // namespace sextant::doctor
