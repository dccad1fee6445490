// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "exporters/chrome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>

#include "event/opencl_commands.h"
#include "event/schema_cuda.h"
#include "event/schema_system.h"
#include "event/schema_target.h"
#include "exporters/chrome_rows.h"
#include "exporters/nsys_enums.h"
#include "exporters/text_file.h"
#include "exporters/trace_events.h"
#include "query/launches.h"

namespace sextant::exporters {

namespace {

using query::NvtxBatch;

/// Payload types as event::nvtx::kPayloadType numbers them.
void append_payload(std::string* arguments, uint64_t type, uint64_t bits) {
  switch (type) {
    case 1:
      return append_argument(arguments, "payload", bits);
    case 2:
      return append_argument(arguments, "payload", static_cast<int64_t>(bits));
    case 3:
      return append_argument(arguments, "payload", std::bit_cast<double>(bits));
    case 4:
      return append_argument(arguments, "payload", bits & UINT32_MAX);
    case 5:
      return append_argument(arguments, "payload", int64_t{static_cast<int32_t>(bits)});
    case 6:
      return append_argument(arguments, "payload", double{std::bit_cast<float>(static_cast<uint32_t>(bits))});
    default:
      return;
  }
}

class ChromeExport {
 public:
  ChromeExport(const query::Source& source, text::Output& out, const ExportOptions& options)
      : source_(source), options_(options), events_(out), rows_(source, events_) {}

  Status run() {
    for (const uint16_t table : kAllTables) total_ += source_.rows(table);
    SEXTANT_TRY(push_pop());
    SEXTANT_TRY(spans_and_marks());
    for (const query::DeviceApi api : query::kDeviceApis) SEXTANT_TRY(device_calls(api));
    for (const CallTable& table : kCallTables) SEXTANT_TRY(calls(table));
    SEXTANT_TRY(gpu_work());
    SEXTANT_TRY(counters());
    std::string about;
    append_argument(&about, "made_by", "sextant");
    append_argument(&about, "report", source_.reader().path());
    append_argument(&about, "utc_ns_of_time_0", source_.start_realtime_ns());
    events_.finish(about);
    return {};
  }

 private:
  struct CallTable {
    uint16_t table;
    std::string_view name;
  };
  static constexpr CallTable kCallTables[] = {
      {event::kOsrtCall, "OS runtime"}, {event::kSyscall, "system calls"}, {event::kLibraryCall, "libraries"},
      {event::kMpiCall, "MPI"},         {event::kUcpCall, "UCX"},          {event::kOpenmpEvent, "OpenMP"},
      {event::kOpenaccEvent, "OpenACC"}};
  static constexpr uint16_t kAllTables[] = {
      event::kNvtxRange,  event::kNvtxStart,    event::kNvtxMark,     event::kNvtxEvent,
      event::kCudaApi,    event::kOsrtCall,     event::kSyscall,      event::kLibraryCall,
      event::kMpiCall,    event::kUcpCall,      event::kOpenmpEvent,  event::kOpenaccEvent,
      event::kCudaKernel, event::kCudaMemcpy,   event::kCudaMemset,   event::kMetricSample,
      event::kOpenclApi,  event::kOpenclKernel, event::kOpenclMemory, event::kOpenclSync};

  std::string_view string(uint64_t id) const { return source_.reader().string(id); }

  void done(uint64_t rows) {
    done_ += rows;
    if (options_.progress) options_.progress(std::min(done_, total_), total_);
  }

  std::string nvtx_arguments(const NvtxBatch& b, size_t i) const {
    std::string arguments;
    if (b.domain[i] != 0) append_argument(&arguments, "domain", string(b.domain[i]));
    if (b.category[i] != 0) append_argument(&arguments, "category", b.category[i]);
    append_payload(&arguments, b.payload_type[i], b.payload[i]);
    if (b.unfinished) append_argument(&arguments, "unfinished", uint64_t{1});
    return arguments;
  }

  Status push_pop() {
    SlicesOfRows slices(rows_, "nvtx");
    std::vector<std::string> extra = {""};  // the rare ones
    query::NvtxScan what;
    what.start_end = false;
    what.with_attributes = true;
    SEXTANT_TRY(source_.scan_nvtx(what, [&](const NvtxBatch& b) {
      for (size_t i = 0; i < b.rows; ++i) {
        const bool plain = b.category[i] == 0 && b.payload_type[i] == 0 && !b.unfinished;
        if (!plain) extra.push_back(nvtx_arguments(b, i));
        slices.add({b.process[i], b.tid[i], RowKind::kNvtx, b.domain[i]}, b.start_ns[i], b.end_ns[i],
                   b.name[i], plain ? 0 : extra.size() - 1);
      }
      done(b.rows);
    }));
    slices.write([&](const SlicesOfRows::Slice& slice, TracePlace at) {
      const uint64_t domain = slices.row(slice).detail;
      std::string arguments = extra[slice.extra];
      if (slice.extra == 0 && domain != 0) append_argument(&arguments, "domain", string(domain));
      events_.slice(at, "nvtx", string(slice.name), slice.start_ns, slice.end_ns, arguments);
    });
    return {};
  }

  Status spans_and_marks() {
    query::NvtxScan what;
    what.push_pop = false;
    what.marks = true;
    what.with_attributes = true;
    uint64_t id = 0;
    return source_.scan_nvtx(what, [&](const NvtxBatch& b) {
      for (size_t i = 0; i < b.rows; ++i) {
        const TracePlace at = rows_.of_thread(b.process[i], b.tid[i]);
        const std::string arguments = nvtx_arguments(b, i);
        if (b.kind == NvtxBatch::Kind::kMark) {
          events_.mark(at, "nvtx", string(b.name[i]), b.start_ns[i], arguments);
          continue;
        }
        const uint64_t closer = i < b.end_tid.size() && b.end_tid[i] != 0 ? b.end_tid[i] : b.tid[i];
        events_.span(at, rows_.of_thread(b.process[i], closer), "nvtx", string(b.name[i]), ++id,
                     b.start_ns[i], b.end_ns[i], arguments);
      }
      done(b.rows);
    });
  }

  Status device_calls(query::DeviceApi api) {
    Calls& all = calls_[static_cast<size_t>(api)];
    SEXTANT_ASSIGN(all.launches, query::Launches::load(source_, query::Rows::kInWindow, api));
    const query::Launches& launches = all.launches;
    const bool cuda = api == query::DeviceApi::kCuda;
    SlicesOfRows slices(rows_, cuda ? "CUDA API" : "OpenCL API");
    for (uint32_t call = 0; call < launches.size(); ++call)
      slices.add(
          {launches.process[call], launches.tid[call], RowKind::kDeviceApi, static_cast<uint64_t>(api)},
          launches.start_ns[call], launches.end_ns[call], launches.name[call], call);
    all.rows.resize(launches.size());
    slices.write([&](const SlicesOfRows::Slice& slice, TracePlace at) {
      all.rows[slice.extra] = at;
      events_.slice(at, cuda ? "cuda_api" : "opencl_api", string(slice.name), slice.start_ns, slice.end_ns,
                    "");
    });
    done(launches.size());
    return {};
  }

  /// Tables whose columns have the usual names.
  Status calls(const CallTable& table) {
    const event::Table& t = *event::find_table(table.table);
    std::vector<uint16_t> columns = {t.find("start")->id, t.find("duration")->id, t.find("process")->id,
                                     t.find("tid")->id,   t.find("name")->id,     event::kNullsColumn};
    const event::Column* error = t.find("errno");
    if (error != nullptr) columns.push_back(error->id);
    SlicesOfRows slices(rows_, table.name);
    SEXTANT_TRY(source_.scan_table(table.table, columns, 1, [&](size_t, query::TableBatch& b) {
      const auto& c = b.columns;
      for (size_t i = 0; i < b.rows; ++i) {
        const bool ended = !event::is_null(c[5][i], columns[1]);
        slices.add({c[2][i], c[3][i], RowKind::kCalls, table.table}, static_cast<int64_t>(c[0][i]),
                   static_cast<int64_t>(c[0][i] + (ended ? c[1][i] : 0)), c[4][i],
                   error == nullptr ? 0 : c[6][i]);
      }
      done(b.rows);
    }));
    slices.write([&](const SlicesOfRows::Slice& slice, TracePlace at) {
      std::string arguments;
      if (slice.extra != 0) append_argument(&arguments, "errno", slice.extra);
      events_.slice(at, table.name, string(slice.name), slice.start_ns, slice.end_ns, arguments);
    });
    return {};
  }

  /// Work on a GPU: rows by process, device, context and stream, as the columns that all tables share say.
  struct Work {
    query::DeviceApi api;
    uint64_t process, correlation;
    bool is_kernel;
    std::string arguments;
  };

  template <typename Arguments>
  Status work_of(query::DeviceApi api, uint16_t table, std::span<const uint16_t> more, SlicesOfRows* slices,
                 std::vector<Work>* work, Arguments arguments) {
    using namespace event::cuda_kernel;
    std::vector<uint16_t> columns = {kStart,   kDuration, kProcess,     kDevice,
                                     kContext, kStream,   kCorrelation, kNulls};
    const size_t first = columns.size();
    columns.insert(columns.end(), more.begin(), more.end());
    return source_.scan_table(table, columns, 1, [&](size_t, query::TableBatch& b) {
      const auto& c = b.columns;
      for (size_t i = 0; i < b.rows; ++i) {
        Work item{api, c[2][i], c[6][i], table == query::device_tables(api).kernels, ""};
        const bool correlated = !query::no_correlation(api, c[7][i], c[6][i]);
        if (!correlated) item.correlation = UINT64_MAX;
        const uint64_t name = arguments(b, first, i, &item.arguments);
        if (correlated) append_argument(&item.arguments, "correlation", item.correlation);
        slices->add({c[2][i], c[5][i], RowKind::kStream, rows_.gpu_row(api, c[3][i], c[4][i])},
                    static_cast<int64_t>(c[0][i]), static_cast<int64_t>(c[0][i] + c[1][i]), name,
                    work->size());
        work->push_back(std::move(item));
      }
      done(b.rows);
    });
  }

  Status gpu_work() {
    SlicesOfRows slices(rows_, "GPU");
    std::vector<Work> work;
    SEXTANT_TRY(kernels(&slices, &work));
    SEXTANT_TRY(copies(&slices, &work));
    SEXTANT_TRY(fills(&slices, &work));
    SEXTANT_TRY(opencl_kernels(&slices, &work));
    SEXTANT_TRY(opencl_commands(event::kOpenclMemory, &slices, &work));
    SEXTANT_TRY(opencl_commands(event::kOpenclSync, &slices, &work));
    uint64_t arrow = 0;
    slices.write([&](const SlicesOfRows::Slice& slice, TracePlace at) {
      const Work& item = work[slice.extra];
      const std::string_view name =
          item.is_kernel ? string(slice.name) : std::string_view(names_[slice.name]);
      events_.slice(at, item.is_kernel ? "kernel" : "gpu_memory", name, slice.start_ns, slice.end_ns,
                    item.arguments);
      const Calls& calls = calls_[static_cast<size_t>(item.api)];
      const uint32_t call = item.correlation == UINT64_MAX
                                ? query::Launches::kNone
                                : calls.launches.find(item.process, item.correlation);
      if (call != query::Launches::kNone)
        events_.arrow(calls.rows[call], calls.launches.start_ns[call], at, slice.start_ns, ++arrow);
    });
    return {};
  }

  Status kernels(SlicesOfRows* slices, std::vector<Work>* work) {
    using namespace event::cuda_kernel;
    const uint16_t more[] = {kName,
                             kGridX,
                             kGridY,
                             kGridZ,
                             kBlockX,
                             kBlockY,
                             kBlockZ,
                             kRegistersPerThread,
                             kStaticSharedMemory,
                             kDynamicSharedMemory};
    return work_of(
        query::DeviceApi::kCuda, event::kCudaKernel, more, slices, work,
        [](const query::TableBatch& b, size_t first, size_t i, std::string* arguments) {
          const auto at = [&](size_t c) { return b.columns[first + c][i]; };
          append_argument(arguments, "grid", std::string_view(fmt::format("{} {} {}", at(1), at(2), at(3))));
          append_argument(arguments, "block", std::string_view(fmt::format("{} {} {}", at(4), at(5), at(6))));
          append_argument(arguments, "registers_per_thread", at(7));
          append_argument(arguments, "static_shared_memory", at(8));
          append_argument(arguments, "dynamic_shared_memory", at(9));
          return at(0);
        });
  }

  Status copies(SlicesOfRows* slices, std::vector<Work>* work) {
    std::map<uint64_t, uint64_t> names;  // by kind
    for_each_enum_value("ENUM_CUDA_MEMCPY_OPER", [&](const EnumValue& value) {
      names[static_cast<uint64_t>(value.id)] = made_up_name(fmt::format("memcpy {}", value.label));
    });
    const uint64_t other = made_up_name("memcpy");
    const uint16_t more[] = {event::cuda_memcpy::kKind, event::cuda_memcpy::kBytes};
    return work_of(query::DeviceApi::kCuda, event::kCudaMemcpy, more, slices, work,
                   [&](const query::TableBatch& b, size_t first, size_t i, std::string* arguments) {
                     append_argument(arguments, "bytes", b.columns[first + 1][i]);
                     const auto at = names.find(b.columns[first][i]);
                     return at == names.end() ? other : at->second;
                   });
  }

  Status fills(SlicesOfRows* slices, std::vector<Work>* work) {
    const uint64_t name = made_up_name("memset");
    const uint16_t more[] = {event::cuda_memset::kBytes};
    return work_of(query::DeviceApi::kCuda, event::kCudaMemset, more, slices, work,
                   [&](const query::TableBatch& b, size_t first, size_t i, std::string* arguments) {
                     append_argument(arguments, "bytes", b.columns[first][i]);
                     return name;
                   });
  }

  Status opencl_kernels(SlicesOfRows* slices, std::vector<Work>* work) {
    using namespace event::opencl_kernel;
    const uint16_t more[] = {kName,   kGlobalX, kGlobalY,   kGlobalZ,     kLocalX,
                             kLocalY, kLocalZ,  kQueuedFor, kSubmittedFor};
    return work_of(query::DeviceApi::kOpencl, event::kOpenclKernel, more, slices, work,
                   [](const query::TableBatch& b, size_t first, size_t i, std::string* arguments) {
                     const auto at = [&](size_t c) { return b.columns[first + c][i]; };
                     append_argument(arguments, "global",
                                     std::string_view(fmt::format("{} {} {}", at(1), at(2), at(3))));
                     if (at(4) != 0)
                       append_argument(arguments, "local",
                                       std::string_view(fmt::format("{} {} {}", at(4), at(5), at(6))));
                     append_argument(arguments, "queued_for_ns", at(7));
                     append_argument(arguments, "submitted_for_ns", at(8));
                     return at(0);
                   });
  }

  /// Memory commands and synchronisation, named by their kind.
  Status opencl_commands(uint16_t table, SlicesOfRows* slices, std::vector<Work>* work) {
    std::map<uint64_t, uint64_t> names;  // by command
    std::vector<uint16_t> more = {event::opencl_work::kCommand};
    if (table == event::kOpenclMemory) more.push_back(event::opencl_memory::kBytes);
    return work_of(query::DeviceApi::kOpencl, table, more, slices, work,
                   [&](const query::TableBatch& b, size_t first, size_t i, std::string* arguments) {
                     if (more.size() > 1) append_argument(arguments, "bytes", b.columns[first + 1][i]);
                     const auto [at, is_new] = names.try_emplace(b.columns[first][i], 0);
                     if (is_new)
                       at->second =
                           made_up_name(std::string(event::opencl_command_label(b.columns[first][i])));
                     return at->second;
                   });
  }

  uint64_t made_up_name(std::string name) {
    names_.push_back(std::move(name));
    return names_.size() - 1;
  }

  Status counters() {
    if (source_.rows(event::kMetricSample) == 0) return {};
    const uint16_t described[] = {event::metric::kType, event::metric::kMetric, event::metric::kTypeName,
                                  event::metric::kName};
    SEXTANT_ASSIGN(const query::TableBatch metrics, source_.read_table(event::kMetric, described));
    std::map<std::pair<uint64_t, uint64_t>, std::string> names;
    for (size_t i = 0; i < metrics.rows; ++i)
      names[{metrics.columns[0][i], metrics.columns[1][i]}] = string(metrics.columns[3][i]);
    std::map<uint64_t, uint64_t> pids;  // by device
    const uint16_t columns[] = {event::metric_sample::kTime, event::metric_sample::kType,
                                event::metric_sample::kMetric, event::metric_sample::kValue};
    return source_.scan_table(event::kMetricSample, columns, 1, [&](size_t, query::TableBatch& b) {
      const auto& c = b.columns;
      for (size_t i = 0; i < b.rows; ++i) {
        const auto [pid, is_new] = pids.try_emplace(c[1][i], 0);
        if (is_new)
          pid->second =
              events_.add_process(UINT64_MAX, fmt::format("metrics of device {}", c[1][i] & 0xff), 2'000'000);
        const auto name = names.find({c[1][i], c[2][i]});
        events_.counter(pid->second, name == names.end() ? std::string_view("metric") : name->second,
                        static_cast<int64_t>(c[0][i]), static_cast<double>(static_cast<int64_t>(c[3][i])));
      }
      done(b.rows);
    });
  }

  const query::Source& source_;
  const ExportOptions& options_;
  TraceEvents events_;
  TraceRows rows_;
  struct Calls {
    query::Launches launches;
    std::vector<TracePlace> rows;  // of each call
  };
  std::array<Calls, query::kDeviceApis.size()> calls_;
  std::vector<std::string> names_;  // of copies, fills and commands
  uint64_t done_ = 0, total_ = 0;
};

}  // namespace

Status export_chrome(const query::Source& source, const std::string& output, const ExportOptions& options) {
  return write_text_file(output, options.replace, [&](text::Output& out) -> Status {
    ChromeExport exporting(source, out, options);
    SEXTANT_TRY(exporting.run());
    return out.failed() ? fail(ErrorCode::kIo, output + " cannot be written") : Status();
  });
}

}  // namespace sextant::exporters
