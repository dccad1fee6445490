// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of stats/: what makes each report, for the table in registry.cpp.
#pragma once

#include "stats/registry.h"

namespace sextant::stats {

using Make = Result<text::Table>(const query::Source&, const ReportArguments&);

// nvtx_sum.cpp, nvtx_pushpop_trace.cpp, process_tree.cpp
Make make_nvtx_sum, make_nvtx_pushpop_sum, make_nvtx_startend_sum, make_nvtx_pushpop_trace, make_process_tree;
// nvtx_tree.cpp, nvtx_hist.cpp, thread_sum.cpp
Make make_nvtx_tree, make_nvtx_hist, make_thread_sum;
// cuda_sums.cpp
Make make_cuda_api_sum, make_cuda_gpu_kern_sum, make_cuda_gpu_kern_gb_sum, make_cuda_gpu_mem_time_sum,
    make_cuda_gpu_mem_size_sum, make_cuda_gpu_sum, make_cuda_api_gpu_sum;
// cuda_traces.cpp, kern_exec.cpp
Make make_cuda_api_trace, make_cuda_gpu_trace, make_cuda_kern_exec_trace, make_cuda_kern_exec_sum;
// opencl_sums.cpp
Make make_opencl_api_sum, make_opencl_gpu_kern_sum, make_opencl_gpu_kern_gb_sum, make_opencl_gpu_mem_time_sum,
    make_opencl_gpu_mem_size_sum, make_opencl_gpu_sum, make_opencl_api_gpu_sum;
// opencl_trace.cpp, cuda_traces.cpp, kern_exec.cpp, opencl_builds.cpp
Make make_opencl_gpu_trace, make_opencl_api_trace, make_opencl_kern_exec_trace, make_opencl_kern_exec_sum,
    make_opencl_build_trace;
// device_use.cpp
Make make_device_queue_sum, make_device_overlap_sum;
// nvtx_projection.cpp, nvtx_kern_sum.cpp
Make make_nvtx_gpu_proj_trace, make_nvtx_gpu_proj_sum, make_nvtx_kern_sum;
// call_sums.cpp
Make make_osrt_sum, make_syscall_sum, make_openmp_sum, make_openacc_sum, make_nvvideo_api_sum,
    make_mpi_event_sum;
// osrt_blocking.cpp, osrt_files.cpp, osrt_errors.cpp, nvtx_osrt_sum.cpp
Make make_osrt_blocking_sum, make_osrt_file_sum, make_osrt_error_sum, make_nvtx_osrt_sum;
// mpi.cpp
Make make_mpi_event_trace, make_mpi_msg_size_sum;
// unified_memory.cpp, network.cpp
Make make_um_sum, make_um_total_sum, make_um_cpu_page_faults_sum, make_network_congestion;
// graphics.cpp
Make make_vulkan_api_sum, make_vulkan_api_trace, make_vulkan_marker_sum, make_vulkan_gpu_marker_sum,
    make_opengl_khr_range_sum, make_opengl_khr_gpu_range_sum, make_dx11_pix_sum, make_dx12_pix_sum,
    make_dx12_gpu_marker_sum, make_wddm_queue_sum;

}  // namespace sextant::stats
