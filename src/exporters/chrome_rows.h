// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of export -t chrome: which row of the trace an event lies in. Threads are rows of their process;
// each NVTX domain, each kind of calls and each stream of a GPU has rows of its own, since slices of
// different ones need not nest.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "exporters/trace_events.h"
#include "query/device_api.h"
#include "query/query.h"

namespace sextant::exporters {

enum class RowKind : uint8_t { kNvtx, kDeviceApi, kCalls, kStream };

/// Rows that belong together. `thread`: the tid, or the stream; `detail`: the domain's string id, the number
/// of the table or interface, or TraceRows::gpu_row().
struct RowKey {
  uint64_t process = 0, thread = 0;
  RowKind kind = RowKind::kNvtx;
  uint64_t detail = 0;

  auto operator<=>(const RowKey&) const = default;
};

class TraceRows {
 public:
  TraceRows(const query::Source& source, TraceEvents& events);

  /// A thread's own row: NVTX of the default domain, marks.
  TracePlace of_thread(uint64_t process, uint64_t tid);

  /// Row `lane` of those with that key; `word` names a kind of calls.
  TracePlace of(const RowKey& key, size_t lane, std::string_view word);

  /// A number for a device and a context of an interface.
  uint64_t gpu_row(query::DeviceApi api, uint64_t device, uint64_t context);

 private:
  uint64_t pid_of_process(uint64_t process);
  struct Context {
    query::DeviceApi api;
    uint64_t device, context;
    auto operator<=>(const Context&) const = default;
  };
  uint64_t pid_of_gpu(uint64_t process, const Context& context);
  std::string name_of(const RowKey& key, size_t lane, std::string_view word) const;

  const query::Source& source_;
  TraceEvents& events_;
  std::map<uint64_t, uint64_t> processes_;                                     // pid of each
  std::map<std::tuple<uint64_t, query::DeviceApi, uint64_t>, uint64_t> gpus_;  // pid of process and device
  std::map<std::pair<uint64_t, uint64_t>, std::string> threads_;               // names
  std::map<std::pair<RowKey, size_t>, TracePlace> rows_;
  std::map<Context, uint64_t> context_numbers_;
  std::vector<Context> contexts_;
};

/// Slices of one kind in memory, written row by row, nested ones behind those around them. 40 bytes a slice.
class SlicesOfRows {
 public:
  struct Slice {
    int64_t start_ns, end_ns;
    uint64_t name, extra;  // the caller's
    uint32_t row;
  };

  SlicesOfRows(TraceRows& rows, std::string_view word) : rows_(rows), word_(word) {}

  /// Of slices with equal times the one that is added last is the outer one.
  void add(const RowKey& key, int64_t start_ns, int64_t end_ns, uint64_t name, uint64_t extra);
  const RowKey& row(const Slice& slice) const { return keys_[slice.row]; }

  void write(const std::function<void(const Slice&, TracePlace)>& use);

 private:
  TraceRows& rows_;
  std::string word_;
  std::map<RowKey, uint32_t> numbers_;
  std::vector<RowKey> keys_;
  std::vector<Slice> slices_;
};

}  // namespace sextant::exporters
