// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// How tracks are called: processes, threads, devices, contexts, streams, NVTX domains.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/result.h"
#include "query/query.h"
#include "stats/cuda_names.h"

namespace sextant::serve {

class TrackNames {
 public:
  static Result<TrackNames> load(const query::Source& source);

  std::string process(uint64_t number) const;                // "train [4242]"
  std::string thread(uint64_t process, uint64_t tid) const;  // "main [4242]"
  /// What the profiler itself took, of no thread of the program.
  static std::string_view profiler(uint64_t process) {
    return process == 0 ? "profiler's collector" : "profiler's agent";
  }
  std::string domain(uint64_t process, uint64_t domain) const;  // "NVTX", "NVTX: loader"
  std::string gpu(uint64_t number) const;                       // "GPU 0: Tesla T4"
  uint64_t gpu_of(uint64_t process, uint64_t device) const { return devices_->gpu(process, device); }
  std::string opencl_device(uint64_t number) const;  // "OpenCL: Fast Card"
  uint64_t opencl_device_of(uint64_t process, uint64_t device) const {
    return opencl_devices_->gpu(process, device);
  }
  std::string opencl_queue(uint64_t process, uint64_t queue) const;  // "Queue 2 (out of order)"
  uint64_t pid(uint64_t process) const;

 private:
  const query::Source* source_ = nullptr;
  std::optional<stats::DeviceNames> devices_, opencl_devices_;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> queue_properties_;  // process and queue
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> imported_domains_;  // process and number: name
  std::map<std::pair<uint64_t, uint64_t>, std::string> threads_;
  std::map<uint64_t, const query::Process*> processes_;
  bool imported_ = false;
};

}  // namespace sextant::serve
