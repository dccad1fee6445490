// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum: time in NVTX ranges by displayed name and style.
#include <algorithm>
#include <map>
#include <memory>

#include "stats/durations.h"
#include "stats/nvtx_names.h"
#include "stats/parallel.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

using Kind = query::NvtxBatch::Kind;

struct Group {
  uint64_t name;
  uint64_t domain;
  Kind kind;
  Durations durations;
};

/// Groups by (name, domain, kind): open addressing over a table of group numbers. One worker's.
class Groups {
 public:
  void add(const query::NvtxBatch& batch) {
    uint64_t last_name = UINT64_MAX, last_domain = UINT64_MAX;
    Group* last = nullptr;
    for (size_t i = 0; i < batch.rows; ++i) {
      if (last == nullptr || batch.name[i] != last_name || batch.domain[i] != last_domain) {
        last_name = batch.name[i];
        last_domain = batch.domain[i];
        last = &find(last_name, last_domain, batch.kind);
      }
      last->durations.add(batch.end_ns[i]);
    }
  }

  std::vector<Group>& all() { return groups_; }

 private:
  static uint64_t hash(uint64_t name, uint64_t domain, Kind kind) {
    uint64_t h = (name + (domain << 32) + static_cast<uint64_t>(kind)) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
  }

  Group& find(uint64_t name, uint64_t domain, Kind kind) {
    for (size_t at = hash(name, domain, kind) & mask_;; at = (at + 1) & mask_) {
      if (slots_[at] == 0) return insert(at, name, domain, kind);
      Group& group = groups_[slots_[at] - 1];
      if (group.name == name && group.domain == domain && group.kind == kind) return group;
    }
  }

  Group& insert(size_t at, uint64_t name, uint64_t domain, Kind kind) {
    groups_.push_back({name, domain, kind, {}});
    slots_[at] = static_cast<uint32_t>(groups_.size());
    if (groups_.size() * 2 > slots_.size()) grow();
    return groups_.back();
  }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    mask_ = slots_.size() - 1;
    for (size_t g = 0; g < groups_.size(); ++g) {
      size_t at = hash(groups_[g].name, groups_[g].domain, groups_[g].kind) & mask_;
      while (slots_[at] != 0) at = (at + 1) & mask_;
      slots_[at] = static_cast<uint32_t>(g + 1);
    }
  }

  std::vector<Group> groups_;
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(1024, 0);  // 0: free, else 1 + group
  size_t mask_ = 1023;
};

struct Line {
  std::string name;
  Kind kind;
  Figures figures;
};

/// Groups of all workers, by displayed name: different strings may look the same.
std::map<std::pair<std::string, Kind>, Durations> merge(const query::Source& source,
                                                        std::vector<Groups>* workers) {
  std::map<std::pair<std::string, Kind>, Durations> merged;
  for (Groups& groups : *workers)
    for (Group& group : groups.all())
      merged[{range_name(source, group.domain, group.name), group.kind}].merge(std::move(group.durations));
  return merged;
}

Result<std::vector<Line>> summarise(const query::Source& source, bool push_pop, bool start_end) {
  query::NvtxScan scan;
  scan.push_pop = push_pop;
  scan.start_end = start_end;
  scan.with_times = false;
  scan.with_origin = false;
  std::vector<Groups> workers(all_workers());
  SEXTANT_TRY(source.scan_nvtx_parallel(
      scan, workers.size(),
      [&](size_t worker, const query::NvtxBatch& batch) { workers[worker].add(batch); }));
  std::vector<Line> lines;
  for (auto& [key, durations] : merge(source, &workers))
    lines.push_back({key.first, key.second, durations.figures()});
  // nsys's order: total time, then name by bytes, then style; the map's order is the latter two
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.figures.total > b.figures.total; });
  return lines;
}

void fill_row(const Line& line, double total, bool with_style, std::span<text::Cell> cells) {
  const Figures& f = line.figures;
  if (total > 0) cells[0].set(static_cast<double>(f.total) * 100.0 / total);
  cells[1].set(f.total);
  cells[2].set(static_cast<int64_t>(f.count));
  cells[3].set(f.average);
  cells[4].set(f.median);
  cells[5].set(f.min);
  cells[6].set(f.max);
  cells[7].set(f.deviation);
  if (with_style) cells[8].set(std::string_view(line.kind == Kind::kPushPop ? "PushPop" : "StartEnd"));
  cells[with_style ? 9 : 8].set(std::string_view(line.name));
}

Result<text::Table> make(const query::Source& source, bool push_pop, bool start_end) {
  using enum text::CellType;
  SEXTANT_ASSIGN(auto summary, summarise(source, push_pop, start_end));
  const bool with_style = push_pop && start_end;
  text::Table table;
  table.columns = {{"Time", "%", kReal},    {"Total Time", "ns", kInteger}, {"Instances", "", kInteger},
                   {"Avg", "ns", kReal},    {"Med", "ns", kReal},           {"Min", "ns", kInteger},
                   {"Max", "ns", kInteger}, {"StdDev", "ns", kReal}};
  if (with_style) table.columns.push_back({"Style", "", kText});
  table.columns.push_back({"Range", "", kText});
  table.rows = summary.size();
  if (summary.empty()) table.why_empty = why_no_ranges(source);
  double total = 0;
  for (const Line& line : summary) total += static_cast<double>(line.figures.total);
  table.fill = [lines = std::make_shared<std::vector<Line>>(std::move(summary)), total, with_style](
                   uint64_t row, auto cells) { fill_row((*lines)[row], total, with_style, cells); };
  return table;
}

}  // namespace

Result<text::Table> make_nvtx_sum(const query::Source& source, const ReportArguments&) {
  return make(source, true, true);
}
Result<text::Table> make_nvtx_pushpop_sum(const query::Source& source, const ReportArguments&) {
  return make(source, true, false);
}
Result<text::Table> make_nvtx_startend_sum(const query::Source& source, const ReportArguments&) {
  return make(source, false, true);
}

}  // namespace sextant::stats
