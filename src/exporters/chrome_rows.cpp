// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/chrome_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sextant::exporters {

namespace {

constexpr int64_t kFirstGpuIndex = 1'000'000;  // GPUs are shown below all processes

std::string label_of(const query::Process& process) {
  return fmt::format("{}{}", process.rank ? fmt::format("rank {}: ", *process.rank) : "", process.name);
}

}  // namespace

TraceRows::TraceRows(const query::Source& source, TraceEvents& events) : source_(source), events_(events) {
  int64_t index = 0;
  for (const query::Process& process : source.processes())
    processes_[process.number] = events_.add_process(process.pid, label_of(process), index++);
  for (const query::Thread& thread : source.threads()) threads_[{thread.process, thread.tid}] = thread.name;
}

uint64_t TraceRows::pid_of_process(uint64_t process) {
  const auto [at, is_new] = processes_.try_emplace(process, 0);
  if (is_new)
    at->second = events_.add_process(UINT64_MAX, fmt::format("process {}", process),
                                     static_cast<int64_t>(processes_.size()));
  return at->second;
}

uint64_t TraceRows::pid_of_gpu(uint64_t process, const Context& context) {
  const auto [at, is_new] = gpus_.try_emplace({process, context.api, context.device}, 0);
  if (is_new) {
    std::string of = fmt::format("process {}", process);
    for (const query::Process& p : source_.processes())
      if (p.number == process) of = fmt::format("{} ({})", label_of(p), p.pid);
    const std::string_view word = context.api == query::DeviceApi::kCuda ? "GPU" : "OpenCL device";
    at->second = events_.add_process(UINT64_MAX, fmt::format("{} {} of {}", word, context.device, of),
                                     kFirstGpuIndex + static_cast<int64_t>(gpus_.size()));
  }
  return at->second;
}

uint64_t TraceRows::gpu_row(query::DeviceApi api, uint64_t device, uint64_t context) {
  const auto [at, is_new] = context_numbers_.try_emplace({api, device, context}, contexts_.size());
  if (is_new) contexts_.push_back({api, device, context});
  return at->second;
}

std::string TraceRows::name_of(const RowKey& key, size_t lane, std::string_view word) const {
  std::string name;
  if (key.kind == RowKind::kStream) {
    const Context& context = contexts_[key.detail];
    name = fmt::format("{} {} of context {}", query::device_tables(context.api).queue, key.thread,
                       context.context);
  } else {
    const auto named = threads_.find({key.process, key.thread});
    name = named == threads_.end() || named->second.empty() ? "thread" : named->second;
  }
  if (key.kind == RowKind::kNvtx && key.detail != 0)
    name += fmt::format(" NVTX {}", source_.reader().string(key.detail));
  else if (key.kind == RowKind::kDeviceApi || key.kind == RowKind::kCalls)
    name += fmt::format(" {}", word);
  return lane == 0 ? name : fmt::format("{} [{}]", name, lane + 1);
}

TracePlace TraceRows::of(const RowKey& key, size_t lane, std::string_view word) {
  const auto [at, is_new] = rows_.try_emplace({key, lane});
  if (is_new) {
    const bool is_gpu = key.kind == RowKind::kStream;
    const uint64_t pid =
        is_gpu ? pid_of_gpu(key.process, contexts_[key.detail]) : pid_of_process(key.process);
    const bool is_thread = key.kind == RowKind::kNvtx && key.detail == 0 && lane == 0;
    at->second = {pid, events_.add_row(pid, is_thread || is_gpu ? key.thread : 0, name_of(key, lane, word))};
  }
  return at->second;
}

TracePlace TraceRows::of_thread(uint64_t process, uint64_t tid) {
  return of({process, tid, RowKind::kNvtx, 0}, 0, "");
}

void SlicesOfRows::add(const RowKey& key, int64_t start_ns, int64_t end_ns, uint64_t name, uint64_t extra) {
  uint32_t row = slices_.empty() ? 0 : slices_.back().row;
  if (slices_.empty() || keys_[row] != key) {
    const auto [at, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(keys_.size()));
    if (is_new) keys_.push_back(key);
    row = at->second;
  }
  slices_.push_back({start_ns, std::max(start_ns, end_ns), name, extra, row});
}

void SlicesOfRows::write(const std::function<void(const Slice&, TracePlace)>& use) {
  std::vector<uint32_t> row_order(keys_.size());  // by key, so that rows of a thread lie together
  for (uint32_t place = 0; const auto& [key, row] : numbers_) row_order[row] = place++;
  std::reverse(slices_.begin(), slices_.end());
  std::stable_sort(slices_.begin(), slices_.end(), [&](const Slice& a, const Slice& b) {
    if (a.row != b.row) return row_order[a.row] < row_order[b.row];
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  });
  NestingRows lanes;
  std::vector<TracePlace> places;  // of the lanes
  for (size_t i = 0; i < slices_.size(); ++i) {
    if (i == 0 || slices_[i].row != slices_[i - 1].row) {
      lanes = {};
      places.clear();
    }
    const size_t lane = lanes.place(slices_[i].start_ns, slices_[i].end_ns);
    while (places.size() <= lane) places.push_back(rows_.of(row(slices_[i]), places.size(), word_));
    use(slices_[i], places[lane]);
  }
}

}  // namespace sextant::exporters
