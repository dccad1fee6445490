// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_kern_sum: kernels by the ranges around their launches; first those outside of all ranges. A kernel
// counts in every range around it, but in each line once, also where ranges of the same name contain each
// other (nsys adds its time as often).
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "event/schema_cuda.h"
#include "query/launches.h"
#include "query/thread_ranges.h"
#include "stats/cuda_names.h"
#include "stats/durations.h"
#include "stats/nvtx_names.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using enum text::CellType;

struct Kernel {
  uint32_t string;
  int64_t duration_ns;
};

struct Key {
  std::string range;
  std::string_view style;  // "" outside of all ranges
  int64_t pid, tid;        // -1: not known
  uint32_t kernel;
  auto operator<=>(const Key&) const = default;
};

struct Group {
  std::vector<uint32_t> ranges;  // numbers, each once after finish
  uint64_t kernels = 0;
  uint32_t last_kernel = UINT32_MAX;
  Durations durations;
};

struct Line {
  Key key;
  std::string kernel;
  uint64_t ranges, kernels;
  Figures figures;
};

class Groups {
 public:
  Groups(const query::Source& source, std::span<const query::ThreadRange> ranges, bool like_nsys)
      : source_(source), ranges_(ranges), pids_(pids(source)), like_nsys_(like_nsys) {}

  void add_alone(const Kernel& kernel) { add({"", "", -1, -1, kernel.string}, 0, kernel, nullptr); }

  void add(uint32_t number, const Kernel& kernel, const query::ThreadSpan& call,
           std::span<const uint32_t> around) {
    const int64_t pid = pids_[call.process], tid = static_cast<int64_t>(call.tid);
    if (around.empty()) return add({"", "", pid, tid, kernel.string}, number, kernel, nullptr);
    for (const uint32_t range : around) {
      const query::ThreadRange& r = ranges_[range];
      add({name(r), r.start_end ? "StartEnd" : "PushPop", pid, tid, kernel.string}, number, kernel, &range);
    }
  }

  std::map<Key, Group>& all() { return groups_; }

 private:
  void add(const Key& key, uint32_t number, const Kernel& kernel, const uint32_t* range) {
    Group& group = groups_[key];
    if (range != nullptr) group.ranges.push_back(*range);
    const bool again = range != nullptr &&
                       group.last_kernel == number;  // the ranges around a kernel come one after the other
    group.last_kernel = number;
    if (!again) ++group.kernels;
    if (!again || like_nsys_) group.durations.add(kernel.duration_ns);
  }

  const std::string& name(const query::ThreadRange& range) {
    const auto [at, is_new] = names_.try_emplace({range.domain, range.name});
    if (is_new) at->second = range_name(source_, range.domain, range.name);
    return at->second;
  }

  const query::Source& source_;
  std::span<const query::ThreadRange> ranges_;
  std::map<uint64_t, int64_t> pids_;
  std::map<std::pair<uint32_t, uint32_t>, std::string> names_;
  std::map<Key, Group> groups_;
  const bool like_nsys_;
};

/// Kernels with the calls that launched them, in the same order.
struct Launched {
  std::vector<Kernel> kernels;
  std::vector<query::ThreadSpan> calls;
};

/// Kernels of one interface; those whose call is not known go to `groups` at once.
Status add_kernels(const query::Source& source, query::DeviceApi api, const KernelNames& names,
                   Groups* groups, Launched* launched) {
  using namespace event::cuda_kernel;
  SEXTANT_ASSIGN(const query::Launches launches, query::Launches::load(source, query::Rows::kInWindow, api));
  std::vector<uint16_t> columns = {kNulls, kDuration, kProcess, kCorrelation};
  const size_t names_at = columns.size();
  columns.insert(columns.end(), names.columns().begin(), names.columns().end());
  return source.scan_table(query::device_tables(api).kernels, columns, 1, [&](size_t, query::TableBatch& b) {
    const auto& c = b.columns;
    for (size_t i = 0; i < b.rows; ++i) {
      const Kernel kernel{static_cast<uint32_t>(names.string(c, names_at, i)), static_cast<int64_t>(c[1][i])};
      const uint32_t call = query::no_correlation(api, c[0][i], c[3][i]) ? query::Launches::kNone
                                                                         : launches.find(c[2][i], c[3][i]);
      if (call == query::Launches::kNone) {
        groups->add_alone(kernel);
        continue;
      }
      launched->kernels.push_back(kernel);
      launched->calls.push_back(
          {launches.start_ns[call], launches.end_ns[call], launches.tid[call], launches.process[call]});
    }
  });
}

/// Without any range there is nothing to group by.
Result<std::vector<Line>> summarise(const query::Source& source, const ReportArguments& arguments) {
  SEXTANT_ASSIGN(const std::vector<query::ThreadRange> ranges, query::load_thread_ranges(source));
  if (ranges.empty()) return std::vector<Line>();
  ReportArguments plain = arguments;
  plain.nvtx_name = false;
  SEXTANT_ASSIGN(const KernelNames names, KernelNames::load(source, plain));
  SEXTANT_ASSIGN(const KernelNames opencl_names, KernelNames::load(source, plain, query::DeviceApi::kOpencl));
  Groups groups(source, ranges, arguments.like_nsys);
  Launched launched;
  SEXTANT_TRY(add_kernels(source, query::DeviceApi::kCuda, names, &groups, &launched));
  SEXTANT_TRY(add_kernels(source, query::DeviceApi::kOpencl, opencl_names, &groups, &launched));
  const std::vector<Kernel>& kernels = launched.kernels;
  const std::vector<query::ThreadSpan>& calls = launched.calls;
  query::find_enclosing(ranges, calls, [&](size_t i, std::span<const uint32_t> around) {
    groups.add(static_cast<uint32_t>(i), kernels[i], calls[i], around);
  });
  std::vector<Line> lines;
  for (auto& [key, group] : groups.all()) {
    std::sort(group.ranges.begin(), group.ranges.end());
    const auto end = std::unique(group.ranges.begin(), group.ranges.end());
    lines.push_back({key, names.label(key.kernel, 0), static_cast<uint64_t>(end - group.ranges.begin()),
                     group.kernels, group.durations.figures()});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return std::tuple(std::string_view(a.key.range), a.key.pid, a.key.tid, b.figures.total,
                      std::string_view(a.kernel)) < std::tuple(std::string_view(b.key.range), b.key.pid,
                                                               b.key.tid, a.figures.total,
                                                               std::string_view(b.kernel));
  });
  return lines;
}

}  // namespace

Result<text::Table> make_nvtx_kern_sum(const query::Source& source, const ReportArguments& arguments) {
  SEXTANT_ASSIGN(auto summary, summarise(source, arguments));
  auto lines = std::make_shared<std::vector<Line>>(std::move(summary));
  text::Table table;
  table.columns = {{"NVTX Range", "", kText},      {"Style", "", kText},        {"PID", "", kInteger},
                   {"TID", "", kInteger},          {"NVTX Inst", "", kInteger}, {"Kern Inst", "", kInteger},
                   {"Total Time", "ns", kInteger}, {"Avg", "ns", kReal},        {"Med", "ns", kReal},
                   {"Min", "ns", kInteger},        {"Max", "ns", kInteger},     {"StdDev", "ns", kReal},
                   {"Kernel Name", "", kText}};
  table.rows = lines->size();
  if (table.rows == 0)
    table.why_empty =
        "No kernels within NVTX ranges: one of both was not recorded, or none was launched within one.";
  table.fill = [lines](uint64_t row, std::span<text::Cell> cells) {
    const Line& line = (*lines)[row];
    if (!line.key.style.empty()) {
      cells[0].set(std::string_view(line.key.range));
      cells[1].set(line.key.style);
    }
    if (line.key.pid >= 0) cells[2].set(line.key.pid);
    if (line.key.tid >= 0) cells[3].set(line.key.tid);
    cells[4].set(static_cast<int64_t>(line.ranges));
    cells[5].set(static_cast<int64_t>(line.kernels));
    cells[6].set(line.figures.total);
    cells[7].set(line.figures.average);
    cells[8].set(line.figures.median);
    cells[9].set(line.figures.min);
    cells[10].set(line.figures.max);
    cells[11].set(line.figures.deviation);
    cells[12].set(std::string_view(line.kernel));
  };
  return table;
}

}  // namespace sextant::stats
