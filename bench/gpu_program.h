// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training job on eight GPUs would leave behind, made up: kernels, the calls that launched them,
// copies and NVTX ranges. Processes repeat four programs of 44 kernels each, on four streams; 320 kernel
// names. Durations are log-normal (1.5 to 4.5 % around each kernel's mean, now and then far beyond), every
// time has noise down to the nanosecond, the GPU is the bottleneck so that launches wait for it, correlation
// ids have gaps. The same seed gives the same events.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace sextant::bench {

inline constexpr int kProcesses = 8;
inline constexpr int kPrograms = 4;
inline constexpr int kKernelsOfProgram = 44;
inline constexpr int kNamesOfProgram = 80;
inline constexpr int kNames = kPrograms * kNamesOfProgram;

struct Kernel {
  int64_t start, end;
  uint32_t correlation, grid;  // grid: number of the launch
  uint16_t name, stream;       // stream: 0 to 3
};
enum class Function : uint8_t { kLaunch, kCopy, kWait };
struct Call {
  int64_t start, end;
  uint32_t correlation;
  Function function;
};
struct Copy {
  int64_t start, end, bytes;
  uint32_t correlation;
  bool to_device;
};
struct Range {
  int64_t start, end;
  uint16_t name;  // 0: a step; 1 to 3 a part of it
  uint16_t program;
};

/// What happened since the last time that someone asked.
struct Events {
  std::vector<Kernel> kernels;
  std::vector<Call> calls;
  std::vector<Copy> copies;
  std::vector<Range> ranges;
};

/// One process with its GPU.
class GpuProcess {
 public:
  explicit GpuProcess(int number);

  /// Runs one program more and adds its events, kernels in the order in which they completed.
  void step(Events* out);

  int64_t now() const { return host_; }

 private:
  static constexpr int kQueue = 1024;  // launches that may wait

  int64_t around(double mean, double share);
  Call call(Function function, double mean, int64_t blocked_until);
  void launch(int program, int slot, Events* out);
  void copy(bool to_device, Events* out);

  int number_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_{0.0, 1.0};
  std::array<std::array<double, kKernelsOfProgram>, kPrograms> mean_, spread_;
  std::array<int64_t, 2> engine_{};      // until when: the main one, and that of the fourth stream
  std::array<int64_t, kQueue> begun_{};  // of the last launches
  int64_t host_ = 1'000'000'000;
  uint32_t correlation_ = 1000, grid_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace sextant::bench
