// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// nvtx_hist: how the durations of each range are spread: counts in steps of 1, 2, 5, 10, 20, 50 ...
// nanoseconds. Shows at a glance what an average hides: two kinds of instances, or a long tail.
#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "query/sums.h"
#include "stats/duration_groups.h"
#include "stats/nvtx_names.h"
#include "stats/parallel.h"
#include "stats/reports.h"

namespace sextant::stats {

namespace {

constexpr size_t kBarWidth = 40;

/// Lower bounds of the steps: 0, 1, 2, 5, 10 ... The last one is open.
constexpr auto kBounds = [] {
  std::array<int64_t, 1 + 3 * 18> bounds{};
  int64_t power = 1;
  for (size_t i = 1; i < bounds.size(); i += 3, power *= 10) {
    bounds[i] = power;
    bounds[i + 1] = 2 * power;
    bounds[i + 2] = 5 * power;
  }
  return bounds;
}();

struct Step {
  uint8_t bound = 0;  // number of its lower bound
  int64_t count = 0, total_ns = 0;
};

/// The steps of one range that are not empty; few, so that a list does.
using Steps = std::vector<Step>;

Step& step_at(Steps& steps, uint8_t bound) {
  for (Step& step : steps)
    if (step.bound == bound) return step;
  return steps.emplace_back(Step{bound});
}

void add(Steps& steps, int64_t duration) {
  const auto above = std::upper_bound(kBounds.begin(), kBounds.end(), std::max<int64_t>(duration, 0));
  Step& step = step_at(steps, static_cast<uint8_t>(above - kBounds.begin() - 1));
  ++step.count;
  step.total_ns = query::sum(step.total_ns, duration);
}

struct Line {
  const std::string* name;
  Step step;
  int64_t instances, most;  // of the range: all, and in its fullest step
};

struct Histogram {
  std::map<std::string, Steps> ranges;
  std::vector<Line> lines;
  std::string bar;  // of the row at hand
};

Status fill_histogram(const query::Source& source, Histogram* histogram) {
  query::NvtxScan scan;
  scan.with_times = false;
  scan.with_origin = false;
  std::vector<KeyedGroups<2, Steps>> workers(all_workers());
  SEXTANT_TRY(
      source.scan_nvtx_parallel(scan, workers.size(), [&](size_t worker, const query::NvtxBatch& batch) {
        for (size_t i = 0; i < batch.rows; ++i)
          add(workers[worker].at({batch.domain[i], batch.name[i]}), batch.end_ns[i]);
      }));
  for (auto& groups : workers)
    for (auto& [key, steps] : groups.all()) {
      Steps& sum = histogram->ranges[range_name(source, key[0], key[1])];
      for (const Step& step : steps) {
        Step& into = step_at(sum, step.bound);
        into.count += step.count;
        into.total_ns = query::sum(into.total_ns, step.total_ns);
      }
    }
  return {};
}

/// Ranges by falling total time, steps by rising duration.
void put_in_order(Histogram* histogram) {
  std::vector<std::pair<int64_t, const std::string*>> order;
  for (auto& [name, steps] : histogram->ranges) {
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.bound < b.bound; });
    int64_t total = 0;
    for (const Step& step : steps) total = query::sum(total, step.total_ns);
    order.emplace_back(total, &name);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [total, name] : order) {
    const Steps& steps = histogram->ranges[*name];
    int64_t instances = 0, most = 0;
    for (const Step& step : steps) instances += step.count, most = std::max(most, step.count);
    for (const Step& step : steps) histogram->lines.push_back({name, step, instances, most});
  }
}

void fill_row(Histogram* histogram, uint64_t row, std::span<text::Cell> cells) {
  const Line& line = histogram->lines[row];
  const double share = static_cast<double>(line.step.count) / static_cast<double>(line.most);
  histogram->bar.assign(std::max<size_t>(1, static_cast<size_t>(share * kBarWidth)), '#');
  cells[0].set(std::string_view(*line.name));
  cells[1].set(kBounds[line.step.bound]);
  if (size_t{line.step.bound} + 1 < kBounds.size()) cells[2].set(kBounds[size_t{line.step.bound} + 1]);
  cells[3].set(line.step.count);
  cells[4].set(100.0 * static_cast<double>(line.step.count) / static_cast<double>(line.instances));
  cells[5].set(line.step.total_ns);
  cells[6].set(std::string_view(histogram->bar));
}

}  // namespace

Result<text::Table> make_nvtx_hist(const query::Source& source, const ReportArguments&) {
  using enum text::CellType;
  auto histogram = std::make_shared<Histogram>();
  SEXTANT_TRY(fill_histogram(source, histogram.get()));
  put_in_order(histogram.get());
  text::Table table;
  table.columns = {{"Range", "", kText},        {"From", "ns", kInteger}, {"To", "ns", kInteger},
                   {"Instances", "", kInteger}, {"Share", "%", kReal},    {"Total Time", "ns", kInteger},
                   {"Histogram", "", kText}};
  table.columns.back().in_csv = false;
  table.rows = histogram->lines.size();
  if (table.rows == 0) table.why_empty = why_no_ranges(source);
  table.fill = [histogram](uint64_t row, std::span<text::Cell> cells) {
    fill_row(histogram.get(), row, cells);
  };
  return table;
}

}  // namespace sextant::stats
