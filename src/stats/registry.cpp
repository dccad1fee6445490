// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "stats/registry.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "stats/reports.h"

namespace sextant::stats {

namespace {

constexpr std::string_view kKernelArguments = ":nvtx-name:base:mangled", kNameArguments = ":base:mangled",
                           kOpenclArguments = ":nvtx-name";

// The order is that of nsys's default set; the others follow, by name; then our own.
constexpr std::array kReports = {
    Report{"nvtx_sum", "", "NVTX Range Summary", "Time in NVTX ranges by name", true, make_nvtx_sum},
    Report{"osrt_sum", "", "OS Runtime Summary", "Time in functions of the C library by name", true,
           make_osrt_sum},
    Report{"cuda_api_sum", "", "CUDA API Summary", "Time in CUDA calls by name", true, make_cuda_api_sum},
    Report{"cuda_gpu_kern_sum", kKernelArguments, "CUDA GPU Kernel Summary", "Time of kernels by name", true,
           make_cuda_gpu_kern_sum},
    Report{"cuda_gpu_mem_time_sum", "", "CUDA GPU MemOps Summary (by Time)",
           "Time of copies and fills by direction", true, make_cuda_gpu_mem_time_sum},
    Report{"cuda_gpu_mem_size_sum", "", "CUDA GPU MemOps Summary (by Size)",
           "Bytes of copies and fills by direction", true, make_cuda_gpu_mem_size_sum},
    Report{"openmp_sum", "", "OpenMP Summary", "Time in OpenMP regions by kind", true, make_openmp_sum},
    Report{"opengl_khr_range_sum", "", "OpenGL KHR_debug Range Summary", "Time in OpenGL debug ranges", true,
           make_opengl_khr_range_sum},
    Report{"opengl_khr_gpu_range_sum", "", "OpenGL KHR_debug GPU Range Summary", "The same on the GPU", true,
           make_opengl_khr_gpu_range_sum},
    Report{"vulkan_marker_sum", "", "Vulkan Range Summary", "Time in Vulkan debug markers", true,
           make_vulkan_marker_sum},
    Report{"vulkan_gpu_marker_sum", "", "Vulkan GPU Range Summary", "The same on the GPU", true,
           make_vulkan_gpu_marker_sum},
    Report{"dx11_pix_sum", "", "DX11 PIX Range Summary", "Time in Direct3D 11 ranges", true,
           make_dx11_pix_sum},
    Report{"dx12_gpu_marker_sum", "", "DX12 GPU Command List PIX Ranges Summary",
           "Time of Direct3D 12 ranges on the GPU", true, make_dx12_gpu_marker_sum},
    Report{"dx12_pix_sum", "", "DX12 PIX Range Summary", "Time in Direct3D 12 ranges", true,
           make_dx12_pix_sum},
    Report{"wddm_queue_sum", "", "WDDM Queue Utilization Summary",
           "Queues of the Windows display driver (known, not computed)", true, make_wddm_queue_sum},
    Report{"um_sum", ":rows=", "Unified Memory Analysis Summary", "Migrations and page faults by address",
           true, make_um_sum},
    Report{"um_total_sum", "", "Unified Memory Totals Summary", "Migrations and page faults, all together",
           true, make_um_total_sum},
    Report{"um_cpu_page_faults_sum", "", "Unified Memory CPU Page Faults Summary",
           "CPU page faults by instruction", true, make_um_cpu_page_faults_sum},
    Report{"openacc_sum", "", "OpenACC Summary", "Time in OpenACC constructs by kind", true,
           make_openacc_sum},
    Report{"cuda_api_gpu_sum", kKernelArguments, "CUDA Summary (API/Kernels/MemOps)",
           "CUDA calls, kernels, copies and fills in one table", false, make_cuda_api_gpu_sum},
    Report{"cuda_api_trace", "", "CUDA API Trace", "Every CUDA call", false, make_cuda_api_trace},
    Report{"cuda_gpu_kern_gb_sum", kKernelArguments, "CUDA GPU Kernel/Grid/Block Summary",
           "Time of kernels by name and launch dimensions", false, make_cuda_gpu_kern_gb_sum},
    Report{"cuda_gpu_sum", kKernelArguments, "CUDA GPU Summary (Kernels/MemOps)",
           "Kernels, copies and fills in one table", false, make_cuda_gpu_sum},
    Report{"cuda_gpu_trace", kKernelArguments, "CUDA GPU Trace", "Every kernel, copy and fill", false,
           make_cuda_gpu_trace},
    Report{"cuda_kern_exec_sum", kKernelArguments, "CUDA Kernel Launch & Exec Time Summary",
           "Launch, queue and execution times by kernel", false, make_cuda_kern_exec_sum},
    Report{"cuda_kern_exec_trace", kKernelArguments, "CUDA Kernel Launch & Exec Time Trace",
           "Launch, queue and execution of every kernel", false, make_cuda_kern_exec_trace},
    Report{"mpi_event_sum", "", "MPI Event Summary", "Time in MPI calls by kind and name", false,
           make_mpi_event_sum},
    Report{"mpi_event_trace", "", "MPI Event Trace", "Every MPI call", false, make_mpi_event_trace},
    Report{"mpi_msg_size_sum", "", "MPI Message Size Summary", "Bytes of MPI messages by kind and name",
           false, make_mpi_msg_size_sum},
    Report{"network_congestion", ":ticks_threshold=", "Network Devices Congestion",
           "When network ports had to wait", false, make_network_congestion},
    Report{"nvtx_gpu_proj_sum", "", "NVTX GPU Projection Summary", "NVTX ranges as the GPU saw them, by name",
           false, make_nvtx_gpu_proj_sum},
    Report{"nvtx_gpu_proj_trace", "", "NVTX GPU Projection Trace",
           "Every NVTX range with GPU work, as the GPU saw it", false, make_nvtx_gpu_proj_trace},
    Report{"nvtx_kern_sum", kNameArguments, "NVTX Range Kernel Summary",
           "Time of kernels by the NVTX ranges around their launches", false, make_nvtx_kern_sum},
    Report{"nvtx_pushpop_sum", "", "NVTX Push/Pop Range Summary", "As nvtx_sum, push/pop ranges only", false,
           make_nvtx_pushpop_sum},
    Report{"nvtx_pushpop_trace", "", "NVTX Push/Pop Range Trace",
           "Every push/pop range with its place in the stack", false, make_nvtx_pushpop_trace},
    Report{"nvtx_startend_sum", "", "NVTX Start/End Range Summary", "As nvtx_sum, start/end ranges only",
           false, make_nvtx_startend_sum},
    Report{"nvvideo_api_sum", "", "NvVideo API Summary", "Time in calls of the video libraries", false,
           make_nvvideo_api_sum},
    Report{"syscall_sum", "", "System Call Summary", "Time in system calls by name", false, make_syscall_sum},
    Report{"vulkan_api_sum", "", "Vulkan API Summary", "Time in Vulkan calls by name", false,
           make_vulkan_api_sum},
    Report{"vulkan_api_trace", "", "Vulkan API Trace", "Every Vulkan call", false, make_vulkan_api_trace},
    Report{"nvtx_tree", "", "NVTX Range Tree", "Total and self time of push/pop ranges by path", false,
           make_nvtx_tree},
    Report{"nvtx_hist", "", "NVTX Range Histogram", "How the durations of each NVTX range are spread", false,
           make_nvtx_hist},
    Report{"thread_sum", "", "Thread Summary", "How much of the time each thread was in NVTX ranges", false,
           make_thread_sum},
    Report{"osrt_blocking_sum", "", "OS Runtime Blocking Summary",
           "Where threads wait in the C library: for what, in which NVTX range", false,
           make_osrt_blocking_sum},
    Report{"osrt_file_sum", "", "OS Runtime File Summary",
           "Calls, bytes, time and errors by file (recorded with --osrt-file-access)", false,
           make_osrt_file_sum},
    Report{"osrt_error_sum", "", "OS Runtime Error Summary",
           "Calls of the C library that failed, by function and error", false, make_osrt_error_sum},
    Report{"nvtx_osrt_sum", "", "NVTX Range OS Runtime Summary",
           "Time in functions of the C library by the NVTX ranges around them", false, make_nvtx_osrt_sum},
    Report{"opencl_api_sum", "", "OpenCL API Summary", "Time in OpenCL calls by name", true,
           make_opencl_api_sum},
    Report{"opencl_gpu_kern_sum", kOpenclArguments, "OpenCL Kernel Summary", "Time of OpenCL kernels by name",
           true, make_opencl_gpu_kern_sum},
    Report{"opencl_gpu_mem_time_sum", "", "OpenCL MemOps Summary (by Time)",
           "Time of OpenCL's reads, writes, copies, fills and maps by kind", true,
           make_opencl_gpu_mem_time_sum},
    Report{"opencl_gpu_mem_size_sum", "", "OpenCL MemOps Summary (by Size)",
           "Bytes of OpenCL's reads, writes, copies, fills and maps by kind", true,
           make_opencl_gpu_mem_size_sum},
    Report{"opencl_api_gpu_sum", kOpenclArguments, "OpenCL Summary (API/Kernels/MemOps)",
           "OpenCL calls, kernels and memory commands in one table", false, make_opencl_api_gpu_sum},
    Report{"opencl_api_trace", "", "OpenCL API Trace", "Every OpenCL call", false, make_opencl_api_trace},
    Report{"opencl_build_trace", "", "OpenCL Build Trace", "Every build of an OpenCL program", false,
           make_opencl_build_trace},
    Report{"opencl_gpu_kern_gb_sum", kOpenclArguments, "OpenCL Kernel/Global/Local Size Summary",
           "Time of OpenCL kernels by name and work sizes", false, make_opencl_gpu_kern_gb_sum},
    Report{"opencl_gpu_sum", kOpenclArguments, "OpenCL Device Summary (Kernels/MemOps)",
           "OpenCL kernels and memory commands in one table", false, make_opencl_gpu_sum},
    Report{"opencl_gpu_trace", kOpenclArguments, "OpenCL Device Trace", "Every command of OpenCL on a device",
           false, make_opencl_gpu_trace},
    Report{"opencl_kern_exec_sum", kOpenclArguments, "OpenCL Kernel Launch & Exec Time Summary",
           "Launch, queue and execution times by OpenCL kernel", false, make_opencl_kern_exec_sum},
    Report{"opencl_kern_exec_trace", kOpenclArguments, "OpenCL Kernel Launch & Exec Time Trace",
           "Launch, queue and execution of every OpenCL kernel", false, make_opencl_kern_exec_trace},
    Report{"device_queue_sum", "", "Device Queue Summary",
           "How busy each CUDA stream and OpenCL queue was, and its longest gap", false,
           make_device_queue_sum},
    Report{"device_overlap_sum", "", "Device Overlap Summary",
           "How busy each device was, and how far kernels ran beside copies", false, make_device_overlap_sum},
    Report{"process_tree", "", "Process Tree",
           "Processes, how they ended, what was recorded of them and why not", true, make_process_tree},
};

bool allows(const Report& report, std::string_view argument) {
  std::string_view list = report.arguments;
  while (!list.empty()) {
    list.remove_prefix(1);  // the colon
    const size_t end = std::min(list.find(':'), list.size());
    const std::string_view allowed = list.substr(0, end);
    if (allowed == argument || (allowed.ends_with('=') && argument.starts_with(allowed))) return true;
    list.remove_prefix(end);
  }
  return false;
}

/// False: the value is no number.
template <typename Number>
bool parse(std::string_view argument, Number* out) {
  const std::string_view word = argument.substr(argument.find('=') + 1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *out);
  return error == std::errc() && end == word.data() + word.size();
}

bool apply(std::string_view argument, ReportArguments* arguments) {
  if (argument == "nvtx-name") return arguments->nvtx_name = true;
  if (argument == "base") return arguments->kernel_name = ReportArguments::KernelName::kBase, true;
  if (argument == "mangled") return arguments->kernel_name = ReportArguments::KernelName::kMangled, true;
  if (argument.starts_with("rows=")) return parse(argument, &arguments->rows);
  return parse(argument, &arguments->ticks);
}

}  // namespace

std::span<const Report> reports() {
  return kReports;
}

const Report* find_report(std::string_view name) {
  for (const Report& report : kReports)
    if (report.name == name) return &report;
  return nullptr;
}

Result<ReportChoice> choose_report(std::string_view word) {
  const size_t colon = std::min(word.find(':'), word.size());
  ReportChoice choice;
  choice.report = find_report(word.substr(0, colon));
  if (choice.report == nullptr) return choice;
  for (std::string_view rest = word.substr(colon); !rest.empty();) {
    rest.remove_prefix(1);
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string_view argument = rest.substr(0, end);
    rest.remove_prefix(end);
    if (!allows(*choice.report, argument) || !apply(argument, &choice.arguments))
      return fail(ErrorCode::kUsage,
                  fmt::format("the report {} takes {}, not ':{}'", choice.report->name,
                              choice.report->arguments.empty() ? "no arguments" : choice.report->arguments,
                              argument));
  }
  return choice;
}

}  // namespace sextant::stats
