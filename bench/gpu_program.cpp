// SPDX-FileCopyrightText: The Sextant authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu_program.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sextant::bench {

namespace {

// Three programs of four run one after the other on the GPU. The fourth (communication, say) runs beside
// them.
constexpr int kOrder[] = {0, 1, 0, 2, 1, 0, 2, 0, 1, 3};

uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
  return x ^ (x >> 29);
}

}  // namespace

GpuProcess::GpuProcess(int number) : number_(number), random_(mixed(static_cast<uint64_t>(number) + 1)) {
  std::mt19937_64 shapes(7);  // the programs are the same everywhere
  std::normal_distribution<double> normal(0.0, 1.0);
  std::uniform_real_distribution<double> share(0.015, 0.045);
  for (int p = 0; p < kPrograms; ++p) {
    for (int k = 0; k < kKernelsOfProgram; ++k) {
      mean_[p][k] = std::clamp(12'000.0 * std::exp(0.9 * normal(shapes)), 1'500.0, 400'000.0);
      spread_[p][k] = share(shapes);
    }
  }
  host_ += number * 137'000;
}

/// Log-normal around a mean, at least 1 ns.
int64_t GpuProcess::around(double mean, double share) {
  return std::max<int64_t>(1, std::llround(mean * std::exp(share * normal_(random_))));
}

/// The host goes on when the call returns.
Call GpuProcess::call(Function function, double mean, int64_t blocked_until) {
  constexpr uint32_t kGaps[8] = {1, 1, 1, 1, 1, 2, 2, 3};  // calls that are not traced take numbers, too
  correlation_ += kGaps[random_() % 8];
  const int64_t start = host_ + around(1'100, 0.2);
  host_ = start + around(mean, 0.12);
  if (blocked_until > host_) host_ = blocked_until + around(1'400, 0.1);
  return {start, host_, correlation_, function};
}

void GpuProcess::launch(int program, int slot, Events* out) {
  int64_t& begun = begun_[grid_ % kQueue];
  const Call launched = call(Function::kLaunch, 3'200, begun);
  out->calls.push_back(launched);
  int64_t& engine = engine_[program == 3 ? 1 : 0];
  const int64_t start = std::max(engine + around(900, 0.15), launched.end + around(2'500, 0.1));
  double length = mean_[program][slot];
  if (random_() % 500 == 0) length *= 1.2 + static_cast<double>(random_() % 1000) / 300;
  engine = start + around(length, spread_[program][slot]);
  begun = start;
  const int name = program * kNamesOfProgram + slot + (number_ % 2) * (kNamesOfProgram - kKernelsOfProgram);
  out->kernels.push_back({start, engine, launched.correlation, ++grid_, static_cast<uint16_t>(name),
                          static_cast<uint16_t>(program)});
}

void GpuProcess::copy(bool to_device, Events* out) {
  const Call called = call(Function::kCopy, 4'100, 0);
  out->calls.push_back(called);
  const int64_t bytes = to_device ? 1 << 20 : 4096;
  const int64_t start = called.end + around(2'000, 0.1);
  out->copies.push_back({start, start + around(static_cast<double>(bytes) / 12 + 900, 0.02), bytes,
                         called.correlation, to_device});
}

void GpuProcess::step(Events* out) {
  const int program = kOrder[steps_++ % std::size(kOrder)];
  const size_t first = out->kernels.size();
  const int64_t begin = host_;
  int64_t part = begin;
  copy(true, out);
  for (int slot = 0; slot < kKernelsOfProgram; ++slot) {
    launch(program, slot, out);
    if (slot % 15 != 13) continue;
    out->ranges.push_back(
        {part, host_ + 40, static_cast<uint16_t>(1 + slot / 15), static_cast<uint16_t>(program)});
    part = host_ + 90;
  }
  if (steps_ % 8 == 0) copy(false, out);
  if (steps_ % 8 == 0) out->calls.push_back(call(Function::kWait, 5'000, 0));
  out->ranges.push_back({begin, host_ + 120, 0, static_cast<uint16_t>(program)});
  // the fourth program completes before much of what was launched earlier and still waits
  const size_t from = first > kQueue + kKernelsOfProgram ? first - kQueue - kKernelsOfProgram : 0;
  const auto by_end = [](const Kernel& a, const Kernel& b) { return a.end < b.end; };
  const auto launched = out->kernels.begin() + static_cast<ptrdiff_t>(first);
  std::sort(launched, out->kernels.end(), by_end);
  std::inplace_merge(out->kernels.begin() + static_cast<ptrdiff_t>(from), launched, out->kernels.end(),
                     by_end);
}

}  // namespace sextant::bench
