// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/cuda_names.h"

#include <fmt/format.h>

#include <array>

#include "event/schema_cuda.h"
#include "event/schema_opencl.h"
#include "event/schema_target.h"
#include "query/launches.h"
#include "query/thread_ranges.h"
#include "text/utf8.h"

namespace sextant::stats {

std::string_view api_name(std::string_view name) {
  constexpr size_t kSuffix = 6;  // _v3020
  return name.size() >= kSuffix && name.substr(name.size() - kSuffix, 2) == "_v"
             ? name.substr(0, name.size() - kSuffix)
             : name;
}

std::string_view memcpy_operation(uint64_t kind) {
  constexpr std::array<std::string_view, 14> kNames = {"[CUDA memcpy Unknown]",
                                                       "[CUDA memcpy Host-to-Device]",
                                                       "[CUDA memcpy Device-to-Host]",
                                                       "[CUDA memcpy Host-to-Array]",
                                                       "[CUDA memcpy Array-to-Host]",
                                                       "[CUDA memcpy Array-to-Array]",
                                                       "[CUDA memcpy Array-to-Device]",
                                                       "[CUDA memcpy Device-to-Array]",
                                                       "[CUDA memcpy Device-to-Device]",
                                                       "[CUDA memcpy Host-to-Host]",
                                                       "[CUDA memcpy Peer-to-Peer]",
                                                       "[CUDA memcpy Unified Host-to-Device]",
                                                       "[CUDA memcpy Unified Device-to-Host]",
                                                       "[CUDA memcpy Unified Device-to-Device]"};
  return kind < kNames.size() ? kNames[kind] : std::string_view();
}

std::string_view memory_kind(uint64_t kind) {
  constexpr std::array<std::string_view, 8> kNames = {
      "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown"};
  return kind < kNames.size() ? kNames[kind] : std::string_view();
}

std::string display(const query::Source& source, uint64_t string) {
  std::string out;
  text::append_valid_utf8(&out, source.reader().string(string));
  return out;
}

std::string dimensions(uint64_t x, uint64_t y, uint64_t z) {
  return fmt::format("{:4} {:4} {:4}", static_cast<int64_t>(x), static_cast<int64_t>(y),
                     static_cast<int64_t>(z));
}

std::map<uint64_t, int64_t> pids(const query::Source& source) {
  std::map<uint64_t, int64_t> all;
  for (const query::Process& p : source.processes()) all[p.number] = static_cast<int64_t>(p.pid);
  return all;
}

namespace {

/// "220 (their queue does not measure)": the commands of OpenCL without times; "": none.
std::string untimed_commands(const query::Source& source) {
  static constexpr std::string_view kWhy[] = {"their queue does not measure", "unfinished", "failed",
                                              "the driver has no stamps", "stamps that cannot be"};
  const uint16_t columns[] = {event::opencl_untimed::kReason};
  const auto untimed = source.read_table(event::kOpenclUntimed, columns);
  std::map<std::string_view, uint64_t> counts;
  for (size_t i = 0; untimed && i < untimed->rows; ++i) {
    const uint64_t reason = untimed->columns[0][i];
    ++counts[reason < std::size(kWhy) ? kWhy[reason] : "for a reason that is not known"];
  }
  std::string out;
  for (const auto& [why, count] : counts)
    out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", count, why);
  return out;
}

}  // namespace

std::string why_nothing(const query::Source& source, std::string_view what, std::string_view tracing) {
  if (!source.window().everything()) return fmt::format("No {} in that span of time.", what);
  if (source.limited()) return fmt::format("No {} of that group.", what);
  if (tracing.find("OpenCL") != std::string_view::npos)
    if (const std::string untimed = untimed_commands(source); !untimed.empty())
      return fmt::format("No {}: OpenCL was traced, but commands have no times: {}; table opencl_untimed.",
                         what, untimed);
  return fmt::format("No {}: the report was recorded without tracing {}, or the program made none.", what,
                     tracing);
}

Result<KernelNames> KernelNames::load(const query::Source& source, const ReportArguments& arguments,
                                      query::DeviceApi api) {
  using namespace event::cuda_kernel;
  KernelNames names;
  names.source_ = &source;
  names.columns_ = {kName};
  const bool cuda = api == query::DeviceApi::kCuda;  // OpenCL's kernels have one name
  if (cuda && arguments.kernel_name == ReportArguments::KernelName::kBase)
    names.columns_.insert(names.columns_.end(), {kNulls, kShortName});
  if (cuda && arguments.kernel_name == ReportArguments::KernelName::kMangled)
    names.columns_.insert(names.columns_.end(), {kNulls, kMangledName});
  names.with_ranges_ = arguments.nvtx_name;
  if (!arguments.nvtx_name) return names;
  SEXTANT_ASSIGN(const query::Launches launches, query::Launches::load(source, query::Rows::kAll, api));
  SEXTANT_ASSIGN(const std::vector<query::ThreadRange> ranges,
                 query::load_thread_ranges(source, true, true, query::Rows::kAll));
  std::vector<query::ThreadSpan> calls;
  std::vector<uint64_t> kernels;  // of each call
  const uint16_t wanted[] = {kProcess, kCorrelation, kNulls};
  uint64_t ordinal = 0;
  SEXTANT_TRY(
      source.scan_table(query::device_tables(api).kernels, wanted, 1, [&](size_t, query::TableBatch& b) {
        for (size_t i = 0; i < b.rows; ++i, ++ordinal) {
          const uint32_t call = query::no_correlation(api, b.columns[2][i], b.columns[1][i])
                                    ? query::Launches::kNone
                                    : launches.find(b.columns[0][i], b.columns[1][i]);
          if (call == query::Launches::kNone) continue;
          calls.push_back(
              {launches.start_ns[call], launches.end_ns[call], launches.tid[call], launches.process[call]});
          kernels.push_back(ordinal);
        }
      }));
  names.ranges_.assign(ordinal, 0);
  query::find_enclosing(ranges, calls, [&](size_t call, std::span<const uint32_t> around) {
    if (!around.empty()) names.ranges_[kernels[call]] = ranges[around.back()].name;
  });
  return names;
}

std::string KernelNames::label(uint64_t string, uint64_t range) const {
  std::string out;
  if (range != 0) {
    text::append_valid_utf8(&out, source_->reader().string(range));
    out += '/';
  }
  text::append_valid_utf8(&out, source_->reader().string(string));
  return out;
}

Result<DeviceNames> DeviceNames::load(const query::Source& source, query::DeviceApi api) {
  DeviceNames names;
  SEXTANT_ASSIGN(names.numbers_, query::GpuNumbers::load(source, api));
  if (api == query::DeviceApi::kOpencl) {
    const uint16_t columns[] = {event::opencl_device::kProcess, event::opencl_device::kDevice,
                                event::opencl_device::kName};
    SEXTANT_ASSIGN(const query::TableBatch devices, source.read_table(event::kOpenclDevice, columns));
    for (size_t i = 0; i < devices.rows; ++i)
      names.gpus_.emplace(names.gpu(devices.columns[0][i], devices.columns[1][i]),
                          display(source, devices.columns[2][i]));
    return names;
  }
  const uint16_t gpu_columns[] = {event::gpu::kNumber, event::gpu::kName, event::gpu::kLegacyDevice,
                                  event::gpu::kNulls};
  SEXTANT_ASSIGN(const query::TableBatch gpus, source.read_table(event::kGpu, gpu_columns));
  for (size_t i = 0; i < gpus.rows; ++i) {
    const uint64_t number =
        event::is_null(gpus.columns[3][i], event::gpu::kNumber) ? gpus.columns[2][i] : gpus.columns[0][i];
    names.gpus_.emplace(number, display(source, gpus.columns[1][i]));
  }
  return names;
}

std::string DeviceNames::name_of_gpu(uint64_t number) const {
  const auto at = gpus_.find(number);
  return at == gpus_.end() || at->second.empty() ? "GPU" : at->second;
}

std::string DeviceNames::name(uint64_t process, uint64_t device) const {
  const auto at = gpus_.find(gpu(process, device));
  return fmt::format("{} ({})", at == gpus_.end() ? std::string() : at->second, device);
}

}  // namespace sextant::stats
