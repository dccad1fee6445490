// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Which processes and GPUs of which members belong together.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "query/device_api.h"
#include "stats/cuda_names.h"
#include "stats/report_set.h"
#include "text/units.h"
#include "text/utf8.h"

namespace sextant::stats {

namespace {

std::string file_name(const std::string& path) {
  const size_t slash = path.rfind('/', path.size() - (path.ends_with('/') ? 2 : 1));
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string host_of(const SetMember& member) {
  const auto& meta = member.source->reader().meta();
  const auto at = meta.find("host.name");
  return at == meta.end() ? std::string() : at->second;
}

std::optional<uint64_t> number_at(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// The number behind the word "rank": "job_rank-3.sxt".
std::optional<uint64_t> rank_in_name(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (size_t at = name.find("rank"); at != std::string::npos; at = name.find("rank", at + 1)) {
    std::string_view rest = std::string_view(name).substr(at + 4);
    if (!rest.empty() && (rest[0] == '_' || rest[0] == '-' || rest[0] == '.' || rest[0] == '='))
      rest.remove_prefix(1);
    if (const auto rank = number_at(rest)) return rank;
  }
  return std::nullopt;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Where all names have the same text around one number that differs, those numbers.
std::vector<uint64_t> differing_numbers(const std::vector<std::string>& names) {
  if (names.size() < 2) return {};
  size_t head = 0, tail = 0;
  size_t shortest = SIZE_MAX;
  for (const std::string& name : names) shortest = std::min(shortest, name.size());
  const auto all_have = [&](auto at) {
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& n) { return at(n) == at(names[0]); });
  };
  while (head < shortest && all_have([&](const std::string& n) { return n[head]; })) ++head;
  while (tail < shortest - head && all_have([&](const std::string& n) { return n[n.size() - 1 - tail]; }))
    ++tail;
  while (head > 0 && is_digit(names[0][head - 1])) --head;
  while (tail > 0 && is_digit(names[0][names[0].size() - tail])) --tail;
  std::vector<uint64_t> numbers;
  for (const std::string& name : names) {
    if (name.size() <= head + tail) return {};
    const std::string_view middle = std::string_view(name).substr(head, name.size() - head - tail);
    const auto number =
        std::all_of(middle.begin(), middle.end(), is_digit) ? number_at(middle) : std::nullopt;
    if (!number || std::find(numbers.begin(), numbers.end(), *number) != numbers.end()) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

/// Ranks of whole members out of their file names, in the order of `members`.
std::vector<std::optional<uint64_t>> ranks_of_names(const std::vector<SetMember>& members) {
  std::vector<std::optional<uint64_t>> ranks;
  std::vector<std::string> names;
  for (const SetMember& member : members) {
    names.push_back(file_name(member.path));
    ranks.push_back(rank_in_name(names.back()));
  }
  if (std::all_of(ranks.begin(), ranks.end(), [](const auto& rank) { return rank.has_value(); }))
    return ranks;
  const std::vector<uint64_t> numbers = differing_numbers(names);
  for (size_t i = 0; i < numbers.size(); ++i) ranks[i] = numbers[i];
  return ranks;
}

Result<Grouping> by_rank(const std::vector<SetMember>& members) {
  Grouping out{By::kRank, {}, {}};
  std::map<uint64_t, Group> groups;
  std::vector<size_t> unnamed;  // members of which no process has a rank
  uint64_t without = 0;
  for (size_t m = 0; m < members.size(); ++m) {
    std::map<uint64_t, query::Scope> scopes;
    uint64_t rankless = 0;
    for (const query::Process& p : members[m].source->processes()) {
      if (p.rank)
        scopes[*p.rank].processes.push_back(p.number);
      else
        ++rankless;
    }
    if (scopes.empty()) {
      unnamed.push_back(m);
      continue;
    }
    without += rankless;
    for (auto& [rank, scope] : scopes) groups[rank].parts.push_back({m, std::move(scope)});
  }
  if (!unnamed.empty()) {
    const auto ranks = ranks_of_names(members);
    size_t named = 0;
    for (const size_t m : unnamed)
      if (ranks[m]) groups[*ranks[m]].parts.push_back({m, {}}), ++named;
    if (named > 0)
      out.notes.push_back(
          fmt::format("{} of the {} reports tell no rank: the numbers in their file names are taken", named,
                      members.size()));
    if (named < unnamed.size())
      out.notes.push_back(fmt::format("{} without any rank left out",
                                      text::counted(unnamed.size() - named, "report", "reports")));
  }
  if (without > 0)
    out.notes.push_back(
        fmt::format("{} without a rank left out", text::counted(without, "process", "processes")));
  if (groups.empty())
    return fail(
        ErrorCode::kNotFound,
        "no process has a rank (RANK, OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, SLURM_PROCID, MPI calls), "
        "and the file names tell none: use --by process or --by host");
  for (auto& [rank, group] : groups) {
    group.label = fmt::format("{}", rank);
    out.groups.push_back(std::move(group));
  }
  return out;
}

Result<Grouping> by_host(const std::vector<SetMember>& members) {
  Grouping out{By::kHost, {}, {}};
  std::map<std::string, size_t> places;
  for (size_t m = 0; m < members.size(); ++m) {
    std::string host = host_of(members[m]);
    if (host.empty()) host = "(unknown)";
    const auto [at, is_new] = places.try_emplace(host, out.groups.size());
    if (is_new) out.groups.push_back({text::valid_utf8(host), {}});
    out.groups[at->second].parts.push_back({m, {}});
  }
  return out;
}

Result<Grouping> by_process(const std::vector<SetMember>& members) {
  Grouping out{By::kProcess, {}, {}};
  std::map<std::string, uint64_t> seen;
  for (size_t m = 0; m < members.size(); ++m) {
    for (const query::Process& p : members[m].source->processes()) {
      if (p.traced != static_cast<uint8_t>(event::process::Traced::kRecorded)) continue;
      std::string label = fmt::format("{}{} ({})", p.rank ? fmt::format("rank {}: ", *p.rank) : "",
                                      text::valid_utf8(p.name), p.pid);
      if (members.size() > 1) label += fmt::format(" of {}", text::valid_utf8(file_name(members[m].path)));
      const uint64_t namesakes = seen[label]++;
      if (namesakes > 0) label += fmt::format(" #{}", namesakes + 1);
      out.groups.push_back({std::move(label), {{m, {{p.number}, {}}}}});
    }
  }
  if (out.groups.empty()) return fail(ErrorCode::kNotFound, "no process was recorded");
  return out;
}

/// The devices that a member's processes used: by the number of the device in its machine, what processes
/// call it.
using UsedDevices = std::map<uint64_t, std::set<query::DeviceOf>>;

Result<UsedDevices> used_devices(const query::Source& source, const DeviceNames& names,
                                 query::DeviceApi api) {
  using namespace event::cuda_kernel;  // the numbers of these columns are the same in all tables of work
  UsedDevices used;
  const auto scan = [&](uint16_t table, std::span<const uint16_t> columns, bool only_known) -> Status {
    query::DeviceOf last{api, UINT64_MAX, UINT64_MAX};
    return source.scan_table(table, columns, 1, [&](size_t, query::TableBatch& b) {
      for (size_t i = 0; i < b.rows; ++i) {
        const query::DeviceOf device{api, b.columns[0][i], b.columns[1][i]};
        if (device == last) continue;
        last = device;
        const uint64_t number = names.gpu(device.process, device.number);
        if (!only_known || used.contains(number)) used[number].insert(device);
      }
    });
  };
  const uint16_t of_work[] = {kProcess, kDevice};
  for (const uint16_t table : query::device_tables(api).work) SEXTANT_TRY(scan(table, of_work, false));
  // a device of which only a part was used: the part is named by the whole
  const uint16_t of_devices[] = {event::opencl_device::kProcess, event::opencl_device::kDevice};
  if (api == query::DeviceApi::kOpencl) SEXTANT_TRY(scan(event::kOpenclDevice, of_devices, true));
  return used;
}

Result<Grouping> by_gpu(const std::vector<SetMember>& members) {
  Grouping out{By::kGpu, {}, {}};
  std::map<std::pair<std::string, std::string>, size_t> places;  // host and device
  bool several_hosts = false;
  for (const SetMember& member : members)
    several_hosts = several_hosts || host_of(member) != host_of(members[0]);
  const auto add = [&](size_t m, const DeviceNames& names, query::DeviceApi api, uint64_t number,
                       const std::set<query::DeviceOf>& used) {
    const std::string host = host_of(members[m]), name = names.name_of_gpu(number);
    const bool cuda = api == query::DeviceApi::kCuda;
    // CUDA's numbers are the machine's, whether or not a name is known; OpenCL's are the report's
    const auto [at, is_new] = places.try_emplace(
        {host, cuda ? fmt::format("{}", number) : fmt::format("{} {}", number, name)}, out.groups.size());
    if (is_new)
      out.groups.push_back({fmt::format("{}{} ({}{})", several_hosts ? text::valid_utf8(host) + ": " : "",
                                        name, cuda ? "" : "OpenCL ", number),
                            {}});
    query::Scope scope;
    std::set<uint64_t> processes;
    for (const query::DeviceOf& device : used) processes.insert(device.process);
    scope.devices.assign(used.begin(), used.end());
    scope.processes.assign(processes.begin(), processes.end());
    out.groups[at->second].parts.push_back({m, std::move(scope)});
  };
  for (const query::DeviceApi api : query::kDeviceApis) {
    for (size_t m = 0; m < members.size(); ++m) {
      SEXTANT_ASSIGN(const DeviceNames names, DeviceNames::load(*members[m].source, api));
      SEXTANT_ASSIGN(const UsedDevices devices, used_devices(*members[m].source, names, api));
      for (const auto& [number, used] : devices) add(m, names, api, number, used);
    }
  }
  if (out.groups.empty())
    return fail(ErrorCode::kNotFound,
                "no work on a GPU or an OpenCL device was recorded: --by gpu has no groups");
  out.notes.push_back("of calls and ranges, which are not of a device, those of the processes that used it");
  return out;
}

}  // namespace

std::optional<By> parse_by(std::string_view word) {
  if (word == "rank") return By::kRank;
  if (word == "host") return By::kHost;
  if (word == "gpu") return By::kGpu;
  if (word == "process") return By::kProcess;
  return std::nullopt;
}

Result<Grouping> group_set(const std::vector<SetMember>& members, By by) {
  switch (by) {
    case By::kRank:
      return by_rank(members);
    case By::kHost:
      return by_host(members);
    case By::kGpu:
      return by_gpu(members);
    case By::kProcess:
      break;
  }
  return by_process(members);
}

}  // namespace sextant::stats
