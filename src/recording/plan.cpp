// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/plan.h"

#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/clock.h"
#include "collector/redact.h"
#include "collector/untraced_text.h"
#include "recording/agent_version.h"
#include "recording/environment.h"
#include "text/log.h"

namespace sextant::recording {

namespace {

std::array<uint8_t, 16> new_run_id() {
  std::array<uint8_t, 16> id{};
  if (::getrandom(id.data(), id.size(), 0) != static_cast<ssize_t>(id.size())) {
    uint64_t seed[2] = {base::clock_ns(CLOCK_REALTIME), static_cast<uint64_t>(::getpid())};
    std::memcpy(id.data(), seed, sizeof seed);
  }
  return id;
}

/// Tells readers of several reports whether they share one monotonic clock.
std::string boot_id() {
  char line[64] = "";
  if (FILE* file = std::fopen("/proc/sys/kernel/random/boot_id", "re")) {
    if (std::fgets(line, sizeof line, file) == nullptr) line[0] = 0;
    std::fclose(file);
  }
  return {line, std::strcspn(line, "\n")};
}

std::string kept_line(const std::vector<std::string>& arguments, RecordCommandLine choice) {
  if (choice == RecordCommandLine::kNone) return "";
  return collector::join_arguments(
      choice == RecordCommandLine::kFull ? arguments : collector::redact_arguments(arguments));
}

std::string number_text(double value) {
  std::string text = std::to_string(value);
  while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
    bool dot = text.back() == '.';
    text.pop_back();
    if (dot) break;
  }
  return text;
}

/// "PATH", or "SLURM_*".
bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == name;
}

/// --record-env: the program's variables as the user gave them to it, values that look like secrets blanked.
void add_variables(const ProfileOptions& options, const Plan& plan,
                   std::vector<std::pair<std::string, std::string>>* meta) {
  for (const std::string& entry : plan.environment) {
    const size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = entry.substr(0, equals);
    if (std::none_of(options.record_environment.begin(), options.record_environment.end(),
                     [&](const std::string& pattern) { return matches(pattern, name); }))
      continue;
    meta->emplace_back("environment." + name, collector::redact_arguments({entry})[0].substr(equals + 1));
  }
}

/// Who somebody is that programs look up in their environment, as su sets it.
void set_user(const User& user, const ProfileOptions& options, std::vector<std::string>* environment) {
  const auto set = [&](const std::string& name, const std::string& value) {
    for (const auto& [chosen, ignored] : options.environment)
      if (chosen == name) return;
    std::erase_if(*environment, [&](const std::string& entry) { return entry.starts_with(name + "="); });
    if (!value.empty()) environment->push_back(name + "=" + value);
  };
  set("HOME", user.home);
  set("USER", user.name);
  set("LOGNAME", user.name);
}

/// With -t osrt the agent that has the hooks. Where nobody asked for it and it is not there: without, and
/// said.
Status choose_agent(const ProfileOptions& options, Plan* plan) {
  if (!options.trace_osrt.value_or(true) || options.safe) return {};
  const auto with_hooks = find_osrt_agent(plan->agent);
  if (!with_hooks && options.trace_osrt) return tl::unexpected(with_hooks.error());
  if (with_hooks) {
    plan->agent = *with_hooks;
    plan->osrt = true;
    return {};
  }
  plan->notes.emplace_back("no_osrt", with_hooks.error().message);
  if (!options.quiet) text::warn("{}", with_hooks.error().message);
  return {};
}

/// Where the loader takes no layers its functions are interposed; what that does not reach is said: in one
/// line where OpenCL was asked for, else by the report alone, since most programs do without.
void plan_without_layers(const ProfileOptions& options, Plan* plan, AgentVariables* what) {
  if ((plan->folder.flags & spool::kTraceOpencl) == 0 || plan->opencl_loader.takes_layers) return;
  const auto exports = find_opencl_exports(plan->agent);
  const bool usable = exports && (!plan->user || can_open(*plan->user, *exports, false));
  if (usable) what->opencl_exports = *exports;
  if (!plan->opencl) return;
  const std::string loader = plan->opencl_loader.path.empty()
                                 ? "no libOpenCL.so.1 is installed; where a program brings one that"
                                 : plan->opencl_loader.path;
  const std::string reach =
      usable ? "OpenCL is recorded in what is linked to it, not in programs that open it themselves (dlopen)"
             : "OpenCL is not recorded, since " +
                   (exports ? *exports + " cannot be read by " + options.run_as : exports.error().message);
  const std::string note = loader + " takes no layers: " + reach +
                           "; ocl-icd 2.3 or another loader that knows OPENCL_LAYERS has no such limit";
  plan->notes.emplace_back("opencl_no_layers", note);
  if (options.trace_opencl && !options.quiet) text::warn("{}", note);
}

/// What agents are told about calls of the C library.
Status plan_osrt(const OsrtOptions& options, spool::RunFolder::Options* folder) {
  folder->flags |= spool::kTraceOsrt | (options.file_access ? spool::kOsrtFiles : 0u);
  folder->osrt_threshold = stamps_of(options.threshold_ns, static_cast<base::ClockKind>(folder->clock_kind));
  SEXTANT_ASSIGN(folder->osrt_excluded, excluded_functions(options.exclude));
  return {};
}

}  // namespace

std::string traced_sources(const ProfileOptions& options, const Plan& plan) {
  std::string list;
  if (options.trace_nvtx) list += "nvtx";
  if ((plan.folder.flags & spool::kTraceOsrt) != 0) list += list.empty() ? "osrt" : ",osrt";
  if ((plan.folder.flags & spool::kTraceOpencl) != 0) list += list.empty() ? "opencl" : ",opencl";
  return list.empty() ? "none" : list;
}

std::string absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  char cwd[PATH_MAX];
  return ::getcwd(cwd, sizeof cwd) != nullptr ? std::string(cwd) + "/" + path : path;
}

std::vector<std::pair<std::string, std::string>> meta_of(const ProfileOptions& options, const Plan& plan,
                                                         const std::string& run_folder) {
  utsname system{};
  ::uname(&system);
  std::string os = "Linux";
  if (FILE* file = std::fopen("/etc/os-release", "re")) {
    char line[512];
    while (std::fgets(line, sizeof line, file) != nullptr) {
      std::string text = line;
      if (!text.starts_with("PRETTY_NAME=")) continue;
      text = text.substr(12, text.find_last_not_of("\"\n") - 11);
      os = text.starts_with('"') ? text.substr(1) : text;
    }
    std::fclose(file);
  }
  char cwd[PATH_MAX] = "";
  (void)!::getcwd(cwd, sizeof cwd);
  std::vector<std::pair<std::string, std::string>> meta = {
      {"sextant.version", SEXTANT_VERSION},
      {"host.name", system.nodename},
      {"host.boot_id", boot_id()},
      {"host.kernel", system.release},
      {"host.machine", system.machine},
      {"host.os", os},
      {"host.cpus", std::to_string(::sysconf(_SC_NPROCESSORS_ONLN))},
      {"host.page_bytes", std::to_string(::sysconf(_SC_PAGESIZE))},
      {"program", plan.executable.path},
      {"program.command_line", plan.program_line},
      {"cwd", cwd},
      {"start.realtime_ns", std::to_string(base::clock_ns(CLOCK_REALTIME))},
      {"options.trace", traced_sources(options, plan)},
      {"options.buffer_bytes", std::to_string(options.buffer_bytes)},
      {"options.wait", options.wait == WaitFor::kAll ? "all" : "primary"},
      {"run_folder", run_folder},
      {"clock", plan.folder.clock_kind == static_cast<uint32_t>(base::ClockKind::kTsc) ? "tsc" : "monotonic"},
  };
  if (options.record_command_line != RecordCommandLine::kNone)
    meta.emplace_back("sextant.command_line", kept_line(collector::split_words(options.recorder_command_line),
                                                        options.record_command_line));
  if (options.delay_seconds > 0)
    meta.emplace_back("options.delay_seconds", number_text(options.delay_seconds));
  if (options.duration_seconds > 0)
    meta.emplace_back("options.duration_seconds", number_text(options.duration_seconds));
  if (options.safe) meta.emplace_back("options.safe", "true");
  if (options.osrt.threshold_ns != 0)
    meta.emplace_back("options.osrt_threshold_ns", std::to_string(options.osrt.threshold_ns));
  if (options.osrt.file_access) meta.emplace_back("options.osrt_file_access", "true");
  if (!options.osrt.exclude.empty()) meta.emplace_back("options.osrt_exclude", options.osrt.exclude);
  if (plan.user) meta.emplace_back("options.run_as", options.run_as);
  add_variables(options, plan, &meta);
  return meta;
}

Result<Plan> make_plan(const ProfileOptions& options) {
  Plan plan;
  if (options.program.empty()) return fail(ErrorCode::kUsage, "no program was named");
  SEXTANT_ASSIGN(plan.executable, find_executable(options.program[0]));
  plan.untraced = plan.executable.untraced;
  if (!options.run_as.empty()) {
    SEXTANT_ASSIGN(plan.user, find_user(options.run_as));
  }
  // what is linked statically ignores the preload, and hands it on to what it starts
  const bool hands_on =
      plan.untraced == spool::Untraced::kStatic || plan.untraced == spool::Untraced::kOwnTool;
  if (plan.untraced == spool::Untraced::kNo || hands_on) {
    SEXTANT_ASSIGN(plan.agent, find_agent());
    SEXTANT_TRY(check_agent_version(plan.agent));
    SEXTANT_TRY(choose_agent(options, &plan));
    if (plan.user && !can_open(*plan.user, plan.agent, false))
      return fail(ErrorCode::kDenied, plan.agent + ": the agent cannot be read by " + options.run_as +
                                          "; install it where that user can, or set SEXTANT_AGENT to a copy");
  }
  if (plan.untraced != spool::Untraced::kNo && !options.quiet) {
    text::warn("{}: {}: it is run as it is, without recording", plan.executable.path,
               collector::untraced_text(plan.untraced));
  }
  if (const char* outer = std::getenv("SEXTANT_RUN"); outer != nullptr && !options.quiet)
    text::info("this runs within another recording ({}): what it starts is recorded here, and not there",
               outer);
  plan.environment = changed_environment(options.environment, options.inherit_environment);
  if (plan.user) set_user(*plan.user, options, &plan.environment);
  if (options.trace_opencl.value_or(true) && !options.safe)
    plan.opencl_loader = find_opencl_loader(variable(plan.environment, "LD_LIBRARY_PATH"));
  plan.program_line = kept_line(options.program, options.record_command_line);
  plan.folder.run_id = new_run_id();
  plan.folder.clock_kind = static_cast<uint32_t>(base::best_clock_kind());
  plan.folder.flags =
      (options.trace_nvtx ? spool::kTraceNvtx : 0u) | (options.block ? spool::kBlockWhenFull : 0u);
  const bool opencl = options.trace_opencl.value_or(!plan.opencl_loader.path.empty()) && !options.safe;
  plan.opencl = opencl && plan.untraced == spool::Untraced::kNo;
  if (opencl)
    plan.folder.flags |= spool::kTraceOpencl | (options.force_profiling ? spool::kForceProfiling : 0u);
  if (plan.osrt) SEXTANT_TRY(plan_osrt(options.osrt, &plan.folder));
  plan.folder.budget_bytes = options.buffer_bytes;
  plan.folder.collecting = options.delay_seconds <= 0;
  return plan;
}

Status load_agent(const ProfileOptions& options, const std::string& run_folder, Plan* plan) {
  if (plan->agent.empty()) return {};
  AgentVariables what;
  what.preload = !options.safe;
  what.nvtx = options.trace_nvtx && plan->untraced == spool::Untraced::kNo;
  what.opencl = plan->opencl;
  if (what.preload) plan_without_layers(options, plan, &what);
  std::string other_tool;
  SEXTANT_TRY(add_agent(&plan->environment, plan->agent, run_folder, what, &other_tool));
  if (other_tool.empty()) return {};
  const std::string note = "NVTX_INJECTION64_PATH is set to " + other_tool +
                           ": NVTX is left to that tool; unset it to record NVTX";
  plan->notes.emplace_back("other_nvtx_tool", note);
  if (!options.quiet) text::warn("{}", note);
  plan->untraced = spool::Untraced::kOtherNvtxTool;
  return {};
}

}  // namespace sextant::recording
