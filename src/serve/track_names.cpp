// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/track_names.h"

#include <fmt/format.h>

#include "event/schema_nvtx.h"
#include "event/schema_opencl.h"

namespace sextant::serve {

namespace {
constexpr uint64_t kDomainCreated = 75;  // nvtx_event's type
}

Result<TrackNames> TrackNames::load(const query::Source& source) {
  using namespace event::nvtx_event;
  TrackNames names;
  names.source_ = &source;
  SEXTANT_ASSIGN(names.devices_, stats::DeviceNames::load(source));
  SEXTANT_ASSIGN(names.opencl_devices_, stats::DeviceNames::load(source, query::DeviceApi::kOpencl));
  constexpr uint16_t kOfQueue[] = {event::opencl_queue::kProcess, event::opencl_queue::kQueue,
                                   event::opencl_queue::kProperties};
  SEXTANT_ASSIGN(const query::TableBatch queues, source.read_table(event::kOpenclQueue, kOfQueue));
  for (size_t i = 0; i < queues.rows; ++i)
    names.queue_properties_[{queues.columns[0][i], queues.columns[1][i]}] = queues.columns[2][i];
  for (const query::Process& process : source.processes()) names.processes_[process.number] = &process;
  for (const query::Thread& thread : source.threads())
    names.threads_[{thread.process, thread.tid}] = thread.name;
  names.imported_ = source.rows(event::kNvtxEvent) > 0;
  constexpr uint16_t kColumns[] = {kType, kProcess,        kDomain,
                                   kText, kTextRegistered, event::nvtx_event::kNulls};
  SEXTANT_TRY(source.scan_table(event::kNvtxEvent, kColumns, 1, [&](size_t, query::TableBatch& b) {
    for (size_t i = 0; i < b.rows; ++i)
      if (b.columns[0][i] == kDomainCreated)
        names.imported_domains_.try_emplace(
            {b.columns[1][i], b.columns[2][i]},
            event::is_null(b.columns[5][i], kTextRegistered) ? b.columns[3][i] : b.columns[4][i]);
  }));
  return names;
}

uint64_t TrackNames::pid(uint64_t process) const {
  const auto at = processes_.find(process);
  return at == processes_.end() ? 0 : at->second->pid;
}

std::string TrackNames::process(uint64_t number) const {
  const auto at = processes_.find(number);
  if (at == processes_.end()) return number == 0 ? "sextant" : fmt::format("process {}", number);
  const query::Process& process = *at->second;
  std::string name = fmt::format("{} [{}]", process.name.empty() ? "process" : process.name, process.pid);
  if (process.rank) name = fmt::format("rank {}: {}", *process.rank, name);
  return name;
}

std::string TrackNames::thread(uint64_t process, uint64_t tid) const {
  const auto at = threads_.find({process, tid});
  if (at != threads_.end() && !at->second.empty()) return fmt::format("{} [{}]", at->second, tid);
  return fmt::format("{} [{}]", tid == pid(process) ? "main thread" : "thread", tid);
}

std::string TrackNames::domain(uint64_t process, uint64_t domain) const {
  uint64_t name = domain;
  if (imported_) {
    const auto at = imported_domains_.find({process, domain});
    name = at == imported_domains_.end() ? 0 : at->second;
    if (domain != 0 && name == 0) return fmt::format("NVTX: domain {}", domain);
  }
  const std::string_view text = source_->reader().string(name);
  return text.empty() ? "NVTX" : fmt::format("NVTX: {}", text);
}

std::string TrackNames::gpu(uint64_t number) const {
  return fmt::format("GPU {}: {}", number, devices_->name_of_gpu(number));
}

std::string TrackNames::opencl_device(uint64_t number) const {
  return fmt::format("OpenCL: {}", opencl_devices_->name_of_gpu(number));
}

std::string TrackNames::opencl_queue(uint64_t process, uint64_t queue) const {
  const auto at = queue_properties_.find({process, queue});
  const uint64_t properties = at == queue_properties_.end() ? 0 : at->second;
  return fmt::format("Queue {}{}", queue,
                     (properties & event::opencl_queue::kOutOfOrder) != 0 ? " (out of order)" : "");
}

}  // namespace sextant::serve
